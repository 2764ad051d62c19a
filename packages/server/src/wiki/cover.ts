import type { PublicAddress } from '../lib/public-address.ts';
import { coverPath, isCoverPath } from '../lib/cover.ts';
import { fail } from '../operation/errors.ts';
import { text } from '../operation/fields.ts';
import { show } from '../operation/parse.ts';
import type { MemberBase } from '../ports/wiki-store.ts';

const rule = 'must be an http or https address of a public host, or empty';

/** The user's cover URL, or else the URL of a generated cover. */
export function coverOf(base: Pick<MemberBase, 'id' | 'name' | 'coverUrl'>, address: PublicAddress): string {
  return base.coverUrl === '' ? `${address.url}${coverPath(base.id, base.name)}` : base.coverUrl;
}

/** Input field for a picture URL: browsers load it, this server never does. */
export function coverField(description: string) {
  return text(description, { max: 2048 }).refine(
    (value) => value === '' || isPublicUrl(value) || isCoverPath(pathOf(value)),
    rule,
  );
}

/** Stores no URL for a generated cover, because clients may send back what they have read. */
export function coverToStore(given: string, address: PublicAddress): string {
  if (given === '' || (given.startsWith(`${address.url}/`) && isCoverPath(given.slice(address.url.length)))) return '';
  if (!isPublicUrl(given)) throw fail('invalid_parameter', `cover_url: ${rule} (got ${show(given)})`);
  return given;
}

/** The path of a cover URL; the server's own address may have a path in front. */
function pathOf(value: string): string {
  return value.slice(Math.max(0, value.lastIndexOf('/covers/')));
}

function isPublicUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password: secret } = new URL(value);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || secret !== '') return false;
  // An IP address, or a name without a dot, may point into a private network.
  return (
    hostname.includes('.') &&
    !/^[\d.]+$/.test(hostname) &&
    !hostname.startsWith('[') &&
    !/\.(local|localhost|internal|lan|home|arpa)$/.test(hostname)
  );
}

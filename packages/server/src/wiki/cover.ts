import type { PublicAddress } from '../lib/public-address.ts';
import { coverPath, isCoverPath } from '../lib/cover.ts';
import { fail } from '../operation/errors.ts';
import { text } from '../operation/fields.ts';
import { show } from '../operation/parse.ts';
import type { MemberBase } from '../ports/wiki-store.ts';

const rule = 'must be an http or https address of a public host, or empty';

/** The cover that was given, else the address of one that this server makes. */
export function coverOf(base: Pick<MemberBase, 'id' | 'name' | 'coverUrl'>, address: PublicAddress): string {
  return base.coverUrl === '' ? `${address.url}${coverPath(base.id, base.name)}` : base.coverUrl;
}

/** A web address for a picture: shown by browsers, never fetched by this server. */
export function coverField(description: string) {
  return text(description, { max: 2048 }).refine(
    (value) => value === '' || isPublicUrl(value) || isCoverPath(pathOf(value)),
    rule,
  );
}

/** A client may send back what it read: a cover that this server made is none that was given. */
export function coverToStore(given: string, address: PublicAddress): string {
  if (given === '' || (given.startsWith(`${address.url}/`) && isCoverPath(given.slice(address.url.length)))) return '';
  if (!isPublicUrl(given)) throw fail('invalid_parameter', `cover_url: ${rule} (got ${show(given)})`);
  return given;
}

/** The end of an address: the server's own may have a path before it. */
function pathOf(value: string): string {
  return value.slice(Math.max(0, value.lastIndexOf('/covers/')));
}

function isPublicUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password: secret } = new URL(value);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || secret !== '') return false;
  // An address instead of a name, or a name without a dot, points into somebody's own network.
  return (
    hostname.includes('.') &&
    !/^[\d.]+$/.test(hostname) &&
    !hostname.startsWith('[') &&
    !/\.(local|localhost|internal|lan|home|arpa)$/.test(hostname)
  );
}

import type { PublicUrl } from '../../lib/public-url.ts';
import { coverPath, isCoverPath } from '../../lib/generated-cover.ts';
import { fail } from '../../kernel/errors.ts';
import { text } from '../../kernel/field-schemas.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import type { MemberBase } from '../../ports/wiki-store.ts';

const rule = 'must be an http or https address of a public host, or empty';

/**
 * Returns the cover URL that the user set for a knowledge base. If there is none, returns the URL of a generated cover.
 */
export function coverUrlOf(base: Pick<MemberBase, 'id' | 'name' | 'coverUrl'>, address: PublicUrl): string {
  return base.coverUrl === '' ? `${address.url}${coverPath(base.id, base.name)}` : base.coverUrl;
}

/**
 * Creates the schema of the URL of a knowledge base's cover picture. Only browsers load the picture; this server never
 * does.
 */
export function coverUrlField(description: string) {
  return text(description, { max: 2048 }).refine(
    (value) => value === '' || isPublicUrl(value) || isCoverPath(pathOf(value)),
    rule,
  );
}

/**
 * Returns the cover URL to store. For the URL of a generated cover, returns an empty text, because clients may send
 * back the generated URL that they received. Throws if the URL is not that of a public host.
 */
export function coverUrlToStore(given: string, address: PublicUrl): string {
  if (given === '' || (given.startsWith(`${address.url}/`) && isCoverPath(given.slice(address.url.length)))) return '';
  if (!isPublicUrl(given)) throw fail('invalid_parameter', `cover_url: ${rule} (got ${formatValue(given)})`);
  return given;
}

/**
 * Returns the path of a cover URL, starting at `/covers/`. The public URL of the server may contain a path before it.
 * Returns the whole value if it does not contain `/covers/`.
 */
function pathOf(value: string): string {
  return value.slice(Math.max(0, value.lastIndexOf('/covers/')));
}

function isPublicUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname: written, username, password: secret } = new URL(value);
  const hostname = written.replace(/\.$/, '');
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || secret !== '') return false;
  // Refuse hosts that may be in a private network: IP addresses, names without a dot, and names of local domains.
  return (
    hostname.includes('.') &&
    !/^[\d.]+$/.test(hostname) &&
    !hostname.startsWith('[') &&
    !/\.(local|localhost|internal|lan|home|arpa)$/.test(hostname)
  );
}

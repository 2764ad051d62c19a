import { isIP } from 'node:net';
import { FetchRefused } from '../../ports/web-fetcher.ts';
import { isPublicAddress, type Exemptions } from './address-rules.ts';

const maxUrlLength = 8192;

/** Below 1024 only the web's own ports; above, those where services listen that take a request for something else. */
const webPorts = new Set([80, 443]);
const servicePorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432,
  5672, 5900, 5984, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300,
  10080, 10250, 11211, 15672, 27017, 27018, 27019, 50070,
]);

/** A URL that may be tried, or FetchRefused. Names are judged by their addresses later, at connect. */
export function checkUrl(text: string, exempt: Exemptions): URL {
  // The parser drops tabs and line breaks in silence; a URL that needs that is somebody's trick or mistake.
  if (text.length > maxUrlLength || /[\p{Cc}\s\\]/u.test(text))
    throw refuse('bad_url', text, 'contains whitespace, control characters or backslashes, or is too long');
  if (!URL.canParse(text)) throw refuse('bad_url', text, 'is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse('scheme', text, 'does not begin with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw refuse('credentials', `${url.protocol}//${url.host}`, 'contains a user name or password');
  if (url.hostname === '') throw refuse('bad_url', text, 'has no host');
  const port = portOf(url);
  const host = hostOf(url);
  if (!exempt.host(host) && !mayUsePort(port)) throw refuse('port', text, `uses port ${port}, which is not a web port`);
  if (isIP(host) !== 0) checkAddress(host, host, exempt);
  return url;
}

function mayUsePort(port: number): boolean {
  return port >= 1024 ? !servicePorts.has(port) : webPorts.has(port);
}

export function checkAddress(host: string, address: string, exempt: Exemptions): void {
  if (exempt.host(host) || exempt.address(address) || isPublicAddress(address)) return;
  throw new FetchRefused(
    'private_address',
    `${host} is a private network address, not one on the internet; the owner of this installation can allow it with SHEAF_FETCH_ALLOW`,
  );
}

/** Without the brackets of IPv6 and the dot of a fully qualified name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function refuse(reason: 'bad_url' | 'scheme' | 'credentials' | 'port', url: string, what: string): FetchRefused {
  return new FetchRefused(
    reason,
    `the address ${JSON.stringify(url.length > 100 ? `${url.slice(0, 100)}…` : url)} ${what}`,
  );
}

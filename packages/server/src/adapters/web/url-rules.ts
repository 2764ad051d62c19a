import { isIP } from 'node:net';
import { FetchRefused } from '../../ports/web-fetcher.ts';
import { isPublicAddress, type AddressExemptions } from './address-rules.ts';

const maxUrlLength = 8192;

/**
 * The only allowed ports below 1024. From 1024 on, all ports are allowed except `servicePorts`, whose services could
 * misinterpret an HTTP request.
 */
const webPorts = new Set([80, 443]);
const servicePorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432,
  5672, 5900, 5984, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300,
  10080, 10250, 11211, 15672, 27017, 27018, 27019, 50070,
]);

/**
 * Parses a URL and checks its scheme, port and, if the host is an IP address, that address. Throws FetchRefused if the
 * URL is not allowed. The addresses of a host name are checked later, when connecting.
 */
export function checkUrl(text: string, exempt: AddressExemptions): URL {
  // Refuse control characters, white space and backslashes. The URL parser silently removes tabs and line breaks and
  // changes backslashes, so a URL that contains them is a mistake or an attack.
  if (text.length > maxUrlLength || /[\p{Cc}\s\\]/u.test(text))
    throw new FetchRefused({ reason: 'bad_url', fault: 'characters', url: text });
  if (!URL.canParse(text)) throw new FetchRefused({ reason: 'bad_url', fault: 'not_a_url', url: text });
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchRefused({ reason: 'scheme', url: text });
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused({ reason: 'credentials', url: `${url.protocol}//${url.host}` });
  if (url.hostname === '') throw new FetchRefused({ reason: 'bad_url', fault: 'no_host', url: text });
  const port = portOf(url);
  const host = hostOf(url);
  if (!exempt.host(host) && !mayUsePort(port)) throw new FetchRefused({ reason: 'port', url: text, port });
  if (isIP(host) !== 0) checkAddress(host, host, exempt);
  return url;
}

function mayUsePort(port: number): boolean {
  return port >= 1024 ? !servicePorts.has(port) : webPorts.has(port);
}

export function checkAddress(host: string, address: string, exempt: AddressExemptions): void {
  if (exempt.host(host) || exempt.address(address) || isPublicAddress(address)) return;
  throw new FetchRefused({ reason: 'private_address', host });
}

/** Returns the host without IPv6 brackets and without the trailing dot of a fully qualified name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { App } from '../../app.ts';

/**
 * The client address of a request, for rate limits. Behind trusted proxies, it is the last X-Forwarded-For entry that
 * is not a proxy's; earlier entries can be forged.
 */
export function clientAddress(app: App, request: IncomingMessage): string {
  const proxies = app.config.SHEAF_TRUSTED_PROXIES;
  let address = request.socket.remoteAddress ?? '';
  if (proxies.isEmpty || !proxies.has(address)) return networkOf(address);
  const named = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const hop of named.reverse()) {
    address = hop;
    if (!proxies.has(hop)) break;
  }
  return networkOf(address.slice(0, 64));
}

/**
 * Reduces an IPv6 address to its /64 network, since one client usually has all of it. An IPv4-mapped address becomes
 * IPv4.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const bare = address.replace(/^\[|\]$/g, '').split('%', 1)[0]!;
  const [, mapped] = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(bare) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(bare)) return address;
  const [left = '', right] = bare.split('::');
  const groups = left === '' ? [] : left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const missing =
    right === undefined ? 0 : Math.max(0, 8 - groups.length - after.length - (bare.includes('.') ? 1 : 0));
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

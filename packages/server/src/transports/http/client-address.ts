import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { App } from '../../app.ts';

/**
 * Where a request comes from, for slowing down whoever guesses. Behind proxies that is the last address which one of them
 * named and which is none of theirs: what stands before it in the header anybody may have written.
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

/** Whoever has one IPv6 address has the whole /64 around it: that counts as one. IPv4 in the form of IPv6 is IPv4. */
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

import type { IncomingMessage } from 'node:http';
import type { App } from '../../app.ts';

/**
 * Where a request comes from, for slowing down whoever guesses. Behind proxies that is the last address which one of them
 * named and which is none of theirs: what stands before it in the header anybody may have written.
 */
export function clientAddress(app: App, request: IncomingMessage): string {
  const proxies = app.config.SHEAF_TRUSTED_PROXIES;
  let address = request.socket.remoteAddress ?? '';
  if (proxies.isEmpty || !proxies.has(address)) return address;
  const named = String(request.headers['x-forwarded-for'] ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '');
  for (const hop of named.reverse()) {
    address = hop;
    if (!proxies.has(hop)) break;
  }
  return address.slice(0, 64);
}

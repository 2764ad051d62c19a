import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { ClientAbortReason } from '../../lib/client-abort.ts';
import { randomText } from '../../lib/ids.ts';

/**
 * Prefix of request ids, random per process. It makes ids unique across nodes and restarts without random bytes for
 * each request.
 */
const ownPart = randomText(10);
let requests = 0;

/**
 * Returns the request id that the client sent, so that logs of client and server can be matched. Generates an id if the
 * client sent none or one with unusual characters.
 */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  if (typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent)) return sent;
  return ownPart + (++requests).toString(36).padStart(6, '0');
}

/**
 * Returns the client address of a request, for rate limits. Behind trusted proxies, it is the last X-Forwarded-For
 * entry that is not a trusted proxy. Earlier entries can be forged.
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
 * Reduces an IPv6 address to its /64 network, because one client usually owns the whole network. Converts an
 * IPv4-mapped address to IPv4.
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

/** Returns a query parameter, or its first value if it is repeated. */
export function queryParameter(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Returns a header, or its first value if it is repeated. */
export function firstHeader({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Parses a request body that contains the fields of an HTML form. Returns undefined if the body has another content
 * type.
 */
export function parseForm({ headers }: Pick<IncomingMessage, 'headers'>, body: Buffer): URLSearchParams | undefined {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')) return undefined;
  return new URLSearchParams(body.toString('utf8'));
}

/** Returns a signal that aborts when the client disconnects before the answer is sent, or when the server stops. */
export function disconnectSignal(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  if (stopping.aborted) end();
  stopping.addEventListener('abort', end);
  response.once('close', () => {
    stopping.removeEventListener('abort', end);
    if (!response.writableFinished) controller.abort(new ClientAbortReason());
  });
  return controller.signal;
}

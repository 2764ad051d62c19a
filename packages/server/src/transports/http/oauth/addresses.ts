import type { IncomingMessage } from 'node:http';
import type { App } from '../../../app.ts';
import { isLoopbackHost } from '../../../lib/redirect-uris.ts';

/** Where the operations are, as an address that tokens are made for. */
export const operationsResource = '/openapi';

/** Before the path of an address stands the one of its description (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/**
 * The address under which apps connect, without a slash at its end; undefined where they cannot. Tokens travel with every
 * request, so it is https, or this very computer: there any name it has for itself will do.
 */
export function oauthBase(app: App, request: IncomingMessage): string | undefined {
  const publicUrl = app.config.SHEAF_PUBLIC_URL;
  if (publicUrl !== undefined) {
    const { protocol, hostname } = new URL(publicUrl);
    return protocol === 'https:' || isLoopbackHost(hostname) ? app.address.url : undefined;
  }
  const base = `http://${request.headers.host ?? ''}`;
  if (!URL.canParse(base)) return undefined;
  const { origin, hostname } = new URL(base);
  return isLoopbackHost(hostname) && isOwnComputer(request.socket.remoteAddress) ? origin : undefined;
}

/** The address that a token may be made for, out of what an app calls it: its path, or undefined. */
export function resourcePath(resource: string, base: string): string | undefined {
  if (!URL.canParse(resource)) return undefined;
  const { origin, pathname, hash, username, password } = new URL(resource);
  if (hash !== '' || username !== '' || password !== '') return undefined;
  const address = `${origin}${pathname}`.replace(/\/+$/, '');
  return address.startsWith(base) ? address.slice(base.length) : undefined;
}

/** The header that tells whoever was refused where to ask for access. */
export function challengeFor(app: App, request: IncomingMessage, resource: string): string {
  const base = oauthBase(app, request);
  if (base === undefined) return 'Bearer';
  const wrong = sentToken(request) === undefined ? '' : 'error="invalid_token", ';
  return `Bearer ${wrong}resource_metadata="${base}${resourceMetadataPath}${resource}"`;
}

/** The header that tells an app which scopes to ask its person for. */
export function scopeChallenge(app: App, request: IncomingMessage, resource: string, scope: string): string {
  const base = oauthBase(app, request) ?? '';
  const metadata = `resource_metadata="${base}${resourceMetadataPath}${resource}"`;
  return `Bearer error="insufficient_scope", scope="${scope}", ${metadata}`;
}

/** The token of an app, by its beginning: keys are sent in the same header. */
export function sentToken({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return /^bearer\s+(at_\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

function isOwnComputer(address: string | undefined): boolean {
  return address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address);
}

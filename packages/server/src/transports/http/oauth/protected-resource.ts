import type { IncomingMessage } from 'node:http';
import type { App } from '../../../app.ts';
import { isLoopbackHost } from '../../../lib/redirect-uris.ts';

/** Path that identifies all HTTP operations as one OAuth resource. */
export const operationsResource = '/openapi';

/** Path prefix of a resource's metadata document (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/**
 * Returns the base URL for OAuth without a trailing slash, or undefined if apps cannot connect. The URL must use https
 * or a loopback address, because every request contains a token.
 */
export function oauthBaseUrl(app: App, request: IncomingMessage): string | undefined {
  const publicUrl = app.config.SHEAF_PUBLIC_URL;
  if (publicUrl !== undefined) {
    const { protocol, hostname } = new URL(publicUrl);
    return protocol === 'https:' || isLoopbackHost(hostname) ? app.publicUrl.url : undefined;
  }
  const base = `http://${request.headers.host ?? ''}`;
  if (!URL.canParse(base)) return undefined;
  const { origin, hostname } = new URL(base);
  return isLoopbackHost(hostname) && isLoopbackAddress(request.socket.remoteAddress) ? origin : undefined;
}

/**
 * Converts a resource URL that an app sent to a path on this server. Returns undefined if the URL is invalid, belongs
 * to another server, or contains a fragment or credentials.
 */
export function resourcePath(resource: string, base: string): string | undefined {
  if (!URL.canParse(resource)) return undefined;
  const { origin, pathname, hash, username, password } = new URL(resource);
  if (hash !== '' || username !== '' || password !== '') return undefined;
  const address = `${origin}${pathname}`.replace(/\/+$/, '');
  return address.startsWith(base) ? address.slice(base.length) : undefined;
}

/**
 * Builds the WWW-Authenticate header of a refused request. It names the metadata document from which the client learns
 * where to request access.
 */
export function bearerChallenge(app: App, request: IncomingMessage, resource: string): string {
  const base = oauthBaseUrl(app, request);
  if (base === undefined) return 'Bearer';
  const wrong = readBearerToken(request) === undefined ? '' : 'error="invalid_token", ';
  return `Bearer ${wrong}resource_metadata="${base}${resourceMetadataPath}${resource}"`;
}

/**
 * Builds the WWW-Authenticate header for a call that the access token does not permit. It names the scope that the app
 * must request.
 */
export function scopeChallenge(app: App, request: IncomingMessage, resource: string, scope: string): string {
  const base = oauthBaseUrl(app, request) ?? '';
  const metadata = `resource_metadata="${base}${resourceMetadataPath}${resource}"`;
  return `Bearer error="insufficient_scope", scope="${scope}", ${metadata}`;
}

/**
 * Returns an app's access token from the Authorization header. The token's prefix distinguishes it from an API key,
 * which may be sent in the same header.
 */
export function readBearerToken({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return /^bearer\s+(at_\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

/** Returns whether the Authorization header holds a bearer token: an access token or an API key. */
export function hasBearerToken({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /^bearer\s+\S/i.test(headers.authorization ?? '');
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address);
}

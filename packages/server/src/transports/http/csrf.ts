import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { App } from '../../app.ts';
import { HttpFailure } from './answer.ts';

/**
 * Returns whether a Host header is trusted. Protects against DNS rebinding, an attack in which a page of another site
 * reaches this server under that site's host name. Trusted are localhost, the host name of `publicUrl`, and all IP
 * addresses, because the attack needs a host name.
 */
export function isTrustedHost(header: string | undefined, publicUrl: string | undefined): boolean {
  if (!header) return false;
  const name = hostName(header);
  if (name === undefined) return false;
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  return publicUrl !== undefined && name === hostName(new URL(publicUrl).host);
}

/**
 * Returns whether a request may come from a page of this server. This is so if its Origin header is missing, or matches
 * our public address or a trusted Host header.
 */
export function isTrustedOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string | undefined,
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  const ours = publicUrl === undefined ? undefined : new URL(publicUrl);
  // For our public host, compare the scheme too, because a page loaded without TLS may be forged.
  if (ours?.host === url.host) return ours.origin === url.origin;
  return url.host === host && isTrustedHost(host, publicUrl);
}

function hostName(header: string): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/@\s]+)(:\d{1,5})?$/.exec(header);
  return match?.[1]?.toLowerCase();
}

/** Returns the error message for an untrusted Host header. The message says what the administrator can configure. */
export function untrustedHostMessage(header: string | undefined): string {
  return (
    `this server does not accept the Host ${JSON.stringify(header?.slice(0, 100) ?? '')}; use an IP ` +
    'address, localhost or the host name in SHEAF_PUBLIC_URL'
  );
}

/**
 * Throws if a request that is authenticated by cookie does not come from our own page (CSRF protection). Browsers send
 * cookies with requests from any page.
 */
export function refuseCrossSite(app: App, request: { readonly headers: IncomingHttpHeaders }): void {
  const { origin, host } = request.headers;
  const publicUrl = app.config.SHEAF_PUBLIC_URL;
  const isKnown = isTrustedHost(host, publicUrl);
  // Check the Origin header, if there is one, against our public address before the Host header. A proxy may rewrite
  // Host but not Origin, so requests from our public origin are trusted whatever the Host is.
  const own =
    origin !== undefined
      ? isTrustedOrigin(origin, host, publicUrl)
      : isKnown && request.headers['sec-fetch-site'] === 'same-origin';
  if (!own)
    throw new HttpFailure(
      403,
      'no_permission',
      isKnown ? "a request with a session cookie must come from this server's own page" : untrustedHostMessage(host),
    );
}

import { isIP } from 'node:net';

/**
 * Protects against DNS rebinding, where another site's page reaches this server under its own host name. Accepts our
 * own names, and IP addresses, because rebinding needs a name.
 */
export function isTrustedHost(header: string | undefined, publicUrl: string | undefined): boolean {
  if (!header) return false;
  const name = hostName(header);
  if (name === undefined) return false;
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  return publicUrl !== undefined && name === hostName(new URL(publicUrl).host);
}

/** An Origin header, if sent, must match the request's Host or our public address. */
export function isTrustedOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string | undefined,
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  const ours = publicUrl === undefined ? undefined : new URL(publicUrl);
  // For our public host the scheme must match too: a page loaded without TLS may be forged.
  if (ours?.host === url.host) return ours.origin === url.origin;
  return url.host === host && isTrustedHost(host, publicUrl);
}

function hostName(header: string): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/@\s]+)(:\d{1,5})?$/.exec(header);
  return match?.[1]?.toLowerCase();
}

/** Tells the administrator how to fix it. */
export function untrustedHostMessage(header: string | undefined): string {
  return (
    `this server does not accept the Host ${JSON.stringify(header?.slice(0, 100) ?? '')}; use an IP ` +
    'address, localhost or the host name in SHEAF_PUBLIC_URL'
  );
}

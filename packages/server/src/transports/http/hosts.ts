import { isIP } from 'node:net';

/**
 * Against DNS rebinding: a page of another site can make a browser send requests here under its own name. A name is
 * trusted when it is ours; an address as a literal always is, because rebinding needs a name.
 */
export function trustedHost(header: string | undefined, publicUrl: string | undefined): boolean {
  if (!header) return false;
  const name = hostName(header);
  if (name === undefined) return false;
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  return publicUrl !== undefined && name === hostName(new URL(publicUrl).host);
}

/** An Origin header, when there is one, must name the very host the request was sent to, or our public address. */
export function trustedOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string | undefined,
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  const ours = publicUrl === undefined ? undefined : new URL(publicUrl);
  // Under our public name the scheme counts too: a page that came without TLS may be anybody's.
  if (ours?.host === url.host) return ours.origin === url.origin;
  return url.host === host && trustedHost(host, publicUrl);
}

function hostName(header: string): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/@\s]+)(:\d{1,5})?$/.exec(header);
  return match?.[1]?.toLowerCase();
}

/** For the one who has to mend it. */
export function untrustedHostMessage(header: string | undefined): string {
  return (
    `this server does not accept the Host ${JSON.stringify(header?.slice(0, 100) ?? '')}; use an IP ` +
    'address, localhost or the host name in SHEAF_PUBLIC_URL'
  );
}

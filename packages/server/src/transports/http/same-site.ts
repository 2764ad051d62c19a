import type { IncomingHttpHeaders } from 'node:http';
import type { App } from '../../app.ts';
import { Failure } from '../../operation/errors.ts';
import { trustedHost, trustedOrigin, untrustedHostMessage } from './hosts.ts';

/** Answered with status 403 on every path. */
export class ForeignSite extends Failure {}

/** A cookie travels by itself, so a request that rides on it must come from our own page. */
export function refuseForeignSite(app: App, request: { readonly headers: IncomingHttpHeaders }): void {
  const { origin, host } = request.headers;
  const publicUrl = app.config.SHEAF_PUBLIC_URL;
  const isKnown = trustedHost(host, publicUrl);
  // A proxy may replace the Host, never the Origin: our public one is good under any Host.
  const own =
    origin !== undefined
      ? trustedOrigin(origin, host, publicUrl)
      : isKnown && request.headers['sec-fetch-site'] === 'same-origin';
  if (!own)
    throw new ForeignSite(
      'no_permission',
      isKnown ? "a request with a session cookie must come from this server's own page" : untrustedHostMessage(host),
    );
}

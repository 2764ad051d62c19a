import type { IncomingHttpHeaders } from 'node:http';
import type { App } from '../../app.ts';
import { Failure } from '../../kernel/errors.ts';
import { isTrustedHost, isTrustedOrigin, untrustedHostMessage } from './trusted-hosts.ts';

/** A request from another site; every path answers it with status 403. */
export class CrossSiteError extends Failure {}

/**
 * CSRF protection: browsers send cookies with every request, so one that is authenticated by cookie must come from our
 * own page.
 */
export function refuseCrossSite(app: App, request: { readonly headers: IncomingHttpHeaders }): void {
  const { origin, host } = request.headers;
  const publicUrl = app.config.SHEAF_PUBLIC_URL;
  const isKnown = isTrustedHost(host, publicUrl);
  // A proxy may rewrite Host but not Origin, so our public origin is valid under any Host.
  const own =
    origin !== undefined
      ? isTrustedOrigin(origin, host, publicUrl)
      : isKnown && request.headers['sec-fetch-site'] === 'same-origin';
  if (!own)
    throw new CrossSiteError(
      'no_permission',
      isKnown ? "a request with a session cookie must come from this server's own page" : untrustedHostMessage(host),
    );
}

import type { IncomingHttpHeaders } from 'node:http';
import type { App } from '../../app.ts';
import { fail } from '../../operation/errors.ts';
import { trustedOrigin } from './hosts.ts';

/** A cookie travels by itself, so a request that rides on it must come from our own page. */
export function refuseForeignSite(app: App, request: { readonly headers: IncomingHttpHeaders }): void {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const own = origin !== undefined ? trustedOrigin(origin, host, app.config.SHEAF_PUBLIC_URL) : site === 'same-origin';
  if (!own) throw fail('no_permission', 'a request with a session cookie must come from this server\'s own page');
}

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { App } from '../../app.ts';
import type { Caller } from '../../context.ts';
import type { Credentials } from '../../kernel/authenticator.ts';
import type { MaybePromise } from '../../ports/account-store.ts';
import { refuseCrossSite } from './csrf.ts';
import { oauthBaseUrl, operationsResource, readBearerToken } from './oauth/protected-resource.ts';
import { clientAddress } from './request.ts';

export const sessionCookie = 'sheaf_session';
/** Cookie of a browser that has signed in before. It gives the browser its own rate limit for password attempts. */
export const deviceCookie = 'sheaf_device';
/**
 * Name of the response header that contains the id of the signed-in user, or `none` on the HTML page if nobody is
 * signed in. The page's service worker uses it to cache responses separately for each user.
 */
export const accountHeader = 'x-sheaf-account';

/**
 * Names of the headers for API key and client id, by prefix. They are cached, because concatenating them for every
 * request is slower.
 */
const headerNames = new Map<string, { apiKey: string; clientId: string }>();

function namesOf(prefix: string): { apiKey: string; clientId: string } {
  let names = headerNames.get(prefix);
  if (!names) {
    names = { apiKey: `${prefix}-apikey`, clientId: `${prefix}-clientid` };
    headerNames.set(prefix, names);
  }
  return names;
}

export interface AuthenticationOptions {
  /** Whether an API key is also accepted in the Authorization header, as a bearer token. */
  readonly bearerKeys?: boolean;
  /**
   * Path of the OAuth resource of this endpoint. An app's access token is accepted only if it was issued for this
   * resource. Default: the resource of all HTTP operations.
   */
  readonly resource?: string;
  /** Describes where this endpoint expects the API key, for the error message if no key was sent. */
  readonly expected?: string;
}

/**
 * Authenticates the caller or throws a Failure. If the credentials are cached, returns the caller directly, without a
 * promise.
 */
export function authenticateCaller(
  app: App,
  request: IncomingMessage,
  { bearerKeys = false, resource = operationsResource, expected }: AuthenticationOptions,
): MaybePromise<Caller> {
  const { headers } = request;
  // Leave the audience (the resource for which an access token must have been issued) undefined if apps cannot connect
  // to this address. Access tokens are then refused.
  const audience =
    headers.authorization === undefined || oauthBaseUrl(app, request) === undefined ? undefined : resource;
  const credentials = readCredentials(
    headers,
    app.config.SHEAF_HEADER_PREFIXES,
    clientAddress(app, request),
    bearerKeys,
    audience,
  );
  if (expected !== undefined) credentials.expected = expected;
  const caller = app.authenticator.authenticate(credentials);
  return caller instanceof Promise
    ? caller.then((found) => refuseCrossSiteSession(app, request, found))
    : refuseCrossSiteSession(app, request, caller);
}

function refuseCrossSiteSession(app: App, request: IncomingMessage, caller: Caller): Caller {
  if (caller.via === 'session') refuseCrossSite(app, request);
  return caller;
}

function readCredentials(
  headers: IncomingHttpHeaders,
  prefixes: readonly string[],
  address: string,
  bearer: boolean,
  audience?: string,
): Credentials {
  for (const prefix of prefixes) {
    const names = namesOf(prefix);
    const apiKey = headers[names.apiKey];
    if (typeof apiKey === 'string' && apiKey !== '') {
      const clientId = headers[names.clientId];
      // Accept a key without a client id, because the key alone identifies the user. A client id that was sent must
      // match the key.
      return typeof clientId === 'string' ? { apiKey, clientId, address } : { apiKey, address };
    }
  }
  const authorization = headers.authorization;
  const accessToken = authorization === undefined ? undefined : readBearerToken({ headers });
  if (accessToken !== undefined) return { accessToken, audience, address };
  if (bearer && authorization) return { apiKey: authorization.replace(/^bearer\s+/i, '').trim(), address };
  const session = readCookie(headers, sessionCookie);
  return session === undefined ? { address } : { session, address };
}

export function readCookie({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  for (const part of cookie?.split(';') ?? []) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

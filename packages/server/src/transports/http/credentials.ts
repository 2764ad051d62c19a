import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../../kernel/authenticator.ts';
import { readBearerToken } from './oauth/protected-resource.ts';

export const sessionCookie = 'sheaf_session';
/** Cookie of a browser with an earlier sign-in; it selects the rate limit for password attempts. */
export const deviceCookie = 'sheaf_device';

/** Header names are cached, because a newly concatenated string would have to be hashed for each lookup. */
const headerNames = new Map<string, { apiKey: string; clientId: string }>();

function namesOf(prefix: string): { apiKey: string; clientId: string } {
  let names = headerNames.get(prefix);
  if (!names) {
    names = { apiKey: `${prefix}-apikey`, clientId: `${prefix}-clientid` };
    headerNames.set(prefix, names);
  }
  return names;
}

/**
 * Finds the caller's credentials in a request's headers. `bearer`: accepts a key in the Authorization header.
 * `audience`: the resource that an app's access token must be issued for; without it no token is accepted.
 */
export function readCredentials(
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
      // The key identifies the user; a client id is only checked if one is sent.
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

import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../../operation/authenticate.ts';

export const sessionCookie = 'sheaf_session';

/** Finds the caller's credentials in a request's headers. `bearer`: whether an Authorization header counts. */
export function credentialsOf(headers: IncomingHttpHeaders, prefixes: readonly string[], address: string, bearer: boolean): Credentials {
  for (const prefix of prefixes) {
    const apiKey = headers[`${prefix}-apikey`];
    if (typeof apiKey === 'string' && apiKey !== '') {
      const clientId = headers[`${prefix}-clientid`];
      return { apiKey, clientId: typeof clientId === 'string' ? clientId : '', address };
    }
  }
  const authorization = headers.authorization;
  if (bearer && authorization) return { apiKey: authorization.replace(/^bearer\s+/i, '').trim(), address };
  const session = cookie(headers.cookie, sessionCookie);
  return session === undefined ? { address } : { session, address };
}

function cookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

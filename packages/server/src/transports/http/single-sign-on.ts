import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { deviceName } from '../../lib/device-name.ts';
import { Failure, fail } from '../../operation/errors.ts';
import type { SingleSignOn } from '../../operation/single-sign-on.ts';
import { barePage, barePageHeaders, both, escaped } from './bare-page.ts';
import { clientAddress } from './client-address.ts';
import { cookieOf, sessionCookie } from './credentials.ts';
import { wantsBody } from './fastify-bodies.ts';
import { oauthBase } from './oauth/addresses.ts';
import { queryOf } from './query.ts';
import { refuseForeignSite } from './same-site.ts';
import { secure, setCookies } from './sign-in.ts';

const path = '/sign-in/sso';
const callback = `${path}/callback`;
const begunCookie = 'sheaf_sso';
const begunSeconds = 600;

/** Sign-in through an OpenID provider: redirect and callback. */
export function addSingleSignOn(server: FastifyInstance, app: App): void {
  // The sign-in options besides a password.
  server.get('/sign-in/options', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send({ sso: app.sso?.name ?? null }),
  );
  const { sso } = app;
  if (!sso) return;
  const guarded =
    (work: (request: FastifyRequest, reply: FastifyReply, base: string) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        const base = oauthBase(app, request.raw);
        if (base === undefined)
          throw fail('no_permission', 'Single sign-on needs https: set SHEAF_PUBLIC_URL to the https address.');
        const wait = app.signInTries.links.take(clientAddress(app, request.raw));
        if (wait > 0) throw fail('rate_limited', `Too many sign-ins; try again in ${wait} s.`, { retryAfter: wait });
        return await work(request, reply, base);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
        return reply
          .code(error.word === 'rate_limited' ? 429 : error.word === 'busy' ? 502 : 403)
          .headers(barePageHeaders())
          .send(refusal(error.message, request.headers['accept-language']));
      }
    };

  server.get(
    path,
    guarded(async (request, reply, base) => {
      const { address, sealed } = await sso.begin(base + callback, { returnTo: ownPath(queryOf(request, 'return')) });
      return sendOff(app, request, reply, address, sealed);
    }),
  );

  // Linking changes the account, so it requires a request from our own page.
  server.post(
    path,
    { ...wantsBody, bodyLimit: 1024 },
    guarded(async (request, reply, base) => {
      refuseForeignSite(app, request);
      const session = cookieOf(request.headers, sessionCookie) ?? '';
      const person = await app.signIn.sessionPerson(session);
      if (!person) throw fail('unauthenticated', 'Sign in first.');
      const linkTo = { userId: person.userId, session };
      const { address, sealed } = await sso.begin(base + callback, { linkTo });
      // The page's script follows the address, because its security policy forbids forms to other sites.
      return reply
        .headers({ 'set-cookie': begun(app, request, sealed, begunSeconds), 'cache-control': 'no-store' })
        .send({ address });
    }),
  );

  server.get(
    callback,
    guarded((request, reply, base) => comeBack(app, sso, request, reply, base)),
  );
}

async function comeBack(
  app: App,
  sso: SingleSignOn,
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
): Promise<FastifyReply> {
  const refused = queryOf(request, 'error');
  if (refused !== undefined)
    throw fail('unauthenticated', `the provider did not sign you in (${JSON.stringify(refused.slice(0, 100))})`);
  const session = cookieOf(request.headers, sessionCookie);
  const { returnTo, signedIn } = await sso.end({
    sealed: cookieOf(request.headers, begunCookie) ?? '',
    state: queryOf(request, 'state') ?? '',
    code: queryOf(request, 'code') ?? '',
    issuer: queryOf(request, 'iss'),
    redirectUri: base + callback,
    session,
    device: deviceName(request.headers['user-agent']),
  });
  if (signedIn) {
    if (session !== undefined) await app.signIn.signOut(session);
    setCookies(request, reply, app, signedIn);
  }
  return reply.header('set-cookie', begun(app, request, '', 0)).redirect(returnTo, 303);
}

function sendOff(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  address: string,
  sealed: string,
): FastifyReply {
  return reply
    .header('set-cookie', begun(app, request, sealed, begunSeconds))
    .header('cache-control', 'no-store')
    .redirect(address, 303);
}

/**
 * Cookie of a sign-in in progress. SameSite=Lax, because Strict cookies are not sent when the provider redirects back.
 */
function begun(app: App, request: FastifyRequest, value: string, maxAge: number): string {
  return `${begunCookie}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure(request, app)}`;
}

/** Allows only paths of this server, to prevent open redirects. */
function ownPath(asked: string | undefined): string {
  return asked !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(asked) ? asked : '/';
}

function refusal(message: string, languages: string | undefined): string {
  return barePage(
    `<form><p class="warn" role="alert">${both('You were not signed in.', '未能登录。')}</p>
<p class="small">${escaped(message)}</p><a href="/">${both('Back', '返回')}</a></form>`,
    languages,
  );
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { deviceName } from '../../lib/device-name.ts';
import { Failure, fail } from '../../kernel/errors.ts';
import type { SingleSignOn } from '../../kernel/single-sign-on.ts';
import { readCookie, sessionCookie } from './authenticate.ts';
import { refuseCrossSite } from './csrf.ts';
import { oauthBaseUrl } from './oauth/protected-resource.ts';
import { clientAddress, queryParameter } from './request.ts';
import { readBody } from './request-body.ts';
import { renderServerPage, serverPageHeaders, bilingual, escapeHtml } from './server-rendered-page.ts';
import { secureAttribute, setSessionAndDeviceCookies } from './sign-in-endpoints.ts';

const path = '/sign-in/sso';
const callback = `${path}/callback`;
const pendingCookie = 'sheaf_sso';
const pendingSeconds = 600;

/** Adds sign-in through an OpenID provider: the redirect to the provider and its callback. */
export function addSingleSignOn(server: FastifyInstance, app: App): void {
  // Return the name of the OpenID provider, or null if none is configured, so that the sign-in page can offer the
  // provider next to the password.
  server.get('/sign-in/options', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send({ sso: app.sso?.name ?? null }),
  );
  const { sso } = app;
  if (!sso) return;
  const guarded =
    (work: (request: FastifyRequest, reply: FastifyReply, base: string) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        const base = oauthBaseUrl(app, request.raw);
        if (base === undefined)
          throw fail('no_permission', 'Single sign-on needs https: set SHEAF_PUBLIC_URL to the https address.');
        const wait = app.signInLimits.links.take(clientAddress(app, request.raw));
        if (wait > 0) throw fail('rate_limited', `Too many sign-ins; try again in ${wait} s.`, { retryAfter: wait });
        return await work(request, reply, base);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
        return reply
          .code(error.word === 'rate_limited' ? 429 : error.word === 'busy' ? 502 : 403)
          .headers(serverPageHeaders())
          .send(refusal(error.message, request.headers['accept-language']));
      }
    };

  server.get(
    path,
    guarded(async (request, reply, base) => {
      const { address, sealed } = await sso.begin(base + callback, {
        returnTo: ownPath(queryParameter(request, 'return')),
      });
      return redirectToProvider(app, request, reply, address, sealed);
    }),
  );

  // Link an identity of the provider to the signed-in user's account. Accept this request only from our own page,
  // because it changes the account.
  const link = guarded(async (request, reply, base) => {
    refuseCrossSite(app, request);
    const session = readCookie(request.headers, sessionCookie) ?? '';
    const person = await app.signIn.userOfSession(session);
    if (!person) throw fail('unauthenticated', 'Sign in first.');
    const linkTo = { userId: person.userId, session };
    const { address, sealed } = await sso.begin(base + callback, { linkTo });
    // Return the provider's address to the page's script, because the page's security policy forbids forms that lead to
    // other sites.
    return reply
      .headers({
        'set-cookie': pendingCookieHeader(app, request, sealed, pendingSeconds),
        'cache-control': 'no-store',
      })
      .send({ address });
  });
  server.post(path, async (request, reply) => {
    await readBody(request, { limit: 1024 });
    return link(request, reply);
  });

  server.get(
    callback,
    guarded((request, reply, base) => handleCallback(app, sso, request, reply, base)),
  );
}

async function handleCallback(
  app: App,
  sso: SingleSignOn,
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
): Promise<FastifyReply> {
  const refused = queryParameter(request, 'error');
  if (refused !== undefined)
    throw fail('unauthenticated', `the provider did not sign you in (${JSON.stringify(refused.slice(0, 100))})`);
  const session = readCookie(request.headers, sessionCookie);
  const { returnTo, signedIn } = await sso.complete({
    sealed: readCookie(request.headers, pendingCookie) ?? '',
    state: queryParameter(request, 'state') ?? '',
    code: queryParameter(request, 'code') ?? '',
    issuer: queryParameter(request, 'iss'),
    redirectUri: base + callback,
    session,
    device: deviceName(request.headers['user-agent']),
  });
  if (signedIn) {
    if (session !== undefined) await app.signIn.signOut(session);
    setSessionAndDeviceCookies(request, reply, app, signedIn);
  }
  return reply.header('set-cookie', pendingCookieHeader(app, request, '', 0)).redirect(returnTo, 303);
}

function redirectToProvider(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  address: string,
  sealed: string,
): FastifyReply {
  return reply
    .header('set-cookie', pendingCookieHeader(app, request, sealed, pendingSeconds))
    .header('cache-control', 'no-store')
    .redirect(address, 303);
}

/**
 * Builds the cookie that holds the state of a sign-in while the user is at the provider. It is SameSite=Lax, because
 * browsers do not send Strict cookies when the provider redirects back.
 */
function pendingCookieHeader(app: App, request: FastifyRequest, value: string, maxAge: number): string {
  return `${pendingCookie}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secureAttribute(request, app)}`;
}

/** Returns the requested path if it is a path of this server, otherwise '/'. Prevents redirects to other sites. */
function ownPath(asked: string | undefined): string {
  return asked !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(asked) ? asked : '/';
}

function refusal(message: string, languages: string | undefined): string {
  return renderServerPage(
    `<form><p class="warn" role="alert">${bilingual('You were not signed in.', '未能登录。')}</p>
<p class="small">${escapeHtml(message)}</p><a href="/">${bilingual('Back', '返回')}</a></form>`,
    languages,
  );
}

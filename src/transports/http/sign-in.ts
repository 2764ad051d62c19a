import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { Failure, fail } from '../../operation/errors.ts';
import type { SignedIn } from '../../operation/sign-in.ts';
import { isJson, parseJson } from './body.ts';
import { clientAddress } from './client-address.ts';
import { credentialsOf, sessionCookie } from './credentials.ts';
import { queryOf } from './query.ts';
import { refuseForeignSite } from './same-site.ts';

/** Read from everybody, so no more than it takes. */
const smallBody = 64 * 1024;

/** Sign-in for the page: a one-time link or name and password, answered with a cookie that scripts cannot read. */
export function addSignIn(server: FastifyInstance, app: App): void {
  // Programs that show previews of links ask with HEAD first: that must not use the link up.
  server.get('/sign-in', { exposeHeadRoute: false }, async (request, reply) => {
    const token = queryOf(request, 'token');
    if (!token) return reply.redirect('/');
    const signedIn = await app.signIn.byLink(token);
    // A person sees the page say it, a program gets the status.
    if (!signedIn && String(request.headers.accept ?? '').includes('text/html')) return reply.redirect('/?link=used');
    if (!signedIn) return reply.code(410).type('text/plain').send('This sign-in link was used already or is too old. Make a new one: sheaf admin sign-in-link\n');
    return setCookie(request, reply, app, signedIn).redirect('/');
  });

  server.post('/sign-in', { bodyLimit: smallBody }, async (request, reply) => {
    try {
      const wait = app.signInTries.take(clientAddress(app, request.raw));
      if (wait > 0) throw fail('rate_limited', `too many tries; wait ${wait} s`, { retryAfter: wait });
      refuseForeignSite(app, request);
      const { name, password } = readNameAndPassword(request);
      const signedIn = await app.signIn.byPassword(name, password);
      return setCookie(request, reply, app, signedIn).send({ code: 0, msg: 'success', data: { user_id: signedIn.userId, name: signedIn.name } });
    } catch (error) {
      return sendFailure(reply, error);
    }
  });

  server.post('/sign-out', { bodyLimit: smallBody }, async (request, reply) => {
    try {
      const { session } = credentialsOf(request.headers, [], clientAddress(app, request.raw), false);
      if (session) {
        refuseForeignSite(app, request);
        await app.signIn.signOut(session);
      }
      return reply.header('set-cookie', cookie(request, app, '', 0)).send({ code: 0, msg: 'success', data: {} });
    } catch (error) {
      return sendFailure(reply, error);
    }
  });
}

const statuses: Record<string, number> = { rate_limited: 429, unauthenticated: 401, no_permission: 403 };

function sendFailure(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof Failure)) throw error;
  if (error.retryAfter) reply.header('retry-after', String(error.retryAfter));
  return reply.code(statuses[error.word] ?? 400).send({ code: error.word === 'rate_limited' ? 20002 : 20004, msg: error.message, data: {} });
}

function setCookie(request: FastifyRequest, reply: FastifyReply, app: App, signedIn: SignedIn): FastifyReply {
  return reply.header('set-cookie', cookie(request, app, signedIn.token, signedIn.seconds));
}

function cookie(request: FastifyRequest, app: App, value: string, maxAge: number): string {
  const secure = app.config.SHEAF_PUBLIC_URL?.startsWith('https:') || request.headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  return `${sessionCookie}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`;
}

function readNameAndPassword(request: FastifyRequest): { name: string; password: string } {
  if (!isJson(request.headers['content-type'])) throw fail('invalid_parameter', 'send content-type application/json');
  const body = parseJson((request.body as Uint8Array | undefined) ?? new Uint8Array()) as { name?: unknown; password?: unknown } | null;
  if (typeof body?.name !== 'string' || typeof body.password !== 'string') throw fail('invalid_parameter', 'name and password: are required');
  return { name: body.name, password: body.password };
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { deviceName } from '../../lib/device-name.ts';
import { Failure, fail } from '../../kernel/errors.ts';
import type { SignInUser, NewSession } from '../../kernel/sign-in.ts';
import { failureBody } from './answer.ts';
import { readCookie, deviceCookie, sessionCookie } from './authenticate.ts';
import { refuseCrossSite } from './csrf.ts';
import { isJson, parseShortJsonBody } from './json-body.ts';
import { readBearerToken } from './oauth/protected-resource.ts';
import { clientAddress, parseForm, queryParameter } from './request.ts';
import { readBody } from './request-body.ts';
import { serverPageHeaders } from './server-rendered-page.ts';
import { renderSignInLinkPage } from './sign-in-link-page.ts';

/**
 * Maximum size in bytes of the body of a sign-in request. It is small, because anyone can send such requests without
 * authentication.
 */
const smallBody = 64 * 1024;

const deviceSeconds = 365 * 24 * 60 * 60;

/**
 * Adds the sign-in of the web page, by one-time link or by name and password. A sign-in sets an HttpOnly session
 * cookie.
 */
export function addSignInEndpoints(server: FastifyInstance, app: App): void {
  // Do not use up the link at a GET request, because link previews and image tags also request the URL.
  server.get('/sign-in', async (request, reply) => {
    const token = queryParameter(request, 'token');
    if (!token) return reply.redirect('/');
    const person = await app.signIn.userOfLink(token);
    if (!person) return refuseLink(app, request, reply);
    return sendLinkPage(request, reply, token, person, await otherSessionUser(app, request, person));
  });

  server.post('/sign-in', async (request, reply) => {
    const body = await readBody(request, { limit: smallBody });
    try {
      refuseCrossSite(app, request);
      const form = parseForm(request, body);
      return form === undefined ? await byPassword(app, request, reply, body) : await byLink(app, request, reply, form);
    } catch (error) {
      return sendFailure(app, reply, error);
    }
  });

  server.post('/sign-out', async (request, reply) => {
    await readBody(request, { limit: smallBody });
    try {
      const session = readBearerToken(request) === undefined ? readCookie(request.headers, sessionCookie) : undefined;
      if (session) {
        refuseCrossSite(app, request);
        await app.signIn.signOut(session);
      }
      return reply
        .header('set-cookie', sessionCookieHeader(request, app, '', 0))
        .send({ code: 0, msg: 'success', data: {} });
    } catch (error) {
      return sendFailure(app, reply, error);
    }
  });
}

async function byPassword(app: App, request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<FastifyReply> {
  const { name, password } = readNameAndPassword(request, body);
  const one = { address: clientAddress(app, request.raw), name, device: readCookie(request.headers, deviceCookie) };
  const wait = app.signInLimits.take(one);
  if (wait > 0) throw fail('rate_limited', `too many attempts; try again in ${wait} s`, { retryAfter: wait });
  try {
    const signedIn = await app.signIn.signInByPassword(name, password, deviceName(request.headers['user-agent']));
    return setSessionAndDeviceCookies(request, reply, app, signedIn).send({
      code: 0,
      msg: 'success',
      data: { user_id: signedIn.userId, name: signedIn.name },
    });
  } catch (error) {
    if (error instanceof Failure) app.signInLimits.recordFailure(one);
    throw error;
  }
}

/**
 * Signs in by link. If another user is signed in, the form must contain that user's id, which only the page with the
 * warning adds. Without the id, the page with the warning is sent, so that a link cannot replace another user's session
 * without a warning.
 */
async function byLink(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  form: URLSearchParams,
): Promise<FastifyReply> {
  const token = form.get('token') ?? '';
  const person = await app.signIn.userOfLink(token);
  if (!person) return refuseLink(app, request, reply);
  const other = await otherSessionUser(app, request, person);
  if (other && form.get('instead_of') !== other.userId)
    return sendLinkPage(request, reply.code(409), token, person, other);
  const signedIn = await app.signIn.signInByLink(token, deviceName(request.headers['user-agent']));
  if (!signedIn) return refuseLink(app, request, reply);
  const before = readCookie(request.headers, sessionCookie);
  if (before) await app.signIn.signOut(before);
  return setSessionAndDeviceCookies(request, reply, app, signedIn).redirect('/', 303);
}

function refuseLink(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wait = app.signInLimits.links.take(clientAddress(app, request.raw));
  if (wait > 0)
    return reply
      .code(429)
      .header('retry-after', String(wait))
      .type('text/plain')
      .send(`Too many invalid links were opened from this address. Try again in ${wait} s.\n`);
  // Redirect browsers to the web page, which explains the error. Other clients get an error status.
  if (String(request.headers.accept ?? '').includes('text/html')) return reply.redirect('/?link=used', 303);
  return reply
    .code(410)
    .type('text/plain')
    .send('This sign-in link was already used or has expired. Create a new one with: sheaf admin sign-in-link\n');
}

async function otherSessionUser(
  app: App,
  request: FastifyRequest,
  person: SignInUser,
): Promise<SignInUser | undefined> {
  const session = readCookie(request.headers, sessionCookie);
  const signedIn = session ? await app.signIn.userOfSession(session) : undefined;
  return signedIn?.userId === person.userId ? undefined : signedIn;
}

function sendLinkPage(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  person: SignInUser,
  other: SignInUser | undefined,
): FastifyReply {
  return reply
    .headers(serverPageHeaders())
    .send(renderSignInLinkPage({ token, person, other, languages: request.headers['accept-language'] }));
}

const statuses: Record<string, number> = { rate_limited: 429, unauthenticated: 401, no_permission: 403 };

function sendFailure(app: App, reply: FastifyReply, error: unknown): FastifyReply {
  const { rate_limited: limited, unauthenticated } = app.registry.serverModule.errors;
  if ((error as { retryable?: boolean }).retryable)
    return reply
      .code(503)
      .header('retry-after', '1')
      .send(failureBody(limited.code, 'too many sign-ins at once; try again', reply.request.id));
  if (!(error instanceof Failure)) throw error;
  if (error.retryAfter) reply.header('retry-after', String(error.retryAfter));
  return reply
    .code(statuses[error.word] ?? 400)
    .send(
      failureBody(error.word === 'rate_limited' ? limited.code : unauthenticated.code, error.message, reply.request.id),
    );
}

export function setSessionAndDeviceCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  app: App,
  signedIn: NewSession,
): FastifyReply {
  const device = `${deviceCookie}=${app.signInLimits.issueDeviceCookie(signedIn.name)}; Path=/sign-in; HttpOnly; SameSite=Strict; Max-Age=${deviceSeconds}`;
  return reply.header('set-cookie', [
    sessionCookieHeader(request, app, signedIn.token, signedIn.seconds),
    device + secureAttribute(request, app),
  ]);
}

function sessionCookieHeader(request: FastifyRequest, app: App, value: string, maxAge: number): string {
  return `${sessionCookie}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secureAttribute(request, app)}`;
}

export function secureAttribute(request: FastifyRequest, app: App): string {
  return app.config.SHEAF_PUBLIC_URL?.startsWith('https:') || request.headers['x-forwarded-proto'] === 'https'
    ? '; Secure'
    : '';
}

function readNameAndPassword(request: FastifyRequest, bytes: Buffer): { name: string; password: string } {
  if (!isJson(request.headers['content-type'])) throw fail('invalid_parameter', 'send content-type application/json');
  const body = parseShortJsonBody(bytes) as {
    name?: unknown;
    password?: unknown;
  } | null;
  if (typeof body?.name !== 'string' || typeof body.password !== 'string')
    throw fail('invalid_parameter', 'name and password are required');
  return { name: body.name, password: body.password };
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { sha256 } from '../../../lib/hash.ts';
import { redirectHost } from '../../../lib/redirect-uris.ts';
import { Failure } from '../../../kernel/errors.ts';
import { OAuthFailure } from '../../../kernel/oauth.ts';
import type { SignInUser } from '../../../kernel/sign-in.ts';
import { readCookie, sessionCookie } from '../authenticate.ts';
import { isTrustedHost, refuseCrossSite, untrustedHostMessage } from '../csrf.ts';
import { parseForm } from '../request.ts';
import { readBody } from '../request-body.ts';
import { serverPageHeaders } from '../server-rendered-page.ts';
import type { WebApp } from '../web-app.ts';
import { oauthBaseUrl } from './protected-resource.ts';
import { renderConsentPage, renderRefusalPage } from './consent-page.ts';
import { readAuthorizationRequest, RedirectToClient, type AuthorizationRequest } from './authorization-request.ts';

const smallBody = 64 * 1024;
const decideMs = 15 * 60_000;

/**
 * Access request that the consent form contains in encrypted form and sends back. It is valid for one browser session
 * and a limited time.
 */
interface SealedConsent extends Omit<AuthorizationRequest, 'client'> {
  readonly clientId: string;
  readonly userId: string;
  readonly session: string;
  readonly until: number;
}

/** Adds the OAuth authorization endpoint, where a user decides whether to give an app access. */
export function addAuthorizationEndpoint(server: FastifyInstance, app: App, page: WebApp): void {
  const guarded =
    (work: (request: FastifyRequest, reply: FastifyReply, base: string) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const languages = request.headers['accept-language'];
      const refuse = (status: number, message: string): FastifyReply =>
        reply.code(status).headers(serverPageHeaders()).send(renderRefusalPage(message, languages));
      const base = oauthBaseUrl(app, request.raw);
      if (!isTrustedHost(request.headers.host, app.config.SHEAF_PUBLIC_URL))
        return refuse(403, untrustedHostMessage(request.headers.host));
      if (base === undefined)
        return refuse(
          400,
          'Apps can connect under https, or on the computer the server runs on: set SHEAF_PUBLIC_URL.',
        );
      try {
        return await work(request, reply, base);
      } catch (error) {
        if (error instanceof OAuthFailure) {
          if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
          return refuse(error.retryAfter === undefined ? 400 : 429, error.message);
        }
        if (error instanceof Failure) return refuse(403, error.message);
        throw error;
      }
    };

  server.get(
    '/oauth/authorize',
    guarded(async (request, reply, base) => {
      const session = readCookie(request.headers, sessionCookie);
      const person = session === undefined ? undefined : await app.signIn.userOfSession(session);
      // If the visitor is not signed in, ignore the app's request and serve the web app, which signs the visitor in and
      // then opens this URL again.
      if (!person || session === undefined) {
        if (await page.answer(request, reply)) return reply;
        throw new OAuthFailure('access_denied', 'sign in to this server in a browser first');
      }
      const languages = request.headers['accept-language'];
      let asked: AuthorizationRequest;
      try {
        asked = await readAuthorizationRequest(app, base, queryOfUrl(request.url), person.userId);
      } catch (error) {
        if (!(error instanceof RedirectToClient)) throw error;
        const { client, redirectUri, state, failure, message } = error;
        const address = redirectUrl(base, redirectUri, state, { error: failure.error, error_description: message });
        // Redirect automatically only to an app that the user has connected before. Anyone can register an app, so for
        // other apps the user must click a link (RFC 9700, 4.11.2).
        if (await app.connections.hasGrant(client.id, person.userId)) return redirectToClient(reply, address);
        const page = renderRefusalPage(message, languages, { address, host: redirectHost(redirectUri) });
        return reply.code(400).headers(serverPageHeaders()).send(page);
      }
      return reply.headers(serverPageHeaders(formTargets(asked.redirectUri))).send(
        renderConsentPage({
          app,
          asked,
          person,
          sealed: seal(app, asked, person, session),
          languages,
        }),
      );
    }),
  );

  server.post('/oauth/authorize', async (request, reply) => {
    const body = await readBody(request, { limit: smallBody });
    const decide = guarded(async (_request, _reply, base) => {
      refuseCrossSite(app, request);
      const form = parseForm(request, body);
      const session = readCookie(request.headers, sessionCookie) ?? '';
      const sealed = unseal(app, form?.get('request') ?? '', session);
      const person = await app.signIn.userOfSession(session);
      if (!sealed || person?.userId !== sealed.userId)
        throw new OAuthFailure(
          'access_denied',
          'The request is too old, or you signed in anew: start again in the app.',
        );
      const { redirectUri, state } = sealed;
      const scopes = sealed.scopes.filter((scope) => form!.getAll('scope').includes(scope));
      if (form!.get('decision') !== 'allow' || scopes.length === 0)
        return redirectToClient(
          reply,
          redirectUrl(base, redirectUri, state, { error: 'access_denied', error_description: 'the person said no' }),
        );
      const client = await app.connections.client(sealed.clientId, sealed.userId);
      const code = await app.connections.issueCode({ ...sealed, client, session, scopes });
      return redirectToClient(reply, redirectUrl(base, redirectUri, state, { code }));
    });
    return decide(request, reply);
  });
}

/**
 * Builds the URL that redirects the user back to the app. The parameter `iss` contains the URL of this server, by
 * which an app that uses several servers recognizes the one that answers (RFC 9207).
 */
function redirectUrl(
  base: string,
  redirectUri: string,
  state: string | undefined,
  answer: Record<string, string>,
): string {
  const query = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: base });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.toString()}`;
}

function redirectToClient(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}

/**
 * Returns the sources that the Content-Security-Policy directive `form-action` of the consent page must allow: the
 * scheme of the redirect URI, and https for further redirects by the app.
 */
function formTargets(redirectUri: string): string[] {
  return [...new Set([new URL(redirectUri).protocol, 'https:'])];
}

function seal(app: App, { client, ...asked }: AuthorizationRequest, person: SignInUser, session: string): string {
  const sealed: SealedConsent = {
    ...asked,
    clientId: client.id,
    userId: person.userId,
    session: sha256(session),
    until: app.services.clock.now() + decideMs,
  };
  return app.consents.seal(JSON.stringify(sealed));
}

function unseal(app: App, text: string, session: string): SealedConsent | undefined {
  const opened = app.consents.unseal(text);
  if (opened === undefined) return undefined;
  const sealed = JSON.parse(opened) as SealedConsent;
  return sealed.session === sha256(session) && sealed.until > app.services.clock.now() ? sealed : undefined;
}

function queryOfUrl(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
}

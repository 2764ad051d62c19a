import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { OAuthFailure, type IssuedTokens, type TokenRequest } from '../../../kernel/oauth.ts';
import { isJson, parseShortJsonBody } from '../json-body.ts';
import { clientAddress, parseForm } from '../request.ts';
import { readBody } from '../request-body.ts';
import { oauthBaseUrl, resourcePath } from './protected-resource.ts';

/** Body size limit in bytes. It is small, because anyone can send requests without authentication. */
const smallBody = 16 * 1024;

/** Adds the endpoints that apps call without a user present: registration, token and revocation. */
export function addTokenEndpoints(server: FastifyInstance, app: App): void {
  const answer = (
    path: string,
    work: (request: FastifyRequest, reply: FastifyReply, body: Buffer, base: string) => Promise<unknown>,
  ) =>
    server.post(path, async (request, reply) => {
      const body = await readBody(request, { limit: smallBody });
      reply.header('cache-control', 'no-store');
      try {
        const base = oauthBaseUrl(app, request.raw);
        if (base === undefined) throw new OAuthFailure('invalid_request', 'apps cannot connect to this address');
        return await work(request, reply, body, base);
      } catch (error) {
        if (!(error instanceof OAuthFailure)) throw error;
        if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
        return reply
          .code(error.retryAfter === undefined ? 400 : 429)
          .send({ error: error.error, error_description: error.message });
      }
    });

  answer('/oauth/token', async (request, reply, body, base) => {
    const form = sentForm(request, body);
    const sent = tokenRequest(form, base);
    const address = clientAddress(app, request.raw);
    const type = form.get('grant_type') ?? '';
    if (type === 'authorization_code')
      return reply.send(tokenResponse(await app.connections.exchangeCode(sent, address)));
    if (type === 'refresh_token') return reply.send(tokenResponse(await app.connections.refresh(sent, address)));
    throw new OAuthFailure(
      'unsupported_grant_type',
      `grant_type: must be authorization_code or refresh_token (got ${JSON.stringify(type.slice(0, 100))})`,
    );
  });

  answer('/oauth/revoke', async (request, reply, body) => {
    const form = sentForm(request, body);
    await app.connections.revoke(form.get('token') ?? '', form.get('client_id') ?? '');
    return reply.code(200).send();
  });

  answer('/oauth/register', async (request, reply, body) => {
    const client = await app.connections.register(sentJson(request, body), clientAddress(app, request.raw));
    return reply.code(201).send({
      client_id: client.id,
      client_id_issued_at: Math.floor(client.checkedAt / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });
}

function tokenRequest(form: URLSearchParams, base: string): TokenRequest {
  for (const name of new Set(form.keys()))
    if (form.getAll(name).length > 1)
      throw new OAuthFailure(
        'invalid_request',
        `${name.slice(0, 100)}: must be sent once (got it ${form.getAll(name).length} times)`,
      );
  const resource = form.get('resource');
  return {
    clientId: form.get('client_id') ?? '',
    code: form.get('code') ?? '',
    verifier: form.get('code_verifier') ?? '',
    redirectUri: form.get('redirect_uri') ?? '',
    refreshToken: form.get('refresh_token') ?? '',
    resource: resource === null ? undefined : (resourcePath(resource, base) ?? resource.slice(0, 200)),
    scope: form.get('scope') ?? undefined,
  };
}

function tokenResponse({ accessToken, refreshToken, seconds, scopes }: IssuedTokens): Record<string, unknown> {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: seconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}

function sentForm(request: FastifyRequest, body: Buffer): URLSearchParams {
  const form = parseForm(request, body);
  if (form) return form;
  throw new OAuthFailure('invalid_request', 'send content-type application/x-www-form-urlencoded');
}

function sentJson(request: FastifyRequest, body: Buffer): unknown {
  if (!isJson(request.headers['content-type']))
    throw new OAuthFailure('invalid_client_metadata', 'send content-type application/json');
  try {
    return parseShortJsonBody(body);
  } catch (error) {
    throw new OAuthFailure('invalid_client_metadata', (error as Error).message);
  }
}

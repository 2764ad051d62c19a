import type { App } from '../../../app.ts';
import { isRegisteredRedirect } from '../../../lib/redirect-uris.ts';
import { OAuthFailure } from '../../../kernel/oauth.ts';
import { selectKnownScopes } from '../../../kernel/oauth-scopes.ts';
import type { AppClient } from '../../../ports/oauth-store.ts';
import { resourcePath } from './protected-resource.ts';
import { protectedResources } from './metadata-endpoints.ts';

export interface AuthorizationRequest {
  readonly client: AppClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly scopes: readonly string[];
  readonly resource: string;
}

/**
 * Thrown for an error in an authorization request whose redirect URI is valid. The error can then be reported to the
 * app by a redirect.
 */
export class RedirectToClient extends Error {
  readonly client: AppClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly failure: OAuthFailure;

  constructor(client: AppClient, redirectUri: string, state: string | undefined, failure: OAuthFailure) {
    super(failure.message);
    this.name = 'RedirectToClient';
    this.client = client;
    this.redirectUri = redirectUri;
    this.state = state;
    this.failure = failure;
  }
}

const maxState = 2000;

/**
 * Reads and validates an authorization request. Errors before the redirect URI is validated are thrown as OAuthFailure
 * and shown to the user. Later errors are thrown as RedirectToClient.
 */
export async function readAuthorizationRequest(
  app: App,
  base: string,
  query: URLSearchParams,
  userId: string,
): Promise<AuthorizationRequest> {
  const client = await app.connections.client(singleParameter(query, 'client_id') ?? '', userId);
  const asked = singleParameter(query, 'redirect_uri');
  const redirectUri = asked ?? (client.redirectUris.length === 1 ? client.redirectUris[0]! : '');
  if (!isRegisteredRedirect(redirectUri, client.redirectUris))
    throw new OAuthFailure(
      'invalid_request',
      `redirect_uri: must be one that the app has registered (got ${JSON.stringify(redirectUri.slice(0, 200))})`,
    );
  let state: string | undefined;
  try {
    state = singleParameter(query, 'state');
    return { client, redirectUri, state, ...readParameters(app, base, query, state) };
  } catch (error) {
    if (error instanceof OAuthFailure) throw new RedirectToClient(client, redirectUri, state, error);
    throw error;
  }
}

function readParameters(
  app: App,
  base: string,
  query: URLSearchParams,
  state: string | undefined,
): Pick<AuthorizationRequest, 'challenge' | 'scopes' | 'resource'> {
  if ((state?.length ?? 0) > maxState)
    throw new OAuthFailure('invalid_request', `state: must have at most ${maxState} characters`);
  const type = singleParameter(query, 'response_type') ?? '';
  if (type !== 'code')
    throw new OAuthFailure('unsupported_response_type', `response_type: must be code (got ${quoted(type)})`);
  const challenge = singleParameter(query, 'code_challenge') ?? '';
  const method = singleParameter(query, 'code_challenge_method') ?? 'plain';
  if (method !== 'S256')
    throw new OAuthFailure('invalid_request', `code_challenge_method: must be S256 (got ${quoted(method)})`);
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthFailure('invalid_request', 'code_challenge: must be a SHA-256 hash in base64url, of 43 characters');
  const scope = singleParameter(query, 'scope');
  const scopes = selectKnownScopes(app.registry, scope);
  if (scopes.length === 0)
    throw new OAuthFailure('invalid_scope', `scope: none of them exists (got ${quoted(scope!)})`);
  const resources = protectedResources(app);
  const named = singleParameter(query, 'resource');
  const resource = named === undefined ? resources[0] : resourcePath(named, base);
  if (resource === undefined || !resources.includes(resource))
    throw new OAuthFailure(
      'invalid_target',
      `resource: must be one of ${resources.map((path) => base + path).join(', ')} (got ${quoted(named!)})`,
    );
  return { challenge, scopes, resource };
}

/**
 * Returns a query parameter. Throws if it is repeated, because other software that handles the same request might use a
 * different one of its values.
 */
function singleParameter(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1)
    throw new OAuthFailure('invalid_request', `${name}: must be sent once (got it ${values.length} times)`);
  return values[0];
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

import { fail, type Failure } from '../../../kernel/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import { FetchRefused, type BufferedResponse, type WebFetcher } from '../../../ports/web-fetcher.ts';
import { verifyIdToken, type IdTokenClaims } from './id-token.ts';

const maxBytes = 256 * 1024;
const timeoutMs = 10_000;
const discoveryMs = 60 * 60_000;

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
}

interface DiscoveryDocument {
  authorization: string;
  token: string;
  jwks: string;
  scopes: readonly string[];
  methods: readonly string[];
  at: number;
}

export interface ProviderTokens {
  claims: IdTokenClaims;
  refreshToken: string | undefined;
}

/** Thrown when the provider refuses a code or refresh token, for example because it no longer accepts the user. */
export class InvalidGrantError extends Error {}

/**
 * Client of an OpenID provider. All requests are sent by the server's web fetcher, which refuses addresses that the
 * installation does not allow.
 */
export class OpenIdProvider {
  readonly settings: ProviderSettings;
  readonly #web: Pick<WebFetcher, 'exchange'>;
  readonly #clock: Clock;
  #discovered: DiscoveryDocument | undefined;

  constructor(settings: ProviderSettings, web: Pick<WebFetcher, 'exchange'>, clock: Clock) {
    this.settings = settings;
    this.#web = web;
    this.#clock = clock;
  }

  async authorizationUrl(sent: Readonly<Record<string, string>>): Promise<string> {
    const { authorization, scopes } = await this.#discover();
    const address = new URL(authorization);
    const asked = ['openid', 'profile', ...['offline_access', 'groups'].filter((scope) => scopes.includes(scope))];
    const query = { response_type: 'code', client_id: this.settings.clientId, scope: asked.join(' '), ...sent };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return address.href;
  }

  async exchangeCode(sent: {
    code: string;
    verifier: string;
    redirectUri: string;
    nonce: string;
  }): Promise<ProviderTokens> {
    const { code, verifier, redirectUri, nonce } = sent;
    const answer = await this.#tokens({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });
    return { claims: await this.#verify(answer, nonce), refreshToken: refreshTokenIn(answer) };
  }

  async #verify(answer: Record<string, unknown>, nonce: string | undefined): Promise<IdTokenClaims> {
    const { jwks } = await this.#discover();
    const { keys } = (await this.#json(jwks)) as { keys?: unknown };
    return verifyIdToken(String(answer['id_token'] ?? ''), {
      keys: Array.isArray(keys) ? keys : [],
      issuer: this.settings.issuer,
      clientId: this.settings.clientId,
      nonce,
      now: this.#clock.now(),
    });
  }

  /**
   * Uses a refresh token. Returns the token for the next refresh, and the user's claims if the provider sends them
   * again. Throws InvalidGrantError if the provider rejects the user; any other error does not mean that the user was
   * rejected.
   */
  async refresh(refreshToken: string): Promise<{ refreshToken: string; claims: IdTokenClaims | undefined }> {
    const answer = await this.#tokens({ grant_type: 'refresh_token', refresh_token: refreshToken });
    // Ignore a missing or invalid ID token. The successful refresh already shows that the provider still accepts the
    // user.
    const claims = await this.#verify(answer, undefined).catch(() => undefined);
    return { refreshToken: refreshTokenIn(answer) ?? refreshToken, claims };
  }

  async #tokens(sent: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const { token, methods } = await this.#discover();
    const { clientId, clientSecret } = this.settings;
    const form = new URLSearchParams(sent);
    const headers: Record<string, string> = {};
    if (clientSecret === undefined) form.set('client_id', clientId);
    else if (methods.includes('client_secret_post') && !methods.includes('client_secret_basic')) {
      form.set('client_id', clientId);
      form.set('client_secret', clientSecret);
    } else
      headers['authorization'] =
        `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`;
    const answer = await this.#exchange(token, { form, headers });
    const found = parsed(answer);
    if (answer.status === 200) return found;
    if (found['error'] === 'invalid_grant') throw new InvalidGrantError();
    throw providerUnavailable(
      `it refused with status ${answer.status} (${JSON.stringify(found['error'] ?? '').slice(0, 100)})`,
    );
  }

  /** Returns the provider's metadata, cached for an hour. Throws if it does not name the configured issuer. */
  async #discover(): Promise<DiscoveryDocument> {
    const known = this.#discovered;
    if (known && known.at > this.#clock.now() - discoveryMs) return known;
    const { issuer } = this.settings;
    const found = await this.#json(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (found['issuer'] !== issuer)
      throw providerUnavailable(
        `it calls itself ${JSON.stringify(found['issuer'])?.slice(0, 200)}; SHEAF_OIDC_ISSUER must be the same`,
      );
    const text = (name: string): string => {
      const value = found[name];
      if (typeof value === 'string' && URL.canParse(value)) return value;
      throw providerUnavailable(`its description has no ${name}`);
    };
    const words = (name: string): string[] => (Array.isArray(found[name]) ? (found[name] as string[]) : []);
    this.#discovered = {
      authorization: text('authorization_endpoint'),
      token: text('token_endpoint'),
      jwks: text('jwks_uri'),
      scopes: words('scopes_supported'),
      methods: words('token_endpoint_auth_methods_supported'),
      at: this.#clock.now(),
    };
    return this.#discovered;
  }

  async #json(address: string): Promise<Record<string, unknown>> {
    const answer = await this.#exchange(address, {});
    if (answer.status !== 200) throw providerUnavailable(`${address} answered with status ${answer.status}`);
    return parsed(answer);
  }

  async #exchange(
    address: string,
    sent: { form?: URLSearchParams; headers?: Record<string, string> },
  ): Promise<BufferedResponse> {
    try {
      return await this.#web.exchange(address, { ...sent, maxBytes, timeoutMs });
    } catch (error) {
      if (error instanceof FetchRefused)
        throw providerUnavailable(`${address} could not be reached: ${error.reason.replaceAll('_', ' ')}`);
      throw error;
    }
  }
}

function parsed({ body }: BufferedResponse): Record<string, unknown> {
  try {
    const found = JSON.parse(Buffer.from(body).toString('utf8')) as unknown;
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function refreshTokenIn(answer: Record<string, unknown>): string | undefined {
  const token = answer['refresh_token'];
  return typeof token === 'string' && token !== '' ? token : undefined;
}

function providerUnavailable(why: string): Failure {
  return fail('busy', `the identity provider cannot be used: ${why}`);
}

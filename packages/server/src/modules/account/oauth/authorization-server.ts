import { createHash } from 'node:crypto';
import type { Services } from '../../../context.ts';
import { hashSecret, newId, newSecret } from '../../../lib/ids.ts';
import { equalInConstantTime } from '../../../lib/timing-safe-equal.ts';
import { redirectHost } from '../../../lib/redirect-uris.ts';
import { publishAccessChange } from '../../../kernel/access-changes.ts';
import {
  OAuthFailure,
  type AuthorizationServer,
  type Consent,
  type IssuedTokens,
  type TokenRequest,
} from '../../../kernel/oauth.ts';
import type { RateLimit } from '../../../kernel/rate-limit.ts';
import type { SharedRateLimits } from '../../../kernel/shared-rate-limits.ts';
import type { AccountStore, User } from '../../../ports/account-store.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { AppClient, AppGrant, NewTokens, OAuthStore, RedemptionResult } from '../../../ports/oauth-store.ts';
import { systemStamp, type Stamp } from '../../../ports/audit-stamp.ts';
import type { WebFetcher } from '../../../ports/web-fetcher.ts';
import { ClientMetadataDocuments } from './client-metadata-documents.ts';
import { readClientMetadata } from './client-metadata.ts';

const minute = 60_000;
const codeMs = 2 * minute;
const accessMs = 60 * minute;
/** Lifetime of a refresh token in milliseconds. An app that does not use its token within this time is disconnected. */
const refreshMs = 30 * 24 * 60 * minute;
/**
 * Maximum number of connections of one user to one app; at the limit, a new connection ends the oldest. Several are
 * allowed, because a user may use an app on several computers or forget a connection.
 */
const maxConnections = 20;
/**
 * Maximum number of registered apps without a connection. At the limit, no further app can register until unused ones
 * are deleted, a day after their registration.
 */
const maxUnused = 2000;

interface AuthorizationServerDependencies {
  apps: OAuthStore;
  accounts: AccountStore;
  web: Pick<WebFetcher, 'exchange'>;
  clock: Clock;
  limits: SharedRateLimits;
  notifier: Pick<Services, 'events' | 'log'>;
  /**
   * Returns whether the identity provider (single sign-on) still accepts the user. Returns true for an empty id, which
   * means that the user did not sign in through a provider.
   */
  isIdentityValid(identityId: string): Promise<boolean>;
}

/** Issues, refreshes and revokes the OAuth tokens of apps. */
export class OAuthAuthorizationServer implements AuthorizationServer {
  readonly #parts: AuthorizationServerDependencies;
  readonly #documents: ClientMetadataDocuments;
  readonly #registrations: RateLimit;
  readonly #failedAttempts: RateLimit;

  constructor(parts: AuthorizationServerDependencies) {
    this.#parts = parts;
    const { apps, web, clock, limits } = parts;
    this.#registrations = limits.limit('oauth-register', { rate: 1 / 60, burst: 20 });
    this.#failedAttempts = limits.limit('oauth-guess', { rate: 1, burst: 60 });
    const readings = limits.limit('oauth-document', { rate: 1 / 10, burst: 20 });
    this.#documents = new ClientMetadataDocuments({ apps, web, clock, fetchLimit: readings });
  }

  async register(metadata: unknown, address: string): Promise<AppClient> {
    const { name, redirectUris } = readClientMetadata(metadata);
    const wait = this.#registrations.take(address);
    if (wait > 0)
      throw new OAuthFailure('temporarily_unavailable', `too many apps were registered; try again in ${wait} s`, wait);
    const client: AppClient = {
      id: newId('app'),
      kind: 'registered',
      name: name === '' ? redirectHost(redirectUris[0]!) : name,
      redirectUris,
      checkedAt: this.#parts.clock.now(),
    };
    if (!(await this.#parts.apps.addClient(client, maxUnused)))
      throw new OAuthFailure('temporarily_unavailable', 'too many apps were registered and never connected', 3600);
    return client;
  }

  async client(id: string, userId: string): Promise<AppClient> {
    if (id.includes(':')) return this.#documents.client(id, userId);
    const found = await this.#parts.apps.client(id);
    if (found) return found;
    throw new OAuthFailure(
      'invalid_client',
      `client_id: there is no app ${JSON.stringify(id.slice(0, 100))}; one that nobody connects within a day must register anew`,
    );
  }

  async hasGrant(clientId: string, userId: string): Promise<boolean> {
    const grants = await this.#parts.apps.listGrants(userId, this.#parts.clock.now());
    return grants.some((grant) => grant.clientId === clientId);
  }

  async issueCode({ client, userId, session, redirectUri, challenge, scopes, resource }: Consent): Promise<string> {
    const { apps, accounts, clock } = this.#parts;
    const found = await accounts.sessionByTokenHash(hashSecret(session));
    if (!found || found.user.id !== userId || found.user.state !== 'active' || found.session.expiresAt <= clock.now())
      throw new OAuthFailure('access_denied', 'the browser session has ended: sign in again');
    const code = newSecret('ac');
    const stamp: Stamp = { ...systemStamp(clock.now(), 'oauth.allow', userId), keyId: found.session.id };
    await apps.addGrant(
      stamp,
      {
        id: newId('connection'),
        userId,
        clientId: client.id,
        clientName: client.name,
        clientHost: redirectHost(client.kind === 'document' ? client.id : redirectUri),
        scopes: [...scopes],
        resource,
        identityId: found.session.identityId,
      },
      { hash: hashSecret(code), redirectUri, challenge, expiresAt: stamp.at + codeMs },
      maxConnections,
    );
    return code;
  }

  async exchangeCode(request: TokenRequest, address: string): Promise<IssuedTokens> {
    const { apps, clock } = this.#parts;
    const hash = hashSecret(request.code);
    const found = await apps.code(hash);
    if (!found || found.grant.clientId !== request.clientId)
      throw this.#invalidGrant(address, 'code: it is not valid, or was issued to another app');
    const { grant, user } = found;
    if (found.redirectUri !== request.redirectUri)
      throw new OAuthFailure('invalid_grant', 'redirect_uri: must be the one for which the code was issued');
    if (!matchesChallenge(found.challenge, request.verifier))
      throw this.#invalidGrant(address, 'code_verifier: does not match the code_challenge');
    refuseOtherResource(grant, request.resource);
    if (found.expiresAt <= clock.now()) throw new OAuthFailure('invalid_grant', 'code: it has expired');
    refuseEnded(grant, user);
    const { tokens, issued } = this.#newTokens(grant.scopes);
    this.#requireFirstUse(
      await apps.redeemCode(this.#stamp(grant, 'oauth.connect'), hash, grant.id, tokens),
      grant,
      'code',
    );
    return issued;
  }

  async refresh(request: TokenRequest, address: string): Promise<IssuedTokens> {
    const { apps, clock } = this.#parts;
    const hash = hashSecret(request.refreshToken);
    const found = await apps.refreshToken(hash);
    if (!found || found.grant.clientId !== request.clientId)
      throw this.#invalidGrant(address, 'refresh_token: it is not valid, or was issued to another app');
    const { grant, user } = found;
    refuseOtherResource(grant, request.resource);
    if (found.expiresAt <= clock.now()) throw new OAuthFailure('invalid_grant', 'refresh_token: it has expired');
    refuseEnded(grant, user);
    const scopes = narrowScopes(grant.scopes, request.scope);
    if (!(await this.#parts.isIdentityValid(grant.identityId))) {
      await this.#endGrant(grant, 'oauth.identity_ended');
      throw new OAuthFailure('invalid_grant', 'the person can no longer sign in at their provider');
    }
    const { tokens, issued } = this.#newTokens(scopes);
    this.#requireFirstUse(
      await apps.rotate(this.#stamp(grant, 'oauth.refresh'), hash, grant.id, tokens),
      grant,
      'refresh_token',
    );
    return issued;
  }

  async revoke(token: string, clientId: string): Promise<void> {
    const { apps } = this.#parts;
    const hash = hashSecret(token);
    const refresh = await apps.refreshToken(hash);
    const found = refresh ?? (await apps.accessToken(hash));
    // As RFC 7009 requires, return without an error if the token is unknown or belongs to another app. The caller thus
    // cannot find out whether the token exists.
    if (!found || found.grant.clientId !== clientId) return;
    if (refresh) await this.#endGrant(found.grant, 'oauth.revoke');
    else await apps.revokeAccessToken(this.#stamp(found.grant, 'oauth.revoke'), hash);
  }

  #newTokens(scopes: readonly string[]): { tokens: NewTokens; issued: IssuedTokens } {
    const now = this.#parts.clock.now();
    const accessToken = newSecret('at');
    const refreshToken = newSecret('rt');
    return {
      tokens: {
        accessHash: hashSecret(accessToken),
        accessExpiresAt: now + accessMs,
        refreshHash: hashSecret(refreshToken),
        refreshExpiresAt: now + refreshMs,
        scopes,
      },
      issued: { accessToken, refreshToken, seconds: accessMs / 1000, scopes },
    };
  }

  #requireFirstUse(used: RedemptionResult, grant: AppGrant, field: string): void {
    if (used === 'now') return;
    if (used === 'again') {
      this.#parts.notifier.log.warn(
        { connection: grant.id, userId: grant.userId, field },
        'used twice; the app was disconnected',
      );
      publishAccessChange(this.#parts.notifier, { user_id: grant.userId });
    }
    throw new OAuthFailure(
      'invalid_grant',
      used === 'again' ? `${field}: it was used before, and so the app was disconnected` : `${field}: it is not valid`,
    );
  }

  async #endGrant(grant: AppGrant, operation: string): Promise<void> {
    await this.#parts.apps.endGrant(this.#stamp(grant, operation), grant.userId, grant.id);
    publishAccessChange(this.#parts.notifier, { user_id: grant.userId });
  }

  #stamp(grant: AppGrant, operation: string): Stamp {
    return { ...systemStamp(this.#parts.clock.now(), operation, grant.userId), keyId: grant.id };
  }

  /**
   * Creates the error for a wrong code or token, and counts the failed attempt against the rate limit of the client's
   * IP address.
   */
  #invalidGrant(address: string, description: string): OAuthFailure {
    const wait = this.#failedAttempts.take(address);
    return wait > 0
      ? new OAuthFailure('temporarily_unavailable', `too many wrong codes or tokens; try again in ${wait} s`, wait)
      : new OAuthFailure('invalid_grant', description);
  }
}

function matchesChallenge(challenge: string, verifier: string): boolean {
  const made = createHash('sha256').update(verifier).digest('base64url');
  return /^[\w.~-]{43,128}$/.test(verifier) && equalInConstantTime(challenge, made);
}

function refuseOtherResource(grant: AppGrant, resource: string | undefined): void {
  if (resource !== undefined && resource !== grant.resource)
    throw new OAuthFailure('invalid_target', `resource: the access was given for ${grant.resource} (got ${resource})`);
}

function refuseEnded(grant: AppGrant, user: User): void {
  if (grant.endedAt !== null) throw new OAuthFailure('invalid_grant', 'the app was disconnected');
  if (user.state !== 'active') throw new OAuthFailure('invalid_grant', 'the user account is suspended or closed');
}

/**
 * Returns the scopes of the tokens that a refresh issues: the requested ones, or all granted ones if none are
 * requested. Throws if more is requested than was granted.
 */
function narrowScopes(given: readonly string[], asked: string | undefined): readonly string[] {
  const wanted = (asked ?? '').split(' ').filter((word) => word !== '');
  const beyond = wanted.find((word) => !given.includes(word));
  if (beyond !== undefined)
    throw new OAuthFailure(
      'invalid_scope',
      `scope: must be part of "${given.join(' ')}" (got ${JSON.stringify(beyond)})`,
    );
  return wanted.length === 0 ? given : wanted;
}

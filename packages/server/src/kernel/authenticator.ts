import type { Caller } from '../context.ts';
import { runEvery, runInBackground } from '../lib/background-tasks.ts';
import { hashSecret } from '../lib/ids.ts';
import type { AccountStore, ApiKey, MaybePromise, User, WebSession } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { OAuthStore } from '../ports/oauth-store.ts';
import { fail, type Failure } from './errors.ts';
import type { TokenBucketLimit, RateLimit } from './rate-limit.ts';
import { scopePermissions } from './oauth-scopes.ts';

export interface Credentials {
  clientId?: string;
  apiKey?: string;
  accessToken?: string;
  /** Path of the resource that the client requests. An access token is accepted only if it was issued for this path. */
  audience?: string;
  /** Session cookie of the web page. */
  session?: string;
  /** Client address, by which failed attempts are rate-limited. */
  address: string;
  /** Description of where this endpoint expects the key, for the error message if no key was sent. */
  expected?: string;
}

const expectedHeaders = 'the <prefix>-clientid and <prefix>-apikey headers';

/** Rate limit for wrong keys from one address; `rate` is per second. */
export const failedAttemptLimit: TokenBucketLimit = { rate: 5, burst: 100 };
const flushLastUsedMs = 10_000;
const maxHashes = 1000;

/**
 * Identifies the caller of a request. Reads the store at every request, so that a suspended user or a revoked key is
 * refused at the next request.
 */
export class Authenticator {
  readonly #accounts: AccountStore;
  readonly #apps: OAuthStore;
  readonly #clock: Clock;
  readonly #failedAttempts: RateLimit;
  readonly #used = new Map<string, number>();
  readonly #usedApps = new Map<string, number>();
  /**
   * Hashes of valid keys and session tokens, by the key or token. They are cached because hashing costs as much as the
   * rest of the authentication.
   */
  readonly #hashes = new Map<string, string>();
  /**
   * Ids of keys and apps whose first use this process has already recorded. `lastUsedAt` alone cannot tell, because it
   * may come from a cached row that was read before the first use.
   */
  readonly #firstUsed = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(accounts: AccountStore, apps: OAuthStore, clock: Clock, guesses: RateLimit) {
    this.#accounts = accounts;
    this.#apps = apps;
    this.#clock = clock;
    this.#failedAttempts = guesses;
    this.#timer = runEvery('noting when keys were used', flushLastUsedMs, () => this.flush()).unref();
  }

  /**
   * Returns the caller of a request, or throws a Failure. Returns no promise if the store has the key or session in
   * memory, as it does for nearly every request.
   */
  authenticate(credentials: Credentials): MaybePromise<Caller> {
    const { apiKey, accessToken, session } = credentials;
    if (accessToken !== undefined) return this.#authenticateToken(credentials, accessToken);
    if (apiKey) {
      const found = this.#accounts.keyBySecretHash(this.#hashes.get(apiKey) ?? hashSecret(apiKey));
      return found instanceof Promise
        ? found.then((row) => this.#authenticateKey(credentials, row))
        : this.#authenticateKey(credentials, found);
    }
    const found = session
      ? this.#accounts.sessionByTokenHash(this.#hashes.get(session) ?? hashSecret(session))
      : undefined;
    return found instanceof Promise
      ? found.then((row) => this.#authenticateSession(credentials, row))
      : this.#authenticateSession(credentials, found);
  }

  #authenticateKey(credentials: Credentials, found: { key: ApiKey; user: User } | undefined): Caller {
    if (!found) throw this.#rejectCredentials(credentials);
    const { key, user } = found;
    // A constant-time comparison is not needed: timing could reveal the client id only to a client that already knows
    // the secret.
    if (credentials.clientId !== undefined && credentials.clientId !== key.clientId)
      throw this.#rejectCredentials(credentials);
    const now = this.#clock.now();
    refuseSuspended(user);
    if (key.revokedAt !== null) throw this.#rejectCredentials(credentials);
    if (key.expiresAt !== null && key.expiresAt <= now)
      throw fail('unauthenticated', `the API key expired at ${new Date(key.expiresAt).toISOString()}`);
    this.#recordUse(this.#used, key, now);
    this.#cacheHash(credentials.apiKey!);
    return {
      userId: user.id,
      userName: user.name,
      role: user.role,
      clientId: key.clientId,
      keyId: key.id,
      modules: key.modules,
      access: key.access,
      via: 'key',
      expiresAt: key.expiresAt,
    };
  }

  async #authenticateToken(credentials: Credentials, accessToken: string): Promise<Caller> {
    const found = await this.#apps.accessToken(hashSecret(accessToken));
    const now = this.#clock.now();
    // Reject unknown, ended and expired tokens, and tokens that were issued for another resource (path). Without the
    // last check, whoever receives an app's token for one resource could use it for another.
    if (
      !found ||
      found.grant.endedAt !== null ||
      found.expiresAt <= now ||
      found.grant.resource !== credentials.audience
    )
      throw this.#rejectCredentials(credentials);
    const { grant, user } = found;
    refuseSuspended(user);
    this.#recordUse(this.#usedApps, grant, now);
    return {
      userId: user.id,
      userName: user.name,
      role: user.role,
      clientId: grant.clientId,
      keyId: grant.id,
      ...scopePermissions(found.scopes),
      via: 'app',
      expiresAt: found.expiresAt,
    };
  }

  /**
   * Records the use of a key or app; the time is written to the store at the next flush. The first use is written at
   * once, because a user who has just connected an agent is waiting to see that it worked.
   */
  #recordUse(uses: Map<string, number>, one: { id: string; lastUsedAt: number | null }, now: number): void {
    uses.set(one.id, now);
    if (one.lastUsedAt !== null || this.#firstUsed.has(one.id)) return;
    if (this.#firstUsed.size >= maxHashes) this.#firstUsed.clear();
    this.#firstUsed.add(one.id);
    void runInBackground('noting when keys were used', () => this.flush());
  }

  #cacheHash(secret: string): void {
    if (this.#hashes.has(secret)) return;
    if (this.#hashes.size >= maxHashes) this.#hashes.clear();
    this.#hashes.set(secret, hashSecret(secret));
  }

  #authenticateSession(credentials: Credentials, found: { session: WebSession; user: User } | undefined): Caller {
    if (!found || found.session.expiresAt <= this.#clock.now()) throw this.#rejectCredentials(credentials);
    const { user } = found;
    refuseSuspended(user);
    this.#cacheHash(credentials.session!);
    return {
      userId: user.id,
      userName: user.name,
      role: user.role,
      clientId: '',
      keyId: found.session.id,
      modules: ['*'],
      access: 'write',
      via: 'session',
      expiresAt: found.session.expiresAt,
    };
  }

  #rejectCredentials({ address, apiKey, accessToken, session, expected = expectedHeaders }: Credentials): Failure {
    // Count only failed attempts against the limit of the address. If valid requests counted too, an attacker could use
    // up the limit and lock out other users of the same address. A correctly guessed key is accepted in spite of the
    // limit, but keys are too long to be guessed.
    const wait = this.#failedAttempts.take(address);
    if (wait > 0)
      return fail('rate_limited', `too many failed authentication attempts from this address; try again in ${wait} s`, {
        retryAfter: wait,
      });
    if (accessToken !== undefined)
      return fail(
        'unauthenticated',
        'the access token is not valid here: it has expired, was revoked, or was issued for another address',
      );
    return fail(
      'unauthenticated',
      apiKey || session ? 'the API key or session is not valid' : `no API key was sent: set ${expected}`,
    );
  }

  async flush(): Promise<void> {
    await flushLastUsed(this.#used, (used) => this.#accounts.touchKeys(used));
    await flushLastUsed(this.#usedApps, (used) => this.#apps.touchGrants(used));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await runInBackground('noting when keys were used', () => this.flush());
  }
}

async function flushLastUsed(
  uses: Map<string, number>,
  write: (used: ReadonlyMap<string, number>) => Promise<void>,
): Promise<void> {
  const used = new Map(uses);
  uses.clear();
  try {
    await write(used);
  } catch (error) {
    // The last-used times were not written. Add them to the next flush, unless a newer use of the same key was recorded
    // meanwhile.
    for (const [id, at] of used) if (!uses.has(id)) uses.set(id, at);
    throw error;
  }
}

function refuseSuspended(user: User): void {
  if (user.state === 'active') return;
  throw fail(
    'suspended',
    user.state === 'deleted'
      ? 'the user account is closed'
      : 'the user account is suspended: ask the owner of this installation',
  );
}

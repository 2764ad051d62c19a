import type { Caller } from '../context.ts';
import { every, inBackground } from '../lib/background.ts';
import { hashOfSecret } from '../lib/ids.ts';
import type { AccountStore, ApiKey, MaybePromise, User, WebSession } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { OAuthStore } from '../ports/oauth-store.ts';
import { fail, type Failure } from './errors.ts';
import type { Limit, RateLimit } from './rate-limit.ts';
import { permissionsOf } from './scopes.ts';

/** What a transport found in the request. */
export interface Credentials {
  clientId?: string;
  apiKey?: string;
  /** Of an app that somebody connected. */
  accessToken?: string;
  /** The path of the address that was called, for which a token must have been made. */
  audience?: string;
  /** The page's session cookie. */
  session?: string;
  /** For slowing down whoever guesses keys. */
  address: string;
  /** How to send a key here, for whoever sent none. */
  expected?: string;
}

const expectedHeaders = 'the <prefix>-clientid and <prefix>-apikey headers';

/** Wrong keys from one address. */
export const guessLimit: Limit = { rate: 5, burst: 100 };
const flushLastUsedMs = 10_000;
const maxHashes = 1000;

/**
 * Decides who calls, from the store at every request: a suspended user or a revoked key is refused at the next one.
 */
export class Authenticator {
  readonly #accounts: AccountStore;
  readonly #apps: OAuthStore;
  readonly #clock: Clock;
  readonly #guesses: RateLimit;
  readonly #used = new Map<string, number>();
  readonly #usedApps = new Map<string, number>();
  /** Hashes of keys and sessions that were right: taking one anew costs as much as the rest of this. Every request brings its key along anyway. */
  readonly #hashes = new Map<string, string>();
  /** What was never used before it came here; what the store remembers of it may be older. */
  readonly #firstUsed = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(accounts: AccountStore, apps: OAuthStore, clock: Clock, guesses: RateLimit) {
    this.#accounts = accounts;
    this.#apps = apps;
    this.#clock = clock;
    this.#guesses = guesses;
    this.#timer = every('noting when keys were used', flushLastUsedMs, () => this.flush()).unref();
  }

  /** At once where the store knows the key or session already: nearly every request then costs no turn of waiting. */
  caller(credentials: Credentials): MaybePromise<Caller> {
    const { apiKey, accessToken, session } = credentials;
    if (accessToken !== undefined) return this.#byToken(credentials, accessToken);
    if (apiKey) {
      const found = this.#accounts.keyBySecretHash(this.#hashes.get(apiKey) ?? hashOfSecret(apiKey));
      return found instanceof Promise
        ? found.then((row) => this.#byKey(credentials, row))
        : this.#byKey(credentials, found);
    }
    const found = session
      ? this.#accounts.sessionByTokenHash(this.#hashes.get(session) ?? hashOfSecret(session))
      : undefined;
    return found instanceof Promise
      ? found.then((row) => this.#bySession(credentials, row))
      : this.#bySession(credentials, found);
  }

  #byKey(credentials: Credentials, found: { key: ApiKey; user: User } | undefined): Caller {
    if (!found) throw this.#wrong(credentials);
    const { key, user } = found;
    // Whoever knows the secret may learn by timing what its client id is.
    if (credentials.clientId !== undefined && credentials.clientId !== key.clientId) throw this.#wrong(credentials);
    const now = this.#clock.now();
    refuseSuspended(user);
    if (key.revokedAt !== null) throw this.#wrong(credentials);
    if (key.expiresAt !== null && key.expiresAt <= now)
      throw fail('unauthenticated', `the API key expired at ${new Date(key.expiresAt).toISOString()}`);
    this.#noteUse(this.#used, key, now);
    this.#remember(credentials.apiKey!);
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

  async #byToken(credentials: Credentials, accessToken: string): Promise<Caller> {
    const found = await this.#apps.accessToken(hashOfSecret(accessToken));
    const now = this.#clock.now();
    // A token that was made for another address is as good as none: whoever got it there must not use it here.
    if (
      !found ||
      found.grant.endedAt !== null ||
      found.expiresAt <= now ||
      found.grant.resource !== credentials.audience
    )
      throw this.#wrong(credentials);
    const { grant, user } = found;
    refuseSuspended(user);
    this.#noteUse(this.#usedApps, grant, now);
    return {
      userId: user.id,
      userName: user.name,
      role: user.role,
      clientId: grant.clientId,
      keyId: grant.id,
      ...permissionsOf(found.scopes),
      via: 'app',
      expiresAt: found.expiresAt,
    };
  }

  /** The first use is told at once: somebody who has just connected an agent waits for it. */
  #noteUse(uses: Map<string, number>, one: { id: string; lastUsedAt: number | null }, now: number): void {
    uses.set(one.id, now);
    if (one.lastUsedAt !== null || this.#firstUsed.has(one.id)) return;
    if (this.#firstUsed.size >= maxHashes) this.#firstUsed.clear();
    this.#firstUsed.add(one.id);
    void inBackground('noting when keys were used', () => this.flush());
  }

  #remember(secret: string): void {
    if (this.#hashes.has(secret)) return;
    if (this.#hashes.size >= maxHashes) this.#hashes.clear();
    this.#hashes.set(secret, hashOfSecret(secret));
  }

  #bySession(credentials: Credentials, found: { session: WebSession; user: User } | undefined): Caller {
    if (!found || found.session.expiresAt <= this.#clock.now()) throw this.#wrong(credentials);
    const { user } = found;
    refuseSuspended(user);
    this.#remember(credentials.session!);
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

  #wrong({ address, apiKey, accessToken, session, expected = expectedHeaders }: Credentials): Failure {
    // Counted when wrong only: somebody who guesses at the same address must not shut the others out, and no key can be guessed.
    const wait = this.#guesses.take(address);
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
    await flushUses(this.#used, (used) => this.#accounts.touchKeys(used));
    await flushUses(this.#usedApps, (used) => this.#apps.touchGrants(used));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await inBackground('noting when keys were used', () => this.flush());
  }
}

async function flushUses(
  uses: Map<string, number>,
  write: (used: ReadonlyMap<string, number>) => Promise<void>,
): Promise<void> {
  const used = new Map(uses);
  uses.clear();
  try {
    await write(used);
  } catch (error) {
    // Told at the next flush; what was used since then is newer.
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

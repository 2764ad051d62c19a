import type { Caller } from '../context.ts';
import { sha256 } from '../lib/hash.ts';
import type { AccountStore, User } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import { fail } from './errors.ts';
import { RateLimit } from './rate-limit.ts';

/** What a transport found in the request. */
export interface Credentials {
  clientId?: string;
  apiKey?: string;
  /** The page's session cookie. */
  session?: string;
  /** For slowing down whoever guesses keys. */
  address: string;
}

const guessesPerSecond = 5;
const guessesAtOnce = 100;
const flushLastUsedMs = 10_000;

/**
 * Decides who calls, from the store at every request: a suspended user or a revoked key is refused at the next one.
 */
export class Authenticator {
  readonly #accounts: AccountStore;
  readonly #clock: Clock;
  readonly #guesses: RateLimit;
  readonly #used = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(accounts: AccountStore, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
    this.#guesses = new RateLimit(guessesPerSecond, guessesAtOnce, clock);
    this.#timer = setInterval(() => void this.flush(), flushLastUsedMs).unref();
  }

  async caller(credentials: Credentials): Promise<Caller> {
    const wait = this.#guesses.exhausted(credentials.address);
    if (wait > 0) throw fail('rate_limited', `too many failed authentications from this address; try again in ${wait} s`, { retryAfter: wait });
    const caller = credentials.apiKey ? await this.#byKey(credentials) : await this.#bySession(credentials);
    if (!caller) {
      this.#guesses.take(credentials.address);
      throw fail('unauthenticated', credentials.apiKey || credentials.session ? 'the API key or session is not valid' : 'no API key was sent: set the <prefix>-clientid and <prefix>-apikey headers');
    }
    return caller;
  }

  async #byKey({ apiKey, clientId }: Credentials): Promise<Caller | undefined> {
    const found = await this.#accounts.keyBySecretHash(sha256(apiKey!));
    if (!found) return undefined;
    const { key, user } = found;
    // Whoever knows the secret may learn by timing what its client id is.
    if (clientId !== undefined && clientId !== key.clientId) return undefined;
    const now = this.#clock.now();
    refuseSuspended(user);
    if (key.revokedAt !== null) return undefined;
    if (key.expiresAt !== null && key.expiresAt <= now) throw fail('unauthenticated', `the API key expired at ${new Date(key.expiresAt).toISOString()}`);
    this.#used.set(key.id, now);
    return { userId: user.id, userName: user.name, role: user.role, clientId: key.clientId, keyId: key.id, modules: key.modules, access: key.access, via: 'key' };
  }

  async #bySession({ session }: Credentials): Promise<Caller | undefined> {
    if (!session) return undefined;
    const found = await this.#accounts.sessionByTokenHash(sha256(session));
    if (!found || found.session.expiresAt <= this.#clock.now()) return undefined;
    const { user } = found;
    refuseSuspended(user);
    return { userId: user.id, userName: user.name, role: user.role, clientId: '', keyId: found.session.id, modules: ['*'], access: 'write', via: 'session' };
  }

  async flush(): Promise<void> {
    const used = new Map(this.#used);
    this.#used.clear();
    await this.#accounts.touchKeys(used);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}

function refuseSuspended(user: User): void {
  if (user.state === 'active') return;
  throw fail('suspended', user.state === 'deleted' ? 'the user account is closed' : 'the user account is suspended: ask the owner of this installation');
}

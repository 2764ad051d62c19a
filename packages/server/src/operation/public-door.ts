import type { Context, Services } from '../context.ts';
import { hashOfSecret } from '../lib/ids.ts';
import { guessLimit } from './authenticate.ts';
import { fail } from './errors.ts';
import type { Guest, Module } from './module.ts';
import type { Limit, RateLimit } from './rate-limit.ts';
import type { SharedLimits } from './shared-limits.ts';

/** Rate limit per client address, over all links: a scrolling page sends a few requests a second. */
const addressLimit: Limit = { rate: 20, burst: 120 };
/** Rate limit per link, over all visitors: the document's owner is served by the same thread. */
const linkLimit: Limit = { rate: 60, burst: 300 };

interface Visit {
  readonly secret: string;
  readonly address: string;
  readonly read: string;
  readonly input: Record<string, unknown>;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

function ignoreProgress(): void {}

/** Serves visitors with a public link: they may only read what is public of the linked object. */
export class PublicDoor {
  readonly #services: Services;
  readonly #guesses: RateLimit;
  readonly #addresses: RateLimit;
  readonly #links: RateLimit;

  constructor(services: Services, limits: SharedLimits) {
    this.#services = services;
    this.#guesses = limits.limit('link guess', guessLimit);
    this.#addresses = limits.limit('public address', addressLimit, 0.5);
    this.#links = limits.limit('public link', linkLimit, 0.5);
  }

  async read(module: Module, visit: Visit): Promise<Record<string, unknown>> {
    const reads = module.publicReads ?? {};
    refuseSoon(this.#addresses.take(visit.address));
    const guest = await this.#enter(visit);
    refuseSoon(this.#links.take(guest.link.id));
    if (!Object.hasOwn(reads, visit.read))
      throw fail('unknown_operation', `a public link does not answer to ${JSON.stringify(visit.read.slice(0, 100))}`);
    return reads[visit.read]!(visit.input, guest);
  }

  /**
   * Throws the same error for an unknown, revoked or expired link and for a deleted object, so that visitors cannot
   * tell which.
   */
  async #enter({ secret, address, read, requestId, signal }: Visit): Promise<Guest> {
    const { publicLinks, accounts, clock } = this.#services;
    const link = await publicLinks.bySecretHash(hashOfSecret(secret), clock.now());
    const maker = link && (await accounts.user(link.userId));
    if (!link || maker?.state !== 'active') {
      refuseSoon(this.#guesses.take(address));
      throw noSuchLink();
    }
    const stamp = { at: clock.now(), userId: maker.id, keyId: link.id, operation: `public.${read}`, requestId };
    const context: Context = Object.assign(Object.create(this.#services) as Services, {
      caller: {
        userId: maker.id,
        userName: maker.name,
        role: 'member' as const,
        clientId: '',
        keyId: link.id,
        modules: [],
        access: 'read' as const,
        via: 'local' as const,
      },
      stamp,
      requestId,
      signal,
      reply: {},
      progress: ignoreProgress,
      wantsProgress: false,
    });
    return { link, context };
  }
}

export function noSuchLink() {
  return fail('no_such_object', 'this link has ended, or there never was one; ask who sent it for another');
}

function refuseSoon(wait: number): void {
  if (wait > 0)
    throw fail('rate_limited', `too many requests with public links; try again in ${wait} s`, { retryAfter: wait });
}

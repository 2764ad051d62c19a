import type { Context, Services } from '../context.ts';
import { hashOfSecret } from '../lib/ids.ts';
import { guessLimit } from './authenticate.ts';
import { fail } from './errors.ts';
import type { Guest, Module } from './module.ts';
import type { Limit, RateLimit } from './rate-limit.ts';
import type { SharedLimits } from './shared-limits.ts';

/** What one address may ask with all its links: a page that scrolls asks a few times a second. */
const addressLimit: Limit = { rate: 20, burst: 120 };
/** What everybody together may ask of one link: the document's owner works in the same thread. */
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

/** Lets in who has a public link: to read what everybody may see of one thing, and to nothing else. */
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

  /** One sentence for a link that never was, was ended, has run out, or shows what is gone: none tells which. */
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

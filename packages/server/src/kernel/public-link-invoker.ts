import type { Services } from '../context.ts';
import { hashSecret } from '../lib/ids.ts';
import { failedAttemptLimit } from './authenticator.ts';
import { fail } from './errors.ts';
import { contextClass, type ContextOf } from './invoker.ts';
import type { PublicLinkGuest, Module } from './module.ts';
import type { TokenBucketLimit, RateLimit } from './rate-limit.ts';
import type { SharedRateLimits } from './shared-rate-limits.ts';

/**
 * Rate limit per client address, over all public links. The page behind a public link sends a few requests a second
 * while scrolling.
 */
const addressLimit: TokenBucketLimit = { rate: 20, burst: 120 };
/**
 * Rate limit per public link, over all visitors. It also protects the owner of a linked spreadsheet, because one thread
 * serves both the owner and the visitors.
 */
const linkLimit: TokenBucketLimit = { rate: 60, burst: 300 };

interface PublicLinkRequest {
  readonly secret: string;
  readonly address: string;
  readonly read: string;
  readonly input: Record<string, unknown>;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** Serves visitors with a public link. They may read only the public parts of the linked object. */
export class PublicLinkInvoker {
  readonly #services: Services;
  readonly #Context: ContextOf;
  readonly #failedAttempts: RateLimit;
  readonly #addresses: RateLimit;
  readonly #links: RateLimit;

  constructor(services: Services, limits: SharedRateLimits) {
    this.#services = services;
    this.#Context = contextClass(services);
    this.#failedAttempts = limits.limit('link guess', failedAttemptLimit);
    this.#addresses = limits.limit('public address', addressLimit, 0.5);
    this.#links = limits.limit('public link', linkLimit, 0.5);
  }

  async read(module: Module, visit: PublicLinkRequest): Promise<Record<string, unknown>> {
    const reads = module.publicReads ?? {};
    refuseOverLimit(this.#addresses.take(visit.address));
    const guest = await this.#authorize(module, visit);
    refuseOverLimit(this.#links.take(guest.link.id));
    if (!Object.hasOwn(reads, visit.read))
      throw fail('unknown_operation', `a public link does not answer to ${JSON.stringify(visit.read.slice(0, 100))}`);
    return reads[visit.read]!(visit.input, guest);
  }

  /**
   * Returns the guest for a valid link. Throws the same error if the link is unknown, revoked or expired, its object
   * was deleted, or its creator is suspended, so that visitors cannot distinguish these cases.
   */
  async #authorize(
    module: Module,
    { secret, address, read, requestId, signal }: PublicLinkRequest,
  ): Promise<PublicLinkGuest> {
    const { publicLinks, accounts, clock } = this.#services;
    const link = await publicLinks.bySecretHash(hashSecret(secret), clock.now());
    const maker = link && (await accounts.user(link.userId));
    if (!link || maker?.state !== 'active' || !module.publicKinds?.includes(link.kind)) {
      refuseOverLimit(this.#failedAttempts.take(address));
      throw linkNotFoundError(module.errors['no_such_object'] ? 'no_such_object' : 'no_permission');
    }
    const stamp = { at: clock.now(), userId: maker.id, keyId: link.id, operation: `public.${read}`, requestId };
    const caller = {
      userId: maker.id,
      userName: maker.name,
      role: 'member' as const,
      clientId: '',
      keyId: link.id,
      modules: [],
      access: 'read' as const,
      via: 'local' as const,
    };
    const context = new this.#Context({ caller, requestId, signal }, stamp, undefined);
    return { link, context };
  }
}

/**
 * Makes the error for a link that does not exist or has ended. `word` is the name of the error in the module's error
 * table.
 */
export function linkNotFoundError(word = 'no_such_object') {
  return fail(word, 'this link has ended, or there never was one; ask who sent it for another');
}

function refuseOverLimit(wait: number): void {
  if (wait > 0)
    throw fail('rate_limited', `too many requests with public links; try again in ${wait} s`, { retryAfter: wait });
}

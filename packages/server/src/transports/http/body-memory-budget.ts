import type { ServerResponse } from 'node:http';
import { Failure } from '../../kernel/errors.ts';

/**
 * Maximum bytes of all request bodies in memory, so that bodies and their parsed values stay far below a usual server's
 * memory.
 */
const totalBytes = 128 * 2 ** 20;
/** Bodies up to this size, nearly all, are not counted and never refused. */
export const uncountedBytes = 64 * 1024;
const retrySeconds = 1;

/**
 * Not enough memory for the body at the moment. Status 429 if the caller's own bodies use up its share, 503 if other
 * callers' do.
 */
export class BodyBudgetExceeded extends Failure {
  readonly status: 429 | 503;

  constructor(status: 429 | 503, message: string) {
    super(status === 429 ? 'rate_limited' : 'busy', message, { retryAfter: retrySeconds });
    this.status = status;
  }
}

/**
 * Accounts for the memory of large request bodies, from the first byte until the answer is sent. A caller gets at most
 * half of what other callers leave free, so one caller cannot take everything and a new caller always gets a share.
 */
export class BodyBudget {
  readonly #total: number;
  readonly #held = new Map<string, number>();
  #sum = 0;

  constructor(total: number = totalBytes) {
    this.#total = total;
  }

  open(caller: string): BodyClaim {
    return new BodyClaim((bytes) => this.#take(caller, bytes));
  }

  /** Opens a claim that is released when the answer is sent or the connection closes. */
  openUntilResponseEnds(caller: string, response: ServerResponse): BodyClaim {
    const claim = this.open(caller);
    response.once('close', () => claim.release());
    return claim;
  }

  get reservedBytes(): number {
    return this.#sum;
  }

  #take(caller: string, bytes: number): void {
    const own = this.#held.get(caller) ?? 0;
    if (bytes > 0) {
      const share = Math.floor((this.#total - (this.#sum - own)) / 2);
      if (own + bytes > share) {
        const isOwn = share >= bytes;
        const told = `${isOwn ? 'your request bodies' : 'the request bodies of others'} fill the memory reserved for them`;
        throw new BodyBudgetExceeded(
          isOwn ? 429 : 503,
          `${told} (${bytes} bytes asked for); try again in ${retrySeconds} s`,
        );
      }
    }
    this.#sum += bytes;
    if (own + bytes > 0) this.#held.set(caller, own + bytes);
    else this.#held.delete(caller);
  }
}

/** The memory reserved for one body. */
export class BodyClaim {
  readonly #take: (bytes: number) => void;
  #held = 0;

  constructor(take: (bytes: number) => void) {
    this.#take = take;
  }

  /** Extends the claim to this many bytes in total; throws `BodyBudgetExceeded`. */
  grow(bytes: number): void {
    if (bytes <= uncountedBytes || bytes <= this.#held) return;
    this.#take(bytes - this.#held);
    this.#held = bytes;
  }

  release(): void {
    if (this.#held > 0) this.#take(-this.#held);
    this.#held = 0;
  }
}

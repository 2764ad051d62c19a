import type { ServerResponse } from 'node:http';
import { Failure } from '../../operation/errors.ts';

/** What all bodies under way may come to. With what is made of them, a server stays far below what one is usually given. */
const totalBytes = 128 * 2 ** 20;
/** Nearly all calls are shorter: they always have room, whatever others send. */
export const freeBytes = 64 * 1024;
const retrySeconds = 1;

/** There is no room just now. Answered with status 429 where the caller has its share, and 503 where others have. */
export class NoRoom extends Failure {
  readonly status: 429 | 503;

  constructor(status: 429 | 503, message: string) {
    super(status === 429 ? 'rate_limited' : 'busy', message, { retryAfter: retrySeconds });
    this.status = status;
  }
}

/**
 * The memory of large request bodies, from their first byte to their answer. A caller may have half of what others leave:
 * however many send as much as they can, the next one still gets something, and one alone gets no more than half.
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

  /** Until the answer is sent, or there is nobody to read it. */
  openUntilAnswered(caller: string, response: ServerResponse): BodyClaim {
    const claim = this.open(caller);
    response.once('close', () => claim.release());
    return claim;
  }

  get heldBytes(): number {
    return this.#sum;
  }

  #take(caller: string, bytes: number): void {
    const own = this.#held.get(caller) ?? 0;
    if (bytes > 0) {
      const share = Math.floor((this.#total - (this.#sum - own)) / 2);
      if (own + bytes > share) {
        const isOwn = share >= bytes;
        const told = `${isOwn ? 'your request bodies' : 'the request bodies of others'} fill the memory reserved for them`;
        throw new NoRoom(isOwn ? 429 : 503, `${told} (${bytes} bytes asked for); try again in ${retrySeconds} s`);
      }
    }
    this.#sum += bytes;
    if (own + bytes > 0) this.#held.set(caller, own + bytes);
    else this.#held.delete(caller);
  }
}

/** The share of one body. */
export class BodyClaim {
  readonly #take: (bytes: number) => void;
  #held = 0;

  constructor(take: (bytes: number) => void) {
    this.#take = take;
  }

  /** Makes room for a body of so many bytes in all; throws `NoRoom`. */
  grow(bytes: number): void {
    if (bytes <= freeBytes || bytes <= this.#held) return;
    this.#take(bytes - this.#held);
    this.#held = bytes;
  }

  release(): void {
    if (this.#held > 0) this.#take(-this.#held);
    this.#held = 0;
  }
}

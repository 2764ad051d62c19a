import type { Allowance } from '@sheaf/engine';
import { ExceedsLaneBudget } from './call-budget.ts';
import { GarbageCollector } from './garbage-collector.ts';
import type { Lane } from './protocol.ts';

/** Memory for arrays and texts above which a call is large. Only one large call runs at a time. */
const largeBytes = 16 * 2 ** 20;
/**
 * Maximum wait for another large call, short enough to leave time for the calculation. Waiting blocks the thread, so
 * only threads for slow documents wait.
 */
const maxWaitMs: Readonly<Record<Lane, number>> = { quick: 0, reserve: 0, slow: 5_000 };
/**
 * Number of calculation steps from which a call is followed by a garbage collection. Ordinary edits and reads take far
 * fewer; collecting after each of them would cost a third of their time.
 */
const heavySteps = 400_000;
const unlocked = 0;

/** Data that give a thread access to the shared lock. */
export interface LargeCallLockData {
  readonly holder: SharedArrayBuffer;
  /** Number of the thread, starting at 1. The buffer contains 0 while no thread holds the lock. */
  readonly thread: number;
}

/**
 * A lock across threads for calls that need much memory. Each thread may use a call's full memory and holds it until
 * garbage collection. Large calls therefore run one at a time, and collect garbage before releasing the lock.
 */
export class LargeCallLock {
  readonly #holder: Int32Array;
  readonly #thread: number;
  readonly #lane: Lane;
  readonly #waitMs: number;
  readonly #garbage = new GarbageCollector();
  #steps = 0;

  constructor({ holder, thread }: LargeCallLockData, lane: Lane, waitMs = maxWaitMs[lane]) {
    this.#holder = new Int32Array(holder);
    this.#thread = thread;
    this.#lane = lane;
    this.#waitMs = waitMs;
  }

  /**
   * Rule for calls that need much memory. A call that does not get the lock in time is refused in a thread for slow
   * documents; from other threads it is moved there.
   */
  readonly forCall: Allowance['large'] = {
    from: largeBytes,
    begin: () => {
      if (this.#acquire()) return undefined;
      const rule = `the ${largeBytes} bytes of memory allowed while another large one is under way`;
      if (this.#lane !== 'slow') throw new ExceedsLaneBudget(rule);
      return rule;
    },
  };

  /** Rule for replay of the log, which must succeed: after the maximum wait, it continues without the lock. */
  readonly forReplay: Allowance['large'] = {
    from: largeBytes,
    begin: () => {
      this.#acquire();
      return undefined;
    },
  };

  /** Records the step count of the current call, for the garbage check in `release`. */
  readonly recordSteps = (steps: number): void => {
    this.#steps = Math.max(this.#steps, steps);
  };

  #acquire(): boolean {
    const until = performance.now() + this.#waitMs;
    for (;;) {
      const before = Atomics.compareExchange(this.#holder, 0, unlocked, this.#thread);
      if (before === unlocked || before === this.#thread) return true;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return false;
      Atomics.wait(this.#holder, 0, before, leftMs);
    }
  }

  /**
   * Releases the lock if this thread holds it, after collecting garbage. Otherwise collects only after calls with many
   * steps. Called after each request.
   */
  release(): void {
    const wasHeavy = this.#steps >= heavySteps;
    this.#steps = 0;
    if (Atomics.load(this.#holder, 0) !== this.#thread) {
      if (wasHeavy) this.#garbage.collectIfNeeded();
      return;
    }
    this.#garbage.collect();
    releaseLock(this.#holder, this.#thread);
  }
}

/** The main thread's side of the lock, which releases it for lost threads. */
export class LargeCallLockOwner {
  readonly #holder = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  dataFor(index: number): LargeCallLockData {
    return { holder: this.#holder, thread: index + 1 };
  }

  release(index: number): void {
    releaseLock(new Int32Array(this.#holder), index + 1);
  }
}

function releaseLock(holder: Int32Array, thread: number): void {
  if (Atomics.compareExchange(holder, 0, thread, unlocked) === thread) Atomics.notify(holder, 0);
}

import type { Allowance } from '@sheaf/engine';
import { ExceedsLaneBudget } from './call-budget.ts';
import { HeapCollector } from './heap-collector.ts';
import type { Lane } from './protocol.ts';

/** Memory in bytes for arrays and texts above which a call counts as large. Only one large call runs at a time. */
const largeBytes = 16 * 2 ** 20;
/**
 * Maximum time in milliseconds that a large call waits for another large call to end. It is short enough to leave time
 * for the calculation. Waiting blocks the thread, so only threads for slow documents wait.
 */
const maxWaitMs: Readonly<Record<Lane, number>> = { quick: 0, reserve: 0, slow: 5_000 };
/**
 * Minimum number of calculation steps of a call after which its thread checks whether to collect garbage. Ordinary
 * edits take far fewer steps, and collecting after each of them would cost a third of their time.
 */
const heavySteps = 400_000;
const unlocked = 0;

/**
 * Data that a worker thread needs to use the lock for large calls. The buffer `holder` is shared by all threads and
 * contains the number of the thread that holds the lock.
 */
export interface LargeCallLockData {
  readonly holder: SharedArrayBuffer;
  /**
   * Number of the thread that receives this data, starting at 1. The buffer `holder` contains 0 while no thread holds
   * the lock.
   */
  readonly thread: number;
}

/**
 * A lock across threads for calls that need much memory. A thread holds a call's memory until garbage is collected.
 * Large calls therefore run one at a time, and garbage is collected before the lock is released.
 */
export class LargeCallLock {
  readonly #holder: Int32Array;
  readonly #thread: number;
  readonly #lane: Lane;
  readonly #waitMs: number;
  readonly #garbage = new HeapCollector();
  #steps = 0;

  constructor({ holder, thread }: LargeCallLockData, lane: Lane, waitMs = maxWaitMs[lane]) {
    this.#holder = new Int32Array(holder);
    this.#thread = thread;
    this.#lane = lane;
    this.#waitMs = waitMs;
  }

  /**
   * Rule for the memory of a call. A call that needs much memory takes the lock, so that only one such call runs at a
   * time. If the lock is not free in time, a thread for slow documents refuses the call; other threads move the call to
   * such a thread.
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

  /**
   * Rule for the memory of replaying logged revisions when a document is opened. The replay must succeed, so if another
   * thread still has the lock after the maximum wait, the replay continues without the lock.
   */
  readonly forReplay: Allowance['large'] = {
    from: largeBytes,
    begin: () => {
      this.#acquire();
      return undefined;
    },
  };

  /**
   * Records how many calculation steps the current call has taken. After a call with many steps, `release` collects
   * garbage if there is enough of it.
   */
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
   * Called after each request. If this thread holds the lock, frees the memory of its large call by a garbage
   * collection and then releases the lock. Otherwise collects garbage only after calls with many steps, and only if
   * there is enough of it.
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

/**
 * The main thread's part of the lock that lets one thread at a time run a large call. Releases the lock for threads
 * that ended unexpectedly.
 */
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

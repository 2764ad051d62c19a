import type { Allowance } from '@sheaf/engine';
import { ExceedsLaneBudget } from './call-budget.ts';
import { GarbageCollector } from './garbage-collector.ts';
import type { Lane } from './protocol.ts';

/** A call that uses more memory for arrays and texts is large; only one large call runs at a time. */
const largeBytes = 16 * 2 ** 20;
/**
 * Maximum wait for another large call; it leaves time for the calculation. Waiting blocks the thread, so only the slow
 * lane waits.
 */
const maxWaitMs: Readonly<Record<Lane, number>> = { quick: 0, reserve: 0, slow: 5_000 };
/**
 * Garbage is only checked after calls with this many steps. Edits and reads take far fewer, and collecting after them
 * would cost a third of their time.
 */
const heavySteps = 400_000;
const unlocked = 0;

/** The shared lock for large calls, as passed to a thread. */
export interface LargeCallLockData {
  readonly holder: SharedArrayBuffer;
  /** This thread's number, from 1. */
  readonly thread: number;
}

/**
 * A lock over all threads for calls that need much memory. Each thread may use the full memory of a call and holds it
 * until garbage collection, so large calls run one at a time and collect garbage before the next begins.
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

  /** For calls: the call is refused if the wait times out. */
  readonly forCall: Allowance['large'] = {
    from: largeBytes,
    begin: () => {
      if (this.#acquire()) return undefined;
      const rule = `the ${largeBytes} bytes of memory allowed while another large one is under way`;
      if (this.#lane !== 'slow') throw new ExceedsLaneBudget(rule);
      return rule;
    },
  };

  /** For replay, which must succeed: waits as long, then continues without the lock. */
  readonly forReplay: Allowance['large'] = {
    from: largeBytes,
    begin: () => {
      this.#acquire();
      return undefined;
    },
  };

  /** Receives the steps of the current call from time to time. */
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

  /** Called after each request: releases the lock and collects garbage if needed. */
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

/** The main thread's side of the lock; releases it if a thread is lost. */
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

import type { Allowance } from '@sheaf/engine';
import { BelongsInSlowLane } from './allowance.ts';
import { Garbage } from './garbage.ts';
import type { Lane } from './protocol.ts';

/** A call that uses more memory for arrays and texts is large; only one large call runs at a time. */
const largeBytes = 16 * 2 ** 20;
/**
 * Maximum wait for another large call; it leaves time for the calculation. Waiting blocks the thread, so only the slow
 * lane waits.
 */
const patienceMs: Readonly<Record<Lane, number>> = { quick: 0, refuge: 0, slow: 5_000 };
/**
 * Garbage is only checked after calls with this many steps. Edits and reads take far fewer, and collecting after them
 * would cost a third of their time.
 */
const heavySteps = 400_000;
const nobody = 0;

/** The shared lock for large calls, as passed to a thread. */
export interface LargeTurnData {
  readonly holder: SharedArrayBuffer;
  /** This thread's number, from 1. */
  readonly thread: number;
}

/**
 * A lock over all threads for calls that need much memory. Each thread may use the full memory of a call and holds it
 * until garbage collection, so large calls run one at a time and collect garbage before the next begins.
 */
export class LargeTurn {
  readonly #holder: Int32Array;
  readonly #thread: number;
  readonly #lane: Lane;
  readonly #waitMs: number;
  readonly #garbage = new Garbage();
  #steps = 0;

  constructor({ holder, thread }: LargeTurnData, lane: Lane, waitMs = patienceMs[lane]) {
    this.#holder = new Int32Array(holder);
    this.#thread = thread;
    this.#lane = lane;
    this.#waitMs = waitMs;
  }

  /** For calls: the call is refused if the wait times out. */
  readonly forCall: Allowance['large'] = {
    from: largeBytes,
    begin: () => {
      if (this.#begin()) return undefined;
      const rule = `the ${largeBytes} bytes of memory allowed while another large one is under way`;
      if (this.#lane !== 'slow') throw new BelongsInSlowLane(rule);
      return rule;
    },
  };

  /** For replay, which must succeed: waits as long, then continues without the lock. */
  readonly forReplay: Allowance['large'] = {
    from: largeBytes,
    begin: () => {
      this.#begin();
      return undefined;
    },
  };

  /** Receives the steps of the current call from time to time. */
  readonly worked = (steps: number): void => {
    this.#steps = Math.max(this.#steps, steps);
  };

  #begin(): boolean {
    const until = performance.now() + this.#waitMs;
    for (;;) {
      const before = Atomics.compareExchange(this.#holder, 0, nobody, this.#thread);
      if (before === nobody || before === this.#thread) return true;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return false;
      Atomics.wait(this.#holder, 0, before, leftMs);
    }
  }

  /** Called after each request: releases the lock and collects garbage if needed. */
  end(): void {
    const wasHeavy = this.#steps >= heavySteps;
    this.#steps = 0;
    if (Atomics.load(this.#holder, 0) !== this.#thread) {
      if (wasHeavy) this.#garbage.collectIfMuch();
      return;
    }
    this.#garbage.collect();
    endTurn(this.#holder, this.#thread);
  }
}

/** The main thread's side of the lock; releases it if a thread is lost. */
export class LargeTurns {
  readonly #holder = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

  dataFor(index: number): LargeTurnData {
    return { holder: this.#holder, thread: index + 1 };
  }

  lost(index: number): void {
    endTurn(new Int32Array(this.#holder), index + 1);
  }
}

function endTurn(holder: Int32Array, thread: number): void {
  if (Atomics.compareExchange(holder, 0, thread, nobody) === thread) Atomics.notify(holder, 0);
}

import type { Allowance } from '@sheaf/engine';
import { BelongsInSlowLane } from './allowance.ts';
import { Garbage } from './garbage.ts';
import type { Lane } from './protocol.ts';

/** A call that takes more memory for arrays and texts is a large one: of those one runs at a time. */
const largeBytes = 16 * 2 ** 20;
/**
 * Longer a call does not wait for the one before it: it has time left to calculate. Waiting stops the thread, so it is done
 * where nobody else waits.
 */
const patienceMs: Readonly<Record<Lane, number>> = { quick: 0, refuge: 0, slow: 5_000 };
/**
 * Steps of a call whose garbage is looked at: a formula that makes arrays takes more, an edit or a read far less, and those come
 * so often that collecting after them would cost a third of their time.
 */
const heavySteps = 400_000;
const nobody = 0;

/** The turn to be large, as a thread is handed it. */
export interface LargeTurnData {
  readonly holder: SharedArrayBuffer;
  /** This thread's number, from 1. */
  readonly thread: number;
}

/**
 * Threads that calculate beside each other each have all the memory a call may take, and keep what they took until their
 * collector looks. So large calls take turns, over all threads, and leave their memory before the next one begins.
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

  /** For a call: refused when it waited in vain. */
  readonly forCall: Allowance['large'] = {
    from: largeBytes,
    begin: () => {
      if (this.#begin()) return undefined;
      const rule = `the ${largeBytes} bytes of memory allowed while another large one is under way`;
      if (this.#lane !== 'slow') throw new BelongsInSlowLane(rule);
      return rule;
    },
  };

  /** For what has to be done in any case: it waits as long, and goes on. */
  readonly forReplay: Allowance['large'] = {
    from: largeBytes,
    begin: () => {
      this.#begin();
      return undefined;
    },
  };

  /** Now and then while a call is under way: the steps it has taken. */
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

  /** After whatever the thread was asked for. */
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

/** On the main thread: one turn for all threads, which a thread that is lost gives back. */
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

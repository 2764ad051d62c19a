import { inBackground, later, nextTurn } from '../../../lib/background.ts';

/** A group that takes longer than this blocks only writes that need one of its locks. */
const patienceMs = 50;
/** Maximum number of concurrent groups of one kind; each uses a connection. */
const maxAtOnce = 4;

/** A write to be batched. */
export interface Passenger {
  readonly locks: readonly string[];
}

interface Group {
  readonly locks: ReadonlySet<string>;
  readonly since: number;
}

/**
 * Write batcher: writes of one kind run in groups, each in one transaction. While a group runs, new writes queue up and
 * form the next group, so that groups grow with the load and no write waits for a timer. A slow group (a lock held
 * elsewhere, a large row) does not block the others: after `patienceMs` the next group starts concurrently. Writes with
 * the same lock keep their order: none starts while another with its lock is running or queued before it.
 */
export class Departures<Write extends Passenger> {
  readonly #run: (writes: readonly Write[]) => Promise<void>;
  readonly #most: number;
  readonly #underWay = new Set<Group>();
  #waiting: Write[] = [];
  #isDue = false;
  #patience: NodeJS.Timeout | undefined;

  constructor(run: (writes: readonly Write[]) => Promise<void>, most: number) {
    this.#run = run;
    this.#most = most;
  }

  add(write: Write): void {
    this.#waiting.push(write);
    this.#callSoon();
  }

  /** Starts a group in the next turn of the event loop, so that it includes all writes of this turn. */
  #callSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    nextTurn('sending a group of writes', () => {
      this.#isDue = false;
      this.#depart();
    });
  }

  #depart(): void {
    clearTimeout(this.#patience);
    if (this.#waiting.length === 0 || this.#underWay.size >= maxAtOnce) return;
    const newest = Math.max(...Array.from(this.#underWay, ({ since }) => since));
    const left = newest + patienceMs - performance.now();
    if (left > 0) {
      this.#patience = later('sending a group of writes', left, () => this.#depart());
      return;
    }
    const writes = this.#take();
    // The remaining writes need a lock of a running group; they start when that group ends.
    if (writes.length === 0) return;
    const group: Group = { locks: new Set(writes.flatMap(({ locks }) => locks)), since: performance.now() };
    this.#underWay.add(group);
    inBackground('a group of writes', async () => {
      try {
        await this.#run(writes);
      } finally {
        this.#underWay.delete(group);
        this.#callSoon();
      }
    });
    if (this.#waiting.length > 0) this.#callSoon();
  }

  #take(): Write[] {
    const taken: Write[] = [];
    const left: Write[] = [];
    const held = new Set<string>();
    for (const { locks } of this.#underWay) for (const lock of locks) held.add(lock);
    for (const write of this.#waiting) {
      if (taken.length < this.#most && !write.locks.some((lock) => held.has(lock))) taken.push(write);
      else {
        left.push(write);
        for (const lock of write.locks) held.add(lock);
      }
    }
    this.#waiting = left;
    return taken;
  }
}

import { inBackground, later, nextTurn } from '../../../lib/background.ts';

/** A group that takes longer than this keeps only those waiting that need one of its locks. */
const patienceMs = 50;
/** Groups of one kind that may be under way at the same time: each has a connection. */
const maxAtOnce = 4;

/** What waits to go. */
export interface Passenger {
  readonly locks: readonly string[];
}

interface Group {
  readonly locks: ReadonlySet<string>;
  readonly since: number;
}

/**
 * Writes of one kind leave in groups, each in one transaction: while a group is under way those who come wait, and then go
 * together. So the more there is to write, the more of it shares a transaction, and nobody waits for a timer. A group that
 * is slow (somebody else has a lock, a large row) does not hold up the others: after a while the next one leaves beside it.
 * Writes under one lock keep their order: none leaves while another of its lock is under way or waits in front of it.
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

  /** What comes in the same turn of the event loop goes together, and so do the next calls of those just answered. */
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
    // The others need a lock of those under way, whose end calls them.
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

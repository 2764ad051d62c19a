import { runInBackground, runDelayed, runInNextTurn } from '../../../lib/background-tasks.ts';

/**
 * Time in milliseconds after which a running group of writes counts as slow. The next group then starts, but without
 * writes that need a lock of the slow group.
 */
const slowGroupMs = 50;
/**
 * Maximum number of groups of writes (each group is one transaction) that run concurrently. Each uses a database
 * connection.
 */
const maxAtOnce = 4;

export interface BatchedWrite {
  readonly locks: readonly string[];
}

interface Group {
  readonly locks: ReadonlySet<string>;
  readonly since: number;
}

/**
 * Runs the writes with the same value of the option `batch` in groups, each group in one transaction. Writes that
 * arrive while a group runs are queued and form the next group, so groups grow with the load. No write is delayed only
 * to wait for more writes.
 *
 * If a group runs longer than `slowGroupMs`, because it waits for a lock or writes a large row, the next group starts
 * concurrently. Writes with the same lock keep their order: none starts while an earlier one with this lock is queued
 * or running.
 */
export class WriteBatcher<Write extends BatchedWrite> {
  readonly #run: (writes: readonly Write[]) => Promise<void>;
  readonly #most: number;
  readonly #running = new Set<Group>();
  #waiting: Write[] = [];
  #isDue = false;
  #slowTimer: NodeJS.Timeout | undefined;

  constructor(run: (writes: readonly Write[]) => Promise<void>, most: number) {
    this.#run = run;
    this.#most = most;
  }

  add(write: Write): void {
    this.#waiting.push(write);
    this.#scheduleStart();
  }

  /** Starts a group in the next turn of the event loop, so that the group includes all writes of this turn. */
  #scheduleStart(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    runInNextTurn('sending a group of writes', () => {
      this.#isDue = false;
      this.#startGroup();
    });
  }

  #startGroup(): void {
    clearTimeout(this.#slowTimer);
    if (this.#waiting.length === 0 || this.#running.size >= maxAtOnce) return;
    const newest = Math.max(...Array.from(this.#running, ({ since }) => since));
    const left = newest + slowGroupMs - performance.now();
    if (left > 0) {
      this.#slowTimer = runDelayed('sending a group of writes', left, () => this.#startGroup());
      return;
    }
    const writes = this.#take();
    // Do not start a group if every waiting write needs a lock of a running group. These writes start when that group
    // ends.
    if (writes.length === 0) return;
    const group: Group = { locks: new Set(writes.flatMap(({ locks }) => locks)), since: performance.now() };
    this.#running.add(group);
    runInBackground('a group of writes', async () => {
      try {
        await this.#run(writes);
      } finally {
        this.#running.delete(group);
        this.#scheduleStart();
      }
    });
    if (this.#waiting.length > 0) this.#scheduleStart();
  }

  #take(): Write[] {
    const taken: Write[] = [];
    const left: Write[] = [];
    const held = new Set<string>();
    for (const { locks } of this.#running) for (const lock of locks) held.add(lock);
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

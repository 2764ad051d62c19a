import { inBackground } from '../../../lib/background.ts';

/** What waits for its turn. */
export interface Waiting {
  /** Runs it by itself. */
  alone(): Promise<void>;
}

interface Line<Write> {
  /** Settles when the last in line has finished. */
  last: Promise<void>;
  /** Those who go together when it is their turn; nobody has called them yet. */
  next?: Write[];
}

/**
 * Queues writes by the names of their locks, in this process, so that waiting writers hold no connection. Those that came
 * together under one name go together when it is their turn.
 */
export class LockQueue<Write extends Waiting> {
  readonly #lines = new Map<string, Line<Write>>();
  readonly #together: (writes: readonly Write[]) => Promise<void>;
  readonly #most: number;

  constructor(together: (writes: readonly Write[]) => Promise<void>, most: number) {
    this.#together = together;
    this.#most = most;
  }

  add(locks: readonly string[], write: Write): void {
    const [lock] = locks;
    if (locks.length === 1 && lock !== undefined) this.#join(lock, write);
    else this.addAlone(locks, write);
  }

  /** In its turn, but in a transaction of its own. */
  addAlone(locks: readonly string[], write: Write): void {
    this.#enqueue(locks, () => write.alone());
  }

  #join(lock: string, write: Write): void {
    const waiting = this.#lines.get(lock)?.next;
    if (waiting && waiting.length < this.#most) {
      waiting.push(write);
      return;
    }
    const group = [write];
    this.#enqueue([lock], () => {
      const line = this.#lines.get(lock);
      if (line?.next === group) delete line.next;
      return group.length === 1 ? write.alone() : this.#together(group);
    });
    this.#lines.get(lock)!.next = group;
  }

  /** After all who are in line under any of the names. */
  #enqueue(locks: readonly string[], run: () => Promise<void>): void {
    const before = locks.flatMap((lock) => this.#lines.get(lock)?.last ?? []);
    const last = inBackground('a write under a lock', async () => {
      await Promise.all(before);
      await run();
    });
    for (const lock of locks) this.#lines.set(lock, { last });
    inBackground('leaving the queue of a lock', async () => {
      await last;
      for (const lock of locks) if (this.#lines.get(lock)?.last === last) this.#lines.delete(lock);
    });
  }
}

import { runInBackground } from '../../../lib/background-tasks.ts';
import type { WriteOptions } from '../database.ts';

type Lock = Pick<WriteOptions, 'lock'>;

/**
 * Returns the lock names of a write in sorted order. Taking locks in the same order on all nodes prevents deadlocks.
 */
export function locksOf({ lock = [] }: Lock): readonly string[] {
  if (typeof lock === 'string') return [lock];
  return 'shared' in lock ? [lock.shared] : [...new Set(lock)].sort();
}

export function isLockShared({ lock }: Lock): boolean {
  return typeof lock === 'object' && 'shared' in lock;
}

export interface QueuedWrite {
  /** Runs the write in its own transaction. */
  alone(): Promise<void>;
}

interface LockLine<Write> {
  /** Promise that settles when the last queued write with this lock has ended. */
  last: Promise<void>;
  /** The next group of writes for this lock. New writes can still join the group. */
  next?: Write[];
}

/**
 * Queues writes by the names of their locks within this process, so that a waiting write occupies no database
 * connection. Writes that wait for the same single lock run as a group, that is, in one transaction.
 */
export class LockQueue<Write extends QueuedWrite> {
  readonly #lines = new Map<string, LockLine<Write>>();
  readonly #runGroup: (writes: readonly Write[]) => Promise<void>;
  readonly #most: number;

  constructor(runGroup: (writes: readonly Write[]) => Promise<void>, most: number) {
    this.#runGroup = runGroup;
    this.#most = most;
  }

  add(locks: readonly string[], write: Write): void {
    const [lock] = locks;
    if (locks.length === 1 && lock !== undefined) this.#join(lock, write);
    else this.addAlone(locks, write);
  }

  /** Queues a write that shares its transaction with no other write. */
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
      return group.length === 1 ? write.alone() : this.#runGroup(group);
    });
    this.#lines.get(lock)!.next = group;
  }

  /** Calls `run` after all writes that are already queued under any of these locks have ended. */
  #enqueue(locks: readonly string[], run: () => Promise<void>): void {
    const before = locks.flatMap((lock) => this.#lines.get(lock)?.last ?? []);
    const last = runInBackground('a write under a lock', async () => {
      await Promise.all(before);
      await run();
    });
    for (const lock of locks) this.#lines.set(lock, { last });
    runInBackground('leaving the queue of a lock', async () => {
      await last;
      for (const lock of locks) if (this.#lines.get(lock)?.last === last) this.#lines.delete(lock);
    });
  }
}

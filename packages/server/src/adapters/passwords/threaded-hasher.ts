import { WorkerThread, ThreadTerminated } from '../../lib/worker-thread.ts';
import type { PasswordHasher } from '../../ports/password-hasher.ts';
import { Unavailable } from '../../ports/availability-errors.ts';

export interface PasswordTask {
  password: string;
  /** Hash to verify the password against. If undefined, a new hash is computed. */
  stored?: string;
}

const maxWaiting = 64;
const idleMs = 30_000;

/**
 * Hashes passwords one after another in a worker thread, which is started on demand and ended when idle. A hash takes
 * tens of milliseconds and 19 MiB. Node's own thread pool is not used, because hashing there would delay every fsync of
 * the database's log.
 */
export class ThreadedPasswordHasher implements PasswordHasher {
  readonly #thread: WorkerThread;

  constructor(script: string | URL) {
    this.#thread = new WorkerThread({ name: 'password thread', script, isIsolated: true, idleMs });
  }

  hash(password: string): Promise<string> {
    return this.#ask({ password });
  }

  verify(stored: string, password: string): Promise<boolean> {
    return this.#ask({ password, stored });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #ask<Answer>(task: PasswordTask): Promise<Answer> {
    if (this.#thread.load >= maxWaiting) throw new Unavailable('too many passwords wait to be checked');
    try {
      return await this.#thread.run<Answer>(task);
    } catch (error) {
      throw error instanceof ThreadTerminated ? new Unavailable(error.message, error.cause) : error;
    }
  }
}

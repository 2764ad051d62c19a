import { runInBackground } from '../../../lib/background-tasks.ts';
/**
 * Shares disk syncs among writers (group commit). All requests made during a sync share the next one, so a thousand
 * writers cost one sync. Syncs run outside the event loop.
 */
export class GroupSync {
  readonly #sync: () => Promise<void>;
  #round: Promise<void> | undefined;
  #waiting: { resolve: () => void; reject: (reason: unknown) => void }[] = [];
  #failure: { reason: unknown } | undefined;

  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /**
   * Waits for a disk sync that begins after this call. After a failed sync, every later request fails too. An
   * operating system may report a lost write only once, so a later success proves nothing.
   */
  request(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.reason);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#round ??= runInBackground('syncing', () => this.#syncAll());
    });
  }

  async idle(): Promise<void> {
    await this.#round;
  }

  async #syncAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        await this.#sync();
        for (const waiter of group) waiter.resolve();
      } catch (error) {
        this.#failure = { reason: error };
        for (const waiter of [...group, ...this.#waiting]) waiter.reject(error);
        this.#waiting = [];
      }
    }
    this.#round = undefined;
  }
}

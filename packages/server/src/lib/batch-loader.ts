import { runInNextTurn } from './background-tasks.ts';

interface PendingLoad<Value> {
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/** Combines all `load` calls made before the next turn of the event loop into one query. */
export class BatchLoader<Value extends { readonly id: string }> {
  readonly #loadAll: (ids: readonly string[]) => Promise<readonly Value[]>;
  #pending = new Map<string, PendingLoad<Value>[]>();

  /** `ask` loads the values of many ids in one query. It leaves out ids that do not exist. */
  constructor(ask: (ids: readonly string[]) => Promise<readonly Value[]>) {
    this.#loadAll = ask;
  }

  load(id: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#pending.size === 0) runInNextTurn('asking for several at once', () => this.#loadBatch());
      const others = this.#pending.get(id);
      if (others) others.push({ resolve, reject });
      else this.#pending.set(id, [{ resolve, reject }]);
    });
  }

  async #loadBatch(): Promise<void> {
    const waiting = this.#pending;
    this.#pending = new Map();
    try {
      const found = new Map((await this.#loadAll([...waiting.keys()])).map((value) => [value.id, value]));
      for (const [id, askers] of waiting) for (const asker of askers) asker.resolve(found.get(id));
    } catch (error) {
      for (const askers of waiting.values()) for (const asker of askers) asker.reject(error);
    }
  }
}

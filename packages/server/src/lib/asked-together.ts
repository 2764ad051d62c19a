import { nextTurn } from './background.ts';

interface Asker<Value> {
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/** Batch loader: combines all `get` calls made before the next turn of the event loop into one query. */
export class AskedTogether<Value extends { readonly id: string }> {
  readonly #ask: (ids: readonly string[]) => Promise<readonly Value[]>;
  #waiting = new Map<string, Asker<Value>[]>();

  /** `ask` omits ids that do not exist. */
  constructor(ask: (ids: readonly string[]) => Promise<readonly Value[]>) {
    this.#ask = ask;
  }

  get(id: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) nextTurn('asking for several at once', () => this.#askForAll());
      const others = this.#waiting.get(id);
      if (others) others.push({ resolve, reject });
      else this.#waiting.set(id, [{ resolve, reject }]);
    });
  }

  async #askForAll(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    try {
      const found = new Map((await this.#ask([...waiting.keys()])).map((value) => [value.id, value]));
      for (const [id, askers] of waiting) for (const asker of askers) asker.resolve(found.get(id));
    } catch (error) {
      for (const askers of waiting.values()) for (const asker of askers) asker.reject(error);
    }
  }
}

import { nextTurn } from './background.ts';

interface Asker<Value> {
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/** One question for all who ask for things in the same turn of the event loop: a question has its price, however small. */
export class AskedTogether<Value extends { readonly id: string }> {
  readonly #ask: (ids: readonly string[]) => Promise<readonly Value[]>;
  #waiting = new Map<string, Asker<Value>[]>();

  /** `ask` leaves out what is not there. */
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

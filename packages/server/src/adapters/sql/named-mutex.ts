/** Runs work with the same name one after another within this process. Work with different names runs concurrently. */
export class NamedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(name: string, body: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(body, body);
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }
}

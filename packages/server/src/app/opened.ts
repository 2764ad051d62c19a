import { reportFailure } from '../lib/background.ts';

/** What is open, with how each is closed: in the reverse order, so that nothing loses what it stands on. */
export class Opened {
  readonly #closers: { name: string; close: () => unknown }[] = [];

  add<Part>(name: string, part: Part, close: (part: Part) => unknown): Part {
    this.#closers.push({ name, close: () => close(part) });
    return part;
  }

  /** One that cannot be closed is told of and keeps none of the others open. */
  async close(): Promise<void> {
    for (const { name, close } of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        reportFailure(`closing ${name}`, error);
      }
    }
  }
}

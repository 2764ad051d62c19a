import { reportBackgroundError } from '../lib/background-tasks.ts';

/** Holds open resources and closes them in reverse order, so that a resource is closed before those it depends on. */
export class ResourceStack {
  readonly #closers: { name: string; close: () => unknown }[] = [];

  add<Part>(name: string, part: Part, close: (part: Part) => unknown): Part {
    this.#closers.push({ name, close: () => close(part) });
    return part;
  }

  /** Closes all resources. If one fails to close, the error is logged and the others are still closed. */
  async close(): Promise<void> {
    for (const { name, close } of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        reportBackgroundError(`closing ${name}`, error);
      }
    }
  }
}

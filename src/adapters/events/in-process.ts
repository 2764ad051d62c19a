import { nextTurn } from '../../lib/background.ts';
import type { Log } from '../../lib/log.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import { eventText, isSurelyShort, Listeners } from './listeners.ts';

/** For a single node. Listeners hear it after the publisher's own step, as they would from another node. */
export class InProcessEventBus implements EventBus {
  readonly #listeners: Listeners;

  constructor(log?: Log) {
    this.#listeners = new Listeners((error, topic) =>
      log?.error({ error: String(error), topic }, 'an event listener failed'),
    );
  }

  async publish(topic: string, data: unknown): Promise<void> {
    // Most edits happen while nobody listens: no text is made for nobody, but what is too large is refused all the same.
    if (!this.#listeners.has(topic) && isSurelyShort(topic, data)) return;
    // Through JSON, so that both buses deliver the same shape and nobody shares a mutable object.
    const copy = JSON.parse(eventText(topic, data)) as { data: unknown };
    nextTurn(`telling listeners of ${topic}`, () => this.#listeners.tell(topic, copy.data));
  }

  subscribe(topic: string, listener: (data: unknown) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

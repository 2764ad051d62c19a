import { nextTurn } from '../../lib/background.ts';
import type { Log } from '../../lib/log.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import { eventText, Listeners } from './listeners.ts';

/** Event bus for a single node. Listeners are called in a later turn of the event loop, as with events from another node. */
export class InProcessEventBus implements EventBus {
  readonly #listeners: Listeners;

  constructor(log?: Log) {
    this.#listeners = new Listeners((error, topic) => log?.error({ err: error, topic }, 'an event listener failed'));
  }

  async publish(topic: string, data: unknown): Promise<void> {
    // Most edits have no listeners.
    if (!this.#listeners.has(topic)) return;
    const text = eventText(topic, data);
    // Copy through JSON, so that both buses deliver the same data and no mutable object is shared.
    const copy = JSON.parse(text) as { data: unknown };
    nextTurn(`telling listeners of ${topic}`, () => this.#listeners.tell(topic, copy.data));
  }

  subscribe(topic: string, listener: (data: unknown) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  /** Within one process no event is lost. */
  onGap(): () => void {
    return () => undefined;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

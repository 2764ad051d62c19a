import { nextTurn } from '../../lib/background.ts';
import type { Log } from '../../lib/log.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import { eventText, Listeners } from './listeners.ts';

/** For a single node. Listeners hear it after the publisher's own step, as they would from another node. */
export class InProcessEventBus implements EventBus {
  readonly #listeners: Listeners;

  constructor(log?: Log) {
    this.#listeners = new Listeners((error, topic) => log?.error({ err: error, topic }, 'an event listener failed'));
  }

  async publish(topic: string, data: unknown): Promise<void> {
    // Nearly every edit is heard by nobody.
    if (!this.#listeners.has(topic)) return;
    const text = eventText(topic, data);
    // Through JSON, so that both buses deliver the same shape and nobody shares a mutable object.
    const copy = JSON.parse(text) as { data: unknown };
    nextTurn(`telling listeners of ${topic}`, () => this.#listeners.tell(topic, copy.data));
  }

  subscribe(topic: string, listener: (data: unknown) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  /** Within one process nothing is lost. */
  onGap(): () => void {
    return () => undefined;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

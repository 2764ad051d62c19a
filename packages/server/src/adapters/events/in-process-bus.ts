import { runInNextTurn } from '../../lib/background-tasks.ts';
import type { Logger } from '../../lib/logger.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import { encodeEvent, TopicListeners } from './topic-listeners.ts';

/**
 * Event bus for an installation with a single node (server process). It calls listeners in a later turn of the event
 * loop, as if the event came from another node.
 */
export class InProcessEventBus implements EventBus {
  readonly #listeners: TopicListeners;

  constructor(log?: Logger) {
    this.#listeners = new TopicListeners((error, topic) =>
      log?.error({ err: error, topic }, 'an event listener failed'),
    );
  }

  async publish(topic: string, data: unknown): Promise<void> {
    // Return before encoding the event, because most events have no listeners.
    if (!this.#listeners.has(topic)) return;
    const text = encodeEvent(topic, data);
    // Copy the event through JSON, so that listeners share no mutable object and receive the same data as from
    // PostgresEventBus.
    const copy = JSON.parse(text) as { data: unknown };
    runInNextTurn(`telling listeners of ${topic}`, () => this.#listeners.dispatch(topic, copy.data));
  }

  subscribe(topic: string, listener: (data: unknown) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  ready(): undefined {}

  /** Never calls the listener, because a gap (events lost with a broken connection) cannot occur within one process. */
  onGap(): () => void {
    return () => undefined;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

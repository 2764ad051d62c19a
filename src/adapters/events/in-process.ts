import type { EventBus } from '../../ports/event-bus.ts';

type Listener = (data: unknown) => void;

/** Topics and their listeners; what both buses share. */
export class Listeners {
  readonly #byTopic = new Map<string, Set<Listener>>();

  add(topic: string, listener: Listener): () => void {
    const listeners = this.#byTopic.get(topic) ?? new Set();
    listeners.add(listener);
    this.#byTopic.set(topic, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byTopic.get(topic) === listeners) this.#byTopic.delete(topic);
    };
  }

  tell(topic: string, data: unknown): void {
    for (const listener of this.#byTopic.get(topic) ?? []) listener(data);
  }

  clear(): void {
    this.#byTopic.clear();
  }
}

/** For a single node. Listeners hear it after the publisher's own step, as they would from another node. */
export class InProcessEventBus implements EventBus {
  readonly #listeners = new Listeners();

  async publish(topic: string, data: unknown): Promise<void> {
    // Through JSON, so that both buses deliver the same shape and nobody shares a mutable object.
    const copy: unknown = JSON.parse(JSON.stringify(data));
    setImmediate(() => this.#listeners.tell(topic, copy));
  }

  subscribe(topic: string, listener: Listener): () => void {
    return this.#listeners.add(topic, listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

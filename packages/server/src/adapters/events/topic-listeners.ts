type Listener = (data: unknown) => void;

/**
 * Maximum size of an encoded event in bytes, including its topic. PostgreSQL's NOTIFY accepts just under 8,000 bytes,
 * and the in-process bus applies the same limit.
 */
const maxTextLength = 7000;

export class TopicListeners {
  readonly #byTopic = new Map<string, Set<Listener>>();
  readonly #onError: (error: unknown, topic: string) => void;
  readonly #gaps = new Set<(isReset: boolean) => void>();

  constructor(onError: (error: unknown, topic: string) => void) {
    this.#onError = onError;
  }

  add(topic: string, listener: Listener): () => void {
    const listeners = this.#byTopic.get(topic) ?? new Set();
    // Wrap the listener in a new function. The same listener can then be added twice, and each unsubscribe removes only
    // one of them.
    const own: Listener = (data) => listener(data);
    listeners.add(own);
    this.#byTopic.set(topic, listeners);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#byTopic.get(topic) === listeners) this.#byTopic.delete(topic);
    };
  }

  has(topic: string): boolean {
    return this.#byTopic.has(topic);
  }

  /** Calls the listeners of a topic. If one throws, the error is logged and the other listeners are still called. */
  dispatch(topic: string, data: unknown): void {
    for (const listener of this.#byTopic.get(topic) ?? []) {
      try {
        listener(data);
      } catch (error) {
        this.#onError(error, topic);
      }
    }
  }

  addGapListener(listener: (isReset: boolean) => void): () => void {
    const own = (isReset: boolean): void => listener(isReset);
    this.#gaps.add(own);
    return () => void this.#gaps.delete(own);
  }

  dispatchGap(isReset: boolean): void {
    for (const listener of this.#gaps) {
      try {
        listener(isReset);
      } catch (error) {
        this.#onError(error, 'gap');
      }
    }
  }

  clear(): void {
    this.#gaps.clear();
    this.#byTopic.clear();
  }
}

export function encodeEvent(topic: string, data: unknown): string {
  const text = JSON.stringify({ topic, data });
  const length = Buffer.byteLength(text);
  if (length > maxTextLength)
    throw new Error(`data: an event must be at most ${maxTextLength} bytes as JSON (${topic} got ${length})`);
  return text;
}

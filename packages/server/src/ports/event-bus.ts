/**
 * Sends events between modules and nodes, at most once and in order per sender. Events are hints: a listener that
 * misses one finds the same facts in the store. `data` must be small JSON (under 7,000 bytes as text).
 */
export interface EventBus {
  publish(topic: string, data: unknown): Promise<void>;
  /** Adds a listener for a topic. Returns a function that removes it. */
  subscribe(topic: string, listener: (data: unknown) => void): () => void;
  /**
   * Returns undefined if events of these topics from other nodes reach this one; otherwise a promise that resolves when
   * they do. Who tells a listener the current state waits for it before reading that state.
   */
  ready(topics: readonly string[]): Promise<void> | undefined;
  /**
   * Adds a listener that is called after a connection loss in which events may have been lost. `isReset` is true if the
   * database was replaced, so that earlier events may describe writes that no longer exist. Returns a function that
   * removes the listener.
   */
  onGap(listener: (isReset: boolean) => void): () => void;
  close(): Promise<void>;
}

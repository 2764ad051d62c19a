/**
 * Sends events between modules and nodes, at most once and in order per sender. Events are only hints: a listener that
 * misses one must find the change in the store. `data` must be small JSON (under 7,000 bytes as text).
 */
export interface EventBus {
  publish(topic: string, data: unknown): Promise<void>;
  /** Adds a listener for a topic. Returns a function that removes it. */
  subscribe(topic: string, listener: (data: unknown) => void): () => void;
  /**
   * Returns a promise that resolves when events of these topics from other nodes reach this node, or undefined if they
   * already do. Await it before reading state for a new listener, so that no later change is missed.
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

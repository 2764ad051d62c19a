/**
 * Events between modules and nodes. Delivered at most once, in order per sender. Events are hints: the store has the
 * same facts for listeners that miss one. `data` must be small JSON (under 7,000 bytes as text).
 */
export interface EventBus {
  publish(topic: string, data: unknown): Promise<void>;
  /** Returns a function that unsubscribes. */
  subscribe(topic: string, listener: (data: unknown) => void): () => void;
  /**
   * Calls the listener after a connection loss in which events may have been lost. `isReset` is true if the database
   * was restored from a backup, so that earlier events may describe writes that no longer exist. Returns a function
   * that unsubscribes.
   */
  onGap(listener: (isReset: boolean) => void): () => void;
  close(): Promise<void>;
}

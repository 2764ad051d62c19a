/**
 * News between parts and between nodes. At most once, in order per sender, never a source of truth: whoever
 * misses an event finds the same in the store. `data` must be small JSON (under 7,000 bytes as text).
 */
export interface EventBus {
  publish(topic: string, data: unknown): Promise<void>;
  /** Returns how to stop listening. */
  subscribe(topic: string, listener: (data: unknown) => void): () => void;
  /**
   * Calls the listener when events may have been lost on the way to this node, and arrive again; with true where what was
   * told before may never have been, because the database was put back. Returns how to stop.
   */
  onGap(listener: (isReset: boolean) => void): () => void;
  close(): Promise<void>;
}

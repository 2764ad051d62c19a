/** What carries changes from the stores to the search index. */
export interface SearchFeed {
  /** Something changed; returns at once. Without it a change is found some seconds later. */
  poke(): void;
  /** Resolves when all that was written before is indexed. */
  drained(): Promise<void>;
  /**
   * Waits a moment for what was written to a space before, by any node, to be indexed; false when it is not by then. So a
   * search sees what its caller was told is written, or says that it may not.
   */
  caughtUp(space: string): Promise<boolean>;
}

/** What carries changes from the stores to the search index. */
export interface SearchFeed {
  /** Something changed; returns at once. Without it a change is found some seconds later. */
  poke(): void;
  /** Resolves when all that was written before is indexed. */
  drained(): Promise<void>;
  /**
   * Waits until what the user has written to a space before, by any node, is indexed, at most 5 s; false when it is not by
   * then, or the index is being rebuilt. So a search sees what its caller was told is written, or says that it may not. For
   * what others have written it waits only a moment.
   */
  caughtUp(space: string, userId: string): Promise<boolean>;
}

export interface SearchFeed {
  /**
   * Starts indexing new changes now and returns immediately. Without this call, a change is indexed some seconds later.
   */
  wake(): void;
  /** Waits until all changes written before the call are indexed. */
  waitUntilDrained(): Promise<void>;
  /**
   * Waits until the user's earlier writes to entries of one kind (`space`) are indexed, but at most 5 s. This includes
   * writes on other nodes. Waits only briefly for the writes of other users. Returns false if the search may be
   * incomplete because writes are still pending or the index is being rebuilt.
   */
  waitForOwnWrites(space: string, userId: string): Promise<boolean>;
}

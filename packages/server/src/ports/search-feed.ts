export interface SearchFeed {
  /**
   * Starts indexing new changes now and returns immediately. Without this call, a change is indexed some seconds later.
   */
  wake(): void;
  /** Waits until all changes written before the call are indexed. */
  waitUntilDrained(): Promise<void>;
  /**
   * Waits up to 5 s until the user's earlier writes to one kind of entries (`space`), on any node, are indexed, and
   * briefly for other users' writes. Returns false if the search may be incomplete because writes are still pending or
   * the index is being rebuilt.
   */
  waitForOwnWrites(space: string, userId: string): Promise<boolean>;
}

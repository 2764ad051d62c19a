export interface SearchFeed {
  /**
   * Starts indexing new changes now, without waiting for the end. Without this call, a change is indexed some seconds
   * later.
   */
  wake(): void;
  /** Waits until all changes written before the call are indexed. */
  waitUntilDrained(): Promise<void>;
  /**
   * Waits up to 5 s until the user's earlier writes to one kind of entries (`space`), made on any node, are indexed,
   * and briefly for other users' writes. Returns false if the user's writes are not indexed by then, many other writes
   * are pending, or the index is being rebuilt. A search can then report that it may be incomplete.
   */
  waitForOwnWrites(space: string, userId: string): Promise<boolean>;
}

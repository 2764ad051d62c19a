export interface SearchFeed {
  /**
   * Makes the feed index new changes at once; does not wait for it. Without this call, a change is indexed some seconds
   * later.
   */
  wake(): void;
  /** Waits until all changes written before the call are indexed. */
  waitUntilDrained(): Promise<void>;
  /**
   * Waits up to 5 s until the user's earlier writes to a space, made on any node, are indexed. Waits only briefly for
   * other users' writes. Returns false if they are not indexed by then or the index is being rebuilt, so that a search
   * can report that it may be incomplete.
   */
  waitForOwnWrites(space: string, userId: string): Promise<boolean>;
}

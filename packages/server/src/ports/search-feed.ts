/** Feeds changes from the stores to the search index. */
export interface SearchFeed {
  /** Wakes the feed after a change; returns at once. Without it, the change is indexed some seconds later. */
  wake(): void;
  /** Resolves when everything written before the call is indexed. */
  waitUntilDrained(): Promise<void>;
  /**
   * Waits up to 5 s until the user's earlier writes to a space, made on any node, are indexed. Returns false if they
   * are not by then, or the index is being rebuilt, so that a search can report that it may be incomplete. Waits only
   * briefly for other users' writes.
   */
  waitForOwnWrites(space: string, userId: string): Promise<boolean>;
}

/** Feeds changes from the stores to the search index. */
export interface SearchFeed {
  /** Wakes the feed after a change; returns at once. Without it, the change is indexed some seconds later. */
  poke(): void;
  /** Resolves when everything written before the call is indexed. */
  drained(): Promise<void>;
  /**
   * Waits up to 5 s until the user's earlier writes to a space, made on any node, are indexed. Returns false if they
   * are not by then, or the index is being rebuilt, so that a search can report that it may be incomplete. Waits only
   * briefly for other users' writes.
   */
  caughtUp(space: string, userId: string): Promise<boolean>;
}

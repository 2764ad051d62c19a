/** What carries changes from the stores to the search index. */
export interface SearchFeed {
  /** Something changed; returns at once. Without it a change is found some seconds later. */
  poke(): void;
  /** Resolves when all that was written before is indexed. */
  drained(): Promise<void>;
}

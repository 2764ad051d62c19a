import type { FetchParts, SegmentReader } from '@sheaf/search/index/segment-reader';

/** Read access to the segments of a search index. */
export interface SegmentStore {
  /**
   * Returns the current segments (parts of the search index) of a space. A space is a kind of document, such as `note`.
   * Deleted documents are marked in the segments.
   */
  segments(space: string): Promise<readonly SegmentReader[]>;
  /**
   * Returns the segments that the store has in memory, without asking the database. They may be outdated. Exists only
   * if `segments` needs a network round trip; parts of these segments can then be prefetched during that round trip.
   */
  cachedSegments?(space: string): readonly SegmentReader[];
  /** Fetches segment parts. Rejects with SegmentNotFound if a segment has been merged into another one. */
  parts: FetchParts;
  /**
   * Looks up the document numbers of these ids. Returns a map from document numbers to ids, without the ids that are
   * not indexed.
   */
  numbers(space: string, ids: readonly string[]): Promise<ReadonlyMap<number, string>>;
}

export class SegmentNotFound extends Error {
  constructor() {
    super('a segment of the search index was merged into another while it was read');
    this.name = 'SegmentNotFound';
  }
}

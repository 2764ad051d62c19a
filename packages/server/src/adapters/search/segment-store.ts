import type { FetchParts, OpenSegment } from '@sheaf/search/index/open-segment';

/** Where the segments of an index lie: what a question needs of them. */
export interface SegmentStore {
  /** The segments of a space as they are now, what is gone marked. */
  segments(space: string): Promise<readonly OpenSegment[]>;
  /** The segments as they were last seen, where asking takes a while: what will be read of them can be fetched meanwhile. */
  lastSeen?(space: string): readonly OpenSegment[];
  /** Rejects with SegmentGone when one of the segments was merged into another meanwhile. */
  parts: FetchParts;
  /** The ids by the numbers of their documents; those that are not there are left out. */
  numbers(space: string, ids: readonly string[]): Promise<ReadonlyMap<number, string>>;
}

export class SegmentGone extends Error {
  constructor() {
    super('a segment of the search index was merged into another while it was read');
    this.name = 'SegmentGone';
  }
}

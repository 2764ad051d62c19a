import type { FetchParts, OpenSegment } from '@sheaf/search/index/open-segment';

/** Read access to the segments of an index. */
export interface SegmentStore {
  /** The current segments of a space, with deleted documents marked. */
  segments(space: string): Promise<readonly OpenSegment[]>;
  /** The cached segments, for stores where `segments` takes a while: their parts can be prefetched meanwhile. */
  lastSeen?(space: string): readonly OpenSegment[];
  /** Rejects with SegmentGone if a segment was merged into another meanwhile. */
  parts: FetchParts;
  /** Maps document numbers to ids; missing ids are left out. */
  numbers(space: string, ids: readonly string[]): Promise<ReadonlyMap<number, string>>;
}

export class SegmentGone extends Error {
  constructor() {
    super('a segment of the search index was merged into another while it was read');
    this.name = 'SegmentGone';
  }
}

import type { FetchParts, SegmentReader } from '@sheaf/search/index/segment-reader';

/** Read access to the segments of an index. */
export interface SegmentStore {
  /** The current segments of a space, with deleted documents marked. */
  segments(space: string): Promise<readonly SegmentReader[]>;
  /** The cached segments, for stores where `segments` takes a while: their parts can be prefetched meanwhile. */
  cachedSegments?(space: string): readonly SegmentReader[];
  /** Rejects with SegmentNotFound if a segment was merged into another meanwhile. */
  parts: FetchParts;
  /** Maps document numbers to ids; missing ids are left out. */
  numbers(space: string, ids: readonly string[]): Promise<ReadonlyMap<number, string>>;
}

export class SegmentNotFound extends Error {
  constructor() {
    super('a segment of the search index was merged into another while it was read');
    this.name = 'SegmentNotFound';
  }
}

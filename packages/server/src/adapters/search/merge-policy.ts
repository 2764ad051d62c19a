/** Number and size of a segment, which is an immutable part of the search index. */
export interface SegmentSize {
  number: number;
  documents: number;
  bytes: number;
}

/**
 * Number of segments of similar size that are merged into one. Because segments grow by about this factor with each
 * merge, each document is merged only a few times in total.
 */
const mergeFactor = 8;
/** Maximum size of a merged segment in bytes. Rewriting larger segments gains too little. */
const maxBytes = 96 * 2 ** 20;
/** Share of deleted documents in a segment above which the segment is compacted (rewritten without them). */
const maxDeletedRatio = 0.3;
const minDeleted = 64;

/** Returns the size class of a segment by its number of documents: 0 up to 64, 1 up to 512, and so on. */
function sizeClass({ documents }: SegmentSize): number {
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, documents) / 64) / 3));
}

/**
 * Returns the numbers of the segments of one size class that should be merged, or undefined if no merge is needed. A
 * merge needs at least `mergeFactor` segments, or only two while the index is idle.
 */
export function segmentsToMerge(segments: readonly SegmentSize[], isIdle: boolean): number[] | undefined {
  const classes = new Map<number, SegmentSize[]>();
  for (const segment of segments) {
    const size = sizeClass(segment);
    classes.set(size, [...(classes.get(size) ?? []), segment]);
  }
  for (const [, list] of [...classes].sort(([one], [other]) => one - other)) {
    const fitting = smallestOf(list);
    if (fitting.length >= (isIdle ? 2 : mergeFactor)) return fitting.map((segment) => segment.number);
  }
  return undefined;
}

/** Returns whether so many documents (`gone`) are deleted that segments should be rewritten without them. */
export function exceedsDeleteRatio(segments: readonly SegmentSize[], gone: number): boolean {
  const documents = segments.reduce((sum, segment) => sum + segment.documents, 0);
  return gone > minDeleted && gone > documents * maxDeletedRatio;
}

/**
 * Returns the numbers of the segments to merge into one without their deleted documents: those with the largest share
 * of deleted documents, as many as fit into the maximum size. Returns undefined if no segment exceeds
 * `maxDeletedRatio`.
 */
export function segmentsToCompact(
  segments: readonly SegmentSize[],
  goneIn: ReadonlyMap<number, number>,
): number[] | undefined {
  const shareOf = ({ number, documents }: SegmentSize): number =>
    documents === 0 ? 0 : (goneIn.get(number) ?? 0) / documents;
  let bytes = 0;
  const worn = segments
    .filter((segment) => shareOf(segment) > maxDeletedRatio)
    .toSorted((one, other) => shareOf(other) - shareOf(one))
    .filter((segment, i) => (bytes += segment.bytes * (1 - shareOf(segment))) <= maxBytes || i === 0);
  return worn.length === 0 ? undefined : worn.map((segment) => segment.number);
}

function smallestOf(list: readonly SegmentSize[]): SegmentSize[] {
  let bytes = 0;
  return list
    .toSorted((one, other) => one.bytes - other.bytes)
    .filter((segment) => (bytes += segment.bytes) <= maxBytes);
}

/** A segment as a store lists it. */
export interface SegmentSize {
  number: number;
  documents: number;
  bytes: number;
}

/** So many segments of about the same size become one: every document is merged a handful of times in all. */
const together = 8;
/** Segments grow up to this; a larger one would be rewritten for too little. */
const maxBytes = 96 * 2 ** 20;
/** What has lost so much is written anew. */
const goneShare = 0.3;
const fewGone = 64;

/** Of how many documents: up to 64, up to 512, and so on. */
function sizeClass({ documents }: SegmentSize): number {
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, documents) / 64) / 3));
}

/** Which segments of a size should become one now; undefined: none. When nothing else is to do, two of them are enough. */
export function segmentsToMerge(segments: readonly SegmentSize[], isIdle: boolean): number[] | undefined {
  const classes = new Map<number, SegmentSize[]>();
  for (const segment of segments) {
    const size = sizeClass(segment);
    classes.set(size, [...(classes.get(size) ?? []), segment]);
  }
  for (const [, list] of [...classes].sort(([one], [other]) => one - other)) {
    const fitting = smallestOf(list);
    if (fitting.length >= (isIdle ? 2 : together)) return fitting.map((segment) => segment.number);
  }
  return undefined;
}

/** Whether so much is gone that segments are worth writing anew. */
export function isWorn(segments: readonly SegmentSize[], gone: number): boolean {
  const documents = segments.reduce((sum, segment) => sum + segment.documents, 0);
  return gone > fewGone && gone > documents * goneShare;
}

/**
 * Which segments are written anew, together: those that have lost the largest share, as many as make one of a size that is
 * allowed. Each of them has lost something, so that there is less to do after every time.
 */
export function wornSegments(
  segments: readonly SegmentSize[],
  goneIn: ReadonlyMap<number, number>,
): number[] | undefined {
  const shareOf = ({ number, documents }: SegmentSize): number =>
    documents === 0 ? 0 : (goneIn.get(number) ?? 0) / documents;
  let bytes = 0;
  const worn = segments
    .filter((segment) => shareOf(segment) > goneShare)
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

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
/** Everything is written anew when so much of it is gone. */
const goneShare = 0.3;
const fewGone = 64;

/** Of how many documents: up to 64, up to 512, and so on. */
function sizeClass({ documents }: SegmentSize): number {
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, documents) / 64) / 3));
}

/** Which segments should become one now; undefined: none. When nothing else is to do, two of a size are enough. */
export function segmentsToMerge(segments: readonly SegmentSize[], gone: number, isIdle: boolean): number[] | undefined {
  const classes = new Map<number, SegmentSize[]>();
  for (const segment of segments) {
    const size = sizeClass(segment);
    classes.set(size, [...(classes.get(size) ?? []), segment]);
  }
  for (const [, list] of [...classes].sort(([one], [other]) => one - other)) {
    const fitting = smallestOf(list);
    if (fitting.length >= (isIdle ? 2 : together)) return fitting.map((segment) => segment.number);
  }
  const documents = segments.reduce((sum, segment) => sum + segment.documents, 0);
  if (gone <= fewGone || gone <= documents * goneShare) return undefined;
  const worn = smallestOf(segments);
  return worn.length === 0 ? undefined : worn.map((segment) => segment.number);
}

function smallestOf(list: readonly SegmentSize[]): SegmentSize[] {
  let bytes = 0;
  return list
    .toSorted((one, other) => one.bytes - other.bytes)
    .filter((segment) => (bytes += segment.bytes) <= maxBytes);
}

import { lengthPrefixSums, type SegmentReader, type PartId } from '@sheaf/search/index/segment-reader';
import { partKey, readColumns, readDictionary, type SegmentColumns } from '@sheaf/search/index/segment-format';

/**
 * State of one space (a kind of entries, such as notes) as the store lists it: the numbers of its segments and of
 * deleted documents.
 */
export interface SpaceState {
  segments: readonly number[];
  /**
   * Numbers of deleted documents: at least those deleted since the previous state, and all those in segments that are
   * new since that state.
   */
  deleted: readonly number[];
}

export interface LoadedSegment {
  number: number;
  columns: Uint8Array;
  dictionary: Uint8Array;
}

interface CachedSegment extends SegmentReader {
  /**
   * Indexes of the segment's documents in the order of their document numbers, used to find a document by its number.
   * Computed on first use.
   */
  byNumber: Uint32Array | undefined;
}

/**
 * Cache of the open segments of one space (a kind of entries, such as notes). Segments are immutable, so cached data
 * stays valid.
 */
export class SegmentCache {
  #segments: CachedSegment[] = [];

  get list(): readonly SegmentReader[] {
    return this.#segments;
  }

  /**
   * Returns the numbers of the segments that are not cached. Their columns and dictionary must be loaded and passed to
   * `update`.
   */
  missing(segments: readonly number[]): number[] {
    const known = new Set(this.#segments.map((segment) => segment.number));
    return segments.filter((number) => !known.has(number));
  }

  /** Switches to a newer list of segments and deletions. `loaded` must contain the segments that `missing` returned. */
  update({ segments, deleted }: SpaceState, loaded: readonly LoadedSegment[]): void {
    const known = new Map(this.#segments.map((segment) => [segment.number, segment]));
    const fresh = loaded.map(({ number, columns: bytes, dictionary }): CachedSegment => {
      const columns = readColumns(bytes);
      return {
        number,
        columns,
        dictionary: readDictionary(dictionary),
        deleted: undefined,
        deletedIndexes: new Uint32Array(0),
        lengthPrefixSums: lengthPrefixSums(columns),
        minLength: columns.lengths.reduce((least, length) => Math.min(least, length), Number.POSITIVE_INFINITY),
        byNumber: undefined,
      };
    });
    for (const segment of fresh) known.set(segment.number, segment);
    const next = segments.map((number) => known.get(number)!);
    // Mark deletions on copies of the segments, so that running queries keep a consistent view.
    this.#segments = next.map((segment) => markDeleted(segment, deleted));
  }
}

function markDeleted(segment: CachedSegment, gone: readonly number[]): CachedSegment {
  if (gone.length === 0) return segment;
  segment.byNumber ??= inNumberOrder(segment.columns);
  let marks: Uint8Array | undefined;
  const places: number[] = [];
  for (const number of gone) {
    const place = indexOfDocument(segment, number);
    if (place < 0 || (marks ?? segment.deleted)?.[place] === 1) continue;
    marks ??= segment.deleted?.slice() ?? new Uint8Array(segment.columns.documents.length);
    marks[place] = 1;
    places.push(place);
  }
  return marks
    ? { ...segment, deleted: marks, deletedIndexes: Uint32Array.from([...segment.deletedIndexes, ...places]).sort() }
    : segment;
}

function inNumberOrder({ documents }: SegmentColumns): Uint32Array {
  return Uint32Array.from(documents, (_, i) => i).sort((one, other) => documents[one]! - documents[other]!);
}

function indexOfDocument({ columns: { documents }, byNumber }: CachedSegment, number: number): number {
  let low = 0;
  let high = byNumber!.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (documents[byNumber![middle]!]! < number) low = middle + 1;
    else high = middle;
  }
  const place = byNumber![low];
  return place !== undefined && documents[place] === number ? place : -1;
}

/** Least-recently-used cache of segment parts. */
export class PartCache {
  readonly #max: number;
  readonly #parts = new Map<number, Uint8Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#max = maxBytes;
  }

  get({ segment, part }: PartId): Uint8Array | undefined {
    const key = partKey(segment, part);
    const bytes = this.#parts.get(key);
    if (bytes) {
      this.#parts.delete(key);
      this.#parts.set(key, bytes);
    }
    return bytes;
  }

  set({ segment, part }: PartId, bytes: Uint8Array): void {
    if (bytes.length > this.#max / 4) return;
    const key = partKey(segment, part);
    if (this.#parts.has(key)) return;
    this.#parts.set(key, bytes);
    this.#bytes += bytes.length;
    if (this.#bytes <= this.#max) return;
    for (const [oldest, old] of this.#parts) {
      if (this.#bytes <= this.#max) break;
      this.#parts.delete(oldest);
      this.#bytes -= old.length;
    }
  }
}

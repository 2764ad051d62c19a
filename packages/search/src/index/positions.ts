import { ByteReader, ByteWriter } from './bytes.ts';
import { postingsPerGroup } from './postings.ts';

/**
 * Writes the token positions of each posting: a count, then the positions as deltas. The data is split into groups of
 * `postingsPerGroup` postings with their lengths up front, so that a reader can skip groups.
 */
export class PositionsWriter {
  readonly #bytes = new ByteWriter();
  #postings = 0;
  /** Offset in `#bytes` of each group of postings except the first, which starts at 0. */
  readonly #starts: number[] = [];
  /** True if any posting has a position. If none has, nothing is stored. */
  #hasAny = false;

  clear(): void {
    this.#bytes.clear();
    this.#postings = 0;
    this.#starts.length = 0;
    this.#hasAny = false;
  }

  /** Starts the next posting with this number of positions, which `add` then appends. */
  begin(count: number): void {
    this.#beginPosting();
    this.#bytes.varint(count);
    if (count > 0) this.#hasAny = true;
  }

  add(distance: number): void {
    this.#bytes.varint(distance);
  }

  /** Copies the encoded positions of one posting; an empty slice means a posting without positions. */
  copy(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) return this.begin(0);
    this.#beginPosting();
    this.#bytes.part(bytes, from, to);
    if (bytes[from] !== 0) this.#hasAny = true;
  }

  /** Copies the encoded positions of all postings of a list, which must fit into one group of postings. */
  copyAll(bytes: Uint8Array, from: number, to: number, postings: number): void {
    this.#postings += postings;
    this.#bytes.part(bytes, from, to);
    this.#hasAny = true;
  }

  #beginPosting(): void {
    if (this.#postings > 0 && this.#postings % postingsPerGroup === 0) this.#starts.push(this.#bytes.length);
    this.#postings += 1;
  }

  write(out: ByteWriter): void {
    if (!this.#hasAny) return;
    if (this.#postings > postingsPerGroup) {
      let before = 0;
      for (const start of [...this.#starts, this.#bytes.length]) {
        out.varint(start - before);
        before = start;
      }
    }
    out.append(this.#bytes);
  }
}

/**
 * Returns the offset at which the token positions of a list's first posting start. If `starts` is given, adds to it the
 * offset for each group of postings.
 */
export function positionsStart(bytes: Uint8Array, from: number, postings: number, starts?: number[]): number {
  if (postings <= postingsPerGroup) {
    starts?.push(from);
    return from;
  }
  const reader = new ByteReader(bytes, from);
  const lengths = Array.from({ length: Math.ceil(postings / postingsPerGroup) }, () => reader.varint());
  let at = reader.at;
  for (const length of lengths) {
    starts?.push(at);
    at += length;
  }
  return reader.at;
}

/** Returns the positions of the postings with the indexes `wanted` (ascending) in a list with `total` postings. */
export function readPositions(bytes: Uint8Array, total: number, wanted: readonly number[]): number[][] {
  if (bytes.length === 0) return wanted.map(() => []);
  const starts: number[] = [];
  const reader = new ByteReader(bytes, positionsStart(bytes, 0, total, starts));
  let at = 0;
  return wanted.map((posting) => {
    const group = Math.floor(posting / postingsPerGroup);
    if (at < group * postingsPerGroup) {
      at = group * postingsPerGroup;
      reader.at = starts[group]!;
    }
    for (; at < posting; at++) reader.skip(reader.varint());
    at += 1;
    let place = 0;
    return Array.from({ length: reader.varint() }, () => (place += reader.varint()));
  });
}

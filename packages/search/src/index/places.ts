import { ByteReader, ByteWriter } from './bytes.ts';
import { perGroup } from './postings.ts';

/**
 * Where in the documents of a list its token stands: for each posting how many places there are, and how far each is from
 * the one before. As in the list itself, every so many postings begin a group whose length is written ahead, so that
 * whoever wants few documents passes over the others.
 */
export class Places {
  readonly #bytes = new ByteWriter();
  #postings = 0;
  /** Where the groups after the first begin. */
  readonly #starts: number[] = [];
  /** Whether any posting has a place: tokens that stand nowhere keep nothing. */
  #hasAny = false;

  clear(): void {
    this.#bytes.clear();
    this.#postings = 0;
    this.#starts.length = 0;
    this.#hasAny = false;
  }

  /** The next posting, with so many places, which follow by `add`. */
  begin(count: number): void {
    this.#beginPosting();
    this.#bytes.varint(count);
    if (count > 0) this.#hasAny = true;
  }

  add(distance: number): void {
    this.#bytes.varint(distance);
  }

  /** The next posting as it was written before; of a list that keeps nothing, nothing. */
  copy(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) return this.begin(0);
    this.#beginPosting();
    this.#bytes.part(bytes, from, to);
    if (bytes[from] !== 0) this.#hasAny = true;
  }

  /** The next so many postings as they were written before, of a list that is no longer than a group in all. */
  copyAll(bytes: Uint8Array, from: number, to: number, postings: number): void {
    this.#postings += postings;
    this.#bytes.part(bytes, from, to);
    this.#hasAny = true;
  }

  #beginPosting(): void {
    if (this.#postings > 0 && this.#postings % perGroup === 0) this.#starts.push(this.#bytes.length);
    this.#postings += 1;
  }

  write(out: ByteWriter): void {
    if (!this.#hasAny) return;
    if (this.#postings > perGroup) {
      let before = 0;
      for (const start of [...this.#starts, this.#bytes.length]) {
        out.varint(start - before);
        before = start;
      }
    }
    out.append(this.#bytes);
  }
}

/** Where the first posting begins; with `starts` for each group, if there are several. */
export function placesStart(bytes: Uint8Array, from: number, postings: number, starts?: number[]): number {
  if (postings <= perGroup) {
    starts?.push(from);
    return from;
  }
  const reader = new ByteReader(bytes, from);
  const lengths = Array.from({ length: Math.ceil(postings / perGroup) }, () => reader.varint());
  let at = reader.at;
  for (const length of lengths) {
    starts?.push(at);
    at += length;
  }
  return reader.at;
}

/** The places of these postings (ascending) of a list that has so many in all. */
export function readPlaces(bytes: Uint8Array, total: number, wanted: readonly number[]): number[][] {
  if (bytes.length === 0) return wanted.map(() => []);
  const starts: number[] = [];
  const reader = new ByteReader(bytes, placesStart(bytes, 0, total, starts));
  let at = 0;
  return wanted.map((posting) => {
    const group = Math.floor(posting / perGroup);
    if (at < group * perGroup) {
      at = group * perGroup;
      reader.at = starts[group]!;
    }
    for (; at < posting; at++) reader.skip(reader.varint());
    at += 1;
    let place = 0;
    return Array.from({ length: reader.varint() }, () => (place += reader.varint()));
  });
}

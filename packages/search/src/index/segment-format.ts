import { ByteReader, ByteWriter } from './bytes.ts';

/**
 * Data of the documents of a segment, one array per property. A segment is an immutable part of the search index,
 * stored in the database as numbered parts. Its documents are sorted by owner (such as a user or a knowledge base), so
 * that those of one owner form a range. Postings identify a document by its index in this order.
 */
export interface SegmentColumns {
  /** Each owner with the end of its document range, ascending by name. */
  owners: readonly { name: string; end: number }[];
  /**
   * Unique number of each document in the whole search index, never reused. The numbers of one owner's documents are
   * ascending.
   */
  documents: Float64Array;
  lengths: Uint32Array;
  modified: Float64Array;
  /** Token positions at which the title and the headings of each document end. */
  titleEnds: Uint32Array;
  headingEnds: Uint32Array;
  ids: PackedTexts;
}

/** Texts as concatenated UTF-8. */
export interface PackedTexts {
  /** End offset of each text. */
  ends: Uint32Array;
  bytes: Uint8Array;
}

export function packTexts(texts: readonly Uint8Array[]): PackedTexts {
  const ends = new Uint32Array(texts.length);
  const bytes = new ByteWriter(32 * texts.length + 1);
  texts.forEach((text, i) => {
    bytes.bytes(text);
    ends[i] = bytes.length;
  });
  return { ends, bytes: bytes.copy() };
}

export function textAt({ ends, bytes }: PackedTexts, at: number): Uint8Array {
  return bytes.subarray(at === 0 ? 0 : ends[at - 1]!, ends[at]!);
}

/** Values by which search hits can be sorted: creation time, size and title of each document. */
export interface SortColumns {
  created: Float64Array;
  sizes: Float64Array;
  /** Sort keys of the titles in UTF-8; comparing their bytes gives code point order. */
  titleKeys: PackedTexts;
}

/**
 * Version of the segment format. Raise it when the format changes; segments of another version are dropped and rebuilt.
 */
export const segmentFormat = '3';

/**
 * Numbers of the two parts that each segment has exactly once. From `firstBlock` on, each token block (a group of
 * sorted tokens) has one part for its postings and the next part for its positions.
 */
export const partNumbers = { columns: 0, dictionary: 1 } as const;
const firstBlock = 16;
/**
 * Number of the first part of a segment that holds the columns by which documents are sorted (creation time, size,
 * title). The numbers of the token blocks are all lower.
 */
const firstSortColumnsPart = 2 ** 23;
/**
 * Number of documents whose sort columns (creation time, size, title) are stored in one part of the segment. With
 * small parts, a query that matches few documents reads little data.
 */
const documentsPerSortPart = 256;

export function postingsPart(block: number): number {
  return firstBlock + 2 * block;
}

export function positionsPart(block: number): number {
  return firstBlock + 2 * block + 1;
}

/** Upper limit of the part numbers of a segment: every part number is lower. */
export const maxParts = 2 ** 24;

/**
 * Combines the numbers of a segment and a part into one integer, because maps find an integer key faster than a string.
 */
export function partKey(segment: number, part: number): number {
  return segment * maxParts + part;
}

export function sortColumnsPart(block: number): number {
  return firstSortColumnsPart + block;
}

/** Returns the block that holds the sort columns of a document, and the document's index in this block. */
export function sortColumnsIndex(document: number): { block: number; at: number } {
  return { block: Math.floor(document / documentsPerSortPart), at: document % documentsPerSortPart };
}

export interface SegmentParts {
  documents: number;
  /** Lowest and highest document number of the segment. */
  first: number;
  last: number;
  /** The parts of the index segment, by part number. */
  parts: Map<number, Uint8Array>;
}

/**
 * Concatenates arrays after a header with their number and their lengths in bytes. Every array starts at a multiple of
 * eight bytes.
 */
function pack(arrays: readonly Uint8Array[]): Uint8Array {
  const header = 8 * Math.ceil((arrays.length + 1) / 2);
  const padded = (length: number): number => 8 * Math.ceil(length / 8);
  const packed = new Uint8Array(header + arrays.reduce((sum, array) => sum + padded(array.length), 0));
  const lengths = new Uint32Array(packed.buffer, 0, arrays.length + 1);
  lengths[0] = arrays.length;
  let at = header;
  arrays.forEach((array, i) => {
    lengths[i + 1] = array.length;
    packed.set(array, at);
    at += padded(array.length);
  });
  return packed;
}

function unpack(bytes: Uint8Array): (index: number) => { buffer: ArrayBuffer; at: number; length: number } {
  // Copy bytes whose offset in their buffer is not a multiple of eight, because 64-bit arrays need such an offset.
  const { buffer } = bytes.byteOffset % 8 === 0 && bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
  const start = bytes.byteOffset % 8 === 0 ? bytes.byteOffset : 0;
  const count = new Uint32Array(buffer as ArrayBuffer, start, 1)[0] ?? 0;
  const lengths = new Uint32Array(buffer as ArrayBuffer, start + 4, count);
  return (index) => {
    let at = start + 8 * Math.ceil((count + 1) / 2);
    for (let i = 0; i < index; i++) at += 8 * Math.ceil((lengths[i] ?? 0) / 8);
    return { buffer: buffer as ArrayBuffer, at, length: lengths[index] ?? 0 };
  };
}

function bytesOf(array: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function doubles({ buffer, at, length }: { buffer: ArrayBuffer; at: number; length: number }): Float64Array {
  return new Float64Array(buffer, at, length / 8);
}

function bytesIn({ buffer, at, length }: { buffer: ArrayBuffer; at: number; length: number }): Uint8Array {
  return new Uint8Array(buffer, at, length);
}

function words({ buffer, at, length }: { buffer: ArrayBuffer; at: number; length: number }): Uint32Array {
  return new Uint32Array(buffer, at, length / 4);
}

export function writeColumns(columns: SegmentColumns): Uint8Array {
  const { owners, documents, lengths, modified, titleEnds, headingEnds, ids } = columns;
  const names = new ByteWriter();
  names.varint(owners.length);
  for (const { name, end } of owners) {
    names.text(name);
    names.varint(end);
  }
  const numbers = [documents, lengths, modified, titleEnds, headingEnds, ids.ends];
  return pack([names.copy(), ...numbers.map(bytesOf), ids.bytes]);
}

export function readColumns(bytes: Uint8Array): SegmentColumns {
  const part = unpack(bytes);
  const { buffer, at, length } = part(0);
  const names = new ByteReader(new Uint8Array(buffer, at, length));
  const owners: { name: string; end: number }[] = [];
  for (let left = names.varint(); left > 0; left--) owners.push({ name: names.text(), end: names.varint() });
  return {
    owners,
    documents: doubles(part(1)),
    lengths: words(part(2)),
    modified: doubles(part(3)),
    titleEnds: words(part(4)),
    headingEnds: words(part(5)),
    ids: { ends: words(part(6)), bytes: bytesIn(part(7)) },
  };
}

/**
 * Writes the columns by which documents are sorted (creation time, size, title) into `parts`, in blocks of documents.
 * The arrays are in document order.
 */
export function writeSortColumns(
  parts: Map<number, Uint8Array>,
  created: Float64Array,
  sizes: Float64Array,
  titleKeys: readonly Uint8Array[],
): void {
  for (let from = 0, block = 0; from < created.length; from += documentsPerSortPart, block++) {
    const to = from + documentsPerSortPart;
    const keys = packTexts(titleKeys.slice(from, to));
    parts.set(
      sortColumnsPart(block),
      pack([bytesOf(created.subarray(from, to)), bytesOf(sizes.subarray(from, to)), bytesOf(keys.ends), keys.bytes]),
    );
  }
}

export function readSortColumns(bytes: Uint8Array): SortColumns {
  const part = unpack(bytes);
  return {
    created: doubles(part(0)),
    sizes: doubles(part(1)),
    titleKeys: { ends: words(part(2)), bytes: bytesIn(part(3)) },
  };
}

/**
 * Decodes the dictionary of a segment: the first token of each token block. The tokens of a segment are sorted and
 * stored in such blocks.
 */
export function readDictionary(bytes: Uint8Array): string[] {
  const reader = new ByteReader(bytes);
  const firsts: string[] = [];
  for (let left = reader.varint(); left > 0; left--) firsts.push(reader.text());
  return firsts;
}

/**
 * Target size of a token block in bytes: large enough to keep the number of blocks low, small enough that looking up a
 * rare word reads little data. PostgreSQL stores values up to about this size in the table row. Reading longer ones
 * from separate storage (TOAST) costs several times as much.
 */
const blockLength = 1900;

/**
 * Writes the tokens of a segment, with their postings and positions, into blocks. The caller must add the tokens in
 * ascending order.
 */
export class BlockWriter {
  readonly #parts: Map<number, Uint8Array>;
  #blocks = 0;
  /** First token of each block, encoded. Readers use this list to find the block of a token. */
  readonly #firsts = new ByteWriter();
  readonly #postings = new ByteWriter(2 * blockLength);
  readonly #positions = new ByteWriter(2 * blockLength);
  #chunk = new Uint8Array(0);

  constructor(parts: Map<number, Uint8Array>) {
    this.#parts = parts;
  }

  add(token: string, list: ByteWriter, places: ByteWriter): void {
    if (this.#begins(token.length + list.length)) this.#firsts.text(token);
    this.#postings.text(token);
    this.#addPostings(list, places);
  }

  /** Adds a token given as a UTF-8 slice of `bytes`. */
  addBytes(bytes: Uint8Array, from: number, to: number, list: ByteWriter, places: ByteWriter): void {
    if (this.#begins(to - from + list.length)) {
      this.#firsts.varint(to - from);
      this.#firsts.part(bytes, from, to);
    }
    this.#postings.varint(to - from);
    this.#postings.part(bytes, from, to);
    this.#addPostings(list, places);
  }

  /**
   * Prepares for adding a token that takes `length` bytes with its postings: ends the current token block if they do
   * not fit into it. Returns true if the token starts a new block; the caller then adds it to `#firsts`.
   */
  #begins(length: number): boolean {
    if (this.#postings.length > 0 && this.#postings.length + length > blockLength) this.#end();
    if (this.#postings.length > 0) return false;
    this.#blocks += 1;
    return true;
  }

  #addPostings(list: ByteWriter, places: ByteWriter): void {
    this.#postings.varint(list.length);
    this.#postings.append(list);
    this.#positions.varint(places.length);
    this.#positions.append(places);
  }

  finish(): void {
    this.#end();
    const dictionary = new ByteWriter(this.#firsts.length + 8);
    dictionary.varint(this.#blocks);
    dictionary.append(this.#firsts);
    this.#parts.set(partNumbers.dictionary, dictionary.copy());
  }

  #end(): void {
    if (this.#postings.length === 0) return;
    const block = this.#blocks - 1;
    this.#parts.set(postingsPart(block), this.#copyToChunk(this.#postings.view()));
    this.#parts.set(positionsPart(block), this.#copyToChunk(this.#positions.view()));
    this.#postings.clear();
    this.#positions.clear();
  }

  /**
   * Copies the bytes of a segment part into a large buffer that many parts share. Parts are small, and a separate
   * allocation for each would use more memory than its bytes.
   */
  #copyToChunk(bytes: Uint8Array): Uint8Array {
    if (bytes.length > this.#chunk.length) this.#chunk = new Uint8Array(Math.max(chunkLength, bytes.length));
    const kept = this.#chunk.subarray(0, bytes.length);
    kept.set(bytes);
    this.#chunk = this.#chunk.subarray(bytes.length);
    return kept;
  }
}

const chunkLength = 2 ** 18;

/**
 * Returns the index of the token block that may contain the token, or -1 if the token sorts before the first block.
 * `firsts` holds the first token of each block.
 */
export function findBlock(firsts: readonly string[], token: string): number {
  let low = 0;
  let high = firsts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((firsts[middle] ?? '') <= token) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export interface TokenPostings {
  list: Uint8Array;
  /** Index of the token in its token block. */
  index: number;
}

/**
 * Buffer for the token that `findPostings` looks for, encoded as in a token block. One buffer is reused, because a
 * search looks for many tokens.
 */
const wanted = new ByteWriter();

export function findPostings(block: Uint8Array, token: string): TokenPostings | undefined {
  wanted.clear();
  wanted.text(token);
  const reader = new ByteReader(block);
  for (let index = 0; reader.at < block.length; index++) {
    const isWanted = wanted.isAt(block, reader.at);
    const length = reader.varint();
    reader.at += length;
    const size = reader.varint();
    if (isWanted) return { list: block.subarray(reader.at, reader.at + size), index };
    reader.at += size;
  }
  return undefined;
}

/** Returns the encoded positions of the token with this index in the token block. */
export function findPositions(block: Uint8Array, index: number): Uint8Array {
  const reader = new ByteReader(block);
  for (let left = index; left > 0; left--) {
    const size = reader.varint();
    reader.at += size;
  }
  const size = reader.varint();
  return block.subarray(reader.at, reader.at + size);
}

/** Iterates over the tokens of a block with their postings. */
export function* readTokens(block: Uint8Array): Generator<{ token: string; list: Uint8Array; index: number }> {
  const reader = new ByteReader(block);
  for (let index = 0; reader.at < block.length; index++) {
    const token = reader.text();
    const size = reader.varint();
    yield { token, list: block.subarray(reader.at, reader.at + size), index };
    reader.at += size;
  }
}

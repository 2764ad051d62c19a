import { ByteReader, ByteWriter } from './bytes.ts';
import { PositionsWriter, positionsStart } from './positions.ts';
import { postingsPerGroup, Postings } from './postings.ts';
import { BlockWriter, postingsPart, partNumbers, positionsPart } from './segment-format.ts';

export interface PartSource {
  /**
   * Returns a part of a segment, which is stored as numbered byte arrays. A merge reads each part only once, and the
   * parts with token blocks in ascending order.
   */
  part(number: number): Uint8Array;
}

/** Marks a deleted document in the mapping from old to new document numbers. */
export const deletedDocument = 0xffff_ffff;

/**
 * Merges the postings of all tokens into `parts`. For each input, `moved` maps the index of a document to its new
 * number, or to `deletedDocument`.
 */
export function mergePostings(
  inputs: readonly PartSource[],
  moved: readonly Uint32Array[],
  parts: Map<number, Uint8Array>,
): void {
  const blocks = new BlockWriter(parts);
  const cursors = inputs.map((input) => new TokenCursor(input));
  const count = cursors.length;
  // Tokens are compared by their first bytes as a number, which is much faster than comparing strings.
  const heads = new Float64Array(count);
  const advance = (at: number): void => {
    cursors[at]!.advance();
    heads[at] = cursors[at]!.head;
  };
  for (let at = 0; at < count; at++) advance(at);
  const token = new MergedToken();
  const having: number[] = [];
  for (;;) {
    let head = Number.POSITIVE_INFINITY;
    for (let at = 0; at < count; at++) if (heads[at]! < head) head = heads[at]!;
    if (head === Number.POSITIVE_INFINITY) break;
    having.length = 0;
    for (let at = 0; at < count; at++) {
      if (heads[at] !== head) continue;
      const order = having.length === 0 ? 0 : cursors[at]!.compareRest(cursors[having[0]!]!);
      if (order < 0) having.length = 0;
      if (order <= 0) having.push(at);
    }
    token.clear();
    for (const at of having) token.add(cursors[at]!, moved[at]!);
    token.write(cursors[having[0]!]!, blocks);
    for (const at of having) advance(at);
  }
  blocks.finish();
}

/** Number of leading bytes of a token that are compared as one number. */
const headLength = 6;

/**
 * Maps each UTF-8 byte to its rank in UTF-16 code unit order: characters of four bytes (surrogate pairs) sort before
 * the last characters of three bytes.
 */
const ranks = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 0xee ? byte : byte < 0xf0 ? byte + 16 : byte - 2));

/**
 * Iterates over the tokens of one input in order. The state consists of byte offsets; creating a string and views for
 * each token would cost more than the rest of the merge.
 */
class TokenCursor {
  readonly #input: PartSource;
  readonly #blocks: number;
  #block = -1;
  #lists = new ByteReader(new Uint8Array(0));
  #positions = new ByteReader(new Uint8Array(0));
  /** The first bytes of the token as a number that sorts like the token; infinite after the last token. */
  head = 0;
  tokenFrom = 0;
  tokenTo = 0;
  listFrom = 0;
  positionsFrom = 0;
  positionsTo = 0;

  constructor(input: PartSource) {
    this.#input = input;
    this.#blocks = new ByteReader(input.part(partNumbers.dictionary)).varint();
  }

  /** The bytes that hold the current token and its postings, at the offsets `tokenFrom` and `listFrom`. */
  get lists(): Uint8Array {
    return this.#lists.bytes;
  }

  get positions(): Uint8Array {
    return this.#positions.bytes;
  }

  advance(): void {
    while (this.#lists.at >= this.#lists.bytes.length) {
      if (++this.#block >= this.#blocks) {
        this.head = Number.POSITIVE_INFINITY;
        return;
      }
      this.#lists = new ByteReader(this.#input.part(postingsPart(this.#block)));
      this.#positions = new ByteReader(this.#input.part(positionsPart(this.#block)));
    }
    const lists = this.#lists;
    const length = lists.varint();
    this.tokenFrom = lists.at;
    this.tokenTo = lists.at += length;
    const size = lists.varint();
    this.listFrom = lists.at;
    lists.at += size;
    const placesSize = this.#positions.varint();
    this.positionsFrom = this.#positions.at;
    this.positionsTo = this.#positions.at += placesSize;
    const { bytes } = lists;
    let head = 0;
    for (let i = 0; i < headLength; i++) head = head * 256 + (i < length ? ranks[bytes[this.tokenFrom + i]!]! : 0);
    this.head = head;
  }

  /** Compares the tokens of this cursor and another one, given that their first `headLength` bytes are equal. */
  compareRest(other: TokenCursor): number {
    const { lists: mine, tokenFrom } = this;
    const { lists: theirs, tokenFrom: theirFrom } = other;
    const [length, theirLength] = [this.tokenTo - tokenFrom, other.tokenTo - theirFrom];
    const end = Math.min(length, theirLength);
    for (let i = headLength; i < end; i++) {
      const order = ranks[mine[tokenFrom + i]!]! - ranks[theirs[theirFrom + i]!]!;
      if (order !== 0) return order;
    }
    return length - theirLength;
  }
}

/**
 * Merges the postings of one token from all inputs (segments to be merged). The buffers are reused for the next token.
 */
class MergedToken {
  readonly #postings = new Postings();
  readonly #sources: PositionsSource[] = [];
  #isAscending = true;
  readonly #list = new ByteWriter();
  readonly #positions = new PositionsWriter();
  readonly #placed = new ByteWriter();
  readonly #sorted = new Postings();
  /** Sort key of each posting: its document number combined with its index. */
  #order = new Float64Array(64);
  /**
   * Three numbers for each posting: the index of the source that holds its positions, and their start and end offset.
   */
  #found = new Uint32Array(3 * 64);

  clear(): void {
    this.#postings.clear();
    this.#sources.length = 0;
    this.#isAscending = true;
  }

  add({ lists, listFrom, positions: bytes, positionsFrom, positionsTo }: TokenCursor, moved: Uint32Array): void {
    const postings = this.#postings;
    const from = postings.length;
    postings.read(lists, listFrom);
    const read = postings.length;
    let kept = from;
    let before = from > 0 ? postings.document(from - 1) : -1;
    let left: Uint8Array | undefined;
    for (let at = from; at < read; at++) {
      const document = moved[postings.document(at)]!;
      if (document === deletedDocument) {
        left ??= new Uint8Array(read - from);
        left[at - from] = 1;
        continue;
      }
      if (document < before) this.#isAscending = false;
      before = document;
      postings.setDocument(kept++, document, at);
    }
    postings.length = kept;
    const start = positionsTo > positionsFrom ? positionsStart(bytes, positionsFrom, read - from) : positionsTo;
    this.#sources.push({ bytes, from: start, to: positionsTo, postings: read - from, left });
  }

  /** Writes the merged postings of a token. The given cursor provides the bytes of the token. */
  write({ lists, tokenFrom, tokenTo }: TokenCursor, blocks: BlockWriter): void {
    if (this.#postings.length === 0) return;
    this.#list.clear();
    this.#positions.clear();
    this.#placed.clear();
    if (this.#isAscending) {
      this.#postings.write(this.#list);
      for (const source of this.#sources) this.#copyPositions(source);
    } else {
      const order = this.#inOrder();
      const sorted = this.#sorted;
      sorted.clear();
      for (let i = 0; i < order.length; i++) sorted.pushFrom(this.#postings, order[i]! % maxPostings);
      sorted.write(this.#list);
      this.#sortPositions(order);
    }
    this.#positions.write(this.#placed);
    blocks.addBytes(lists, tokenFrom, tokenTo, this.#list, this.#placed);
  }

  /**
   * Returns sort keys of the postings in document order. Each key packs document and index into one number, so that
   * sorting needs no comparison function.
   */
  #inOrder(): Float64Array {
    const { length } = this.#postings;
    if (this.#order.length < length) this.#order = new Float64Array(2 * length);
    const order = this.#order.subarray(0, length);
    for (let at = 0; at < length; at++) order[at] = this.#postings.document(at) * maxPostings + at;
    return length <= fewPostings ? insertionSort(order) : order.sort();
  }

  /**
   * Copies the positions of the postings of one input (a segment to be merged). Positions do not depend on document
   * numbers, so a short list without deleted documents is copied as a whole.
   */
  #copyPositions(source: PositionsSource): void {
    const { bytes, from, to, left, postings } = source;
    if (to > from && left === undefined && this.#postings.length <= postingsPerGroup) {
      this.#positions.copyAll(bytes, from, to, postings);
      return;
    }
    const reader = new ByteReader(bytes, from);
    for (let i = 0; i < postings; i++) {
      const start = reader.at;
      if (to > from) reader.skip(reader.varint());
      if (left?.[i] !== 1) this.#positions.copy(bytes, start, reader.at);
    }
  }

  #sortPositions(order: Float64Array): void {
    if (this.#found.length < 3 * order.length) this.#found = new Uint32Array(6 * order.length);
    const found = this.#found;
    let to = 0;
    this.#sources.forEach((source, number) => {
      const reader = new ByteReader(source.bytes, source.from);
      for (let i = 0; i < source.postings; i++) {
        const start = reader.at;
        if (source.to > source.from) reader.skip(reader.varint());
        if (source.left?.[i] === 1) continue;
        found[to] = number;
        found[to + 1] = start;
        found[to + 2] = reader.at;
        to += 3;
      }
    });
    for (let i = 0; i < order.length; i++) {
      const at = 3 * (order[i]! % maxPostings);
      this.#positions.copy(this.#sources[found[at]!]!.bytes, found[at + 1]!, found[at + 2]!);
    }
  }
}

/**
 * A sort key is the document number times this factor, plus the index of the posting. The factor exceeds the number of
 * postings of a token in a segment, and the key stays an exact integer.
 */
const maxPostings = 2 ** 22;
/**
 * Up to this number of postings, insertion sort is faster than the built-in sort, because the postings consist of a few
 * sorted runs.
 */
const fewPostings = 24;

function insertionSort(numbers: Float64Array): Float64Array {
  for (let i = 1; i < numbers.length; i++) {
    const one = numbers[i]!;
    let at = i;
    for (; at > 0 && numbers[at - 1]! > one; at--) numbers[at] = numbers[at - 1]!;
    numbers[at] = one;
  }
  return numbers;
}

/** The encoded positions of the postings that one input (a segment to be merged) has for the token. */
interface PositionsSource {
  bytes: Uint8Array;
  from: number;
  to: number;
  postings: number;
  /** For each posting, 1 if it is dropped because its document is deleted; undefined if none is dropped. */
  left: Uint8Array | undefined;
}

import { overLimit } from '../errors.ts';

/**
 * Maximum bytes of one revision (mutations and their inverse together), equal to the maximum request size. The main
 * thread handles a revision in one step that blocks all other requests, so its size is bounded.
 */
export const maxRevisionBytes = 32 * 2 ** 20;

/**
 * Matches characters that JSON escapes or UTF-8 encodes in several bytes. A text without them takes as many bytes in
 * JSON as it has characters, plus two quotes.
 */
const escaped = /[^ !#-[\]-~]/;
const longText = 64;
const maxNumberBytes = 24;
const maxBytesPerCharacter = 6;
const maxBytesPerCodeUnit = 3;

/**
 * Maximum number of values (list elements and fields at any depth) that are serialized at a time. After each such piece
 * of JSON, the total size is compared with the limit.
 */
const maxPieceValues = 256;
/**
 * Like `maxPieceValues`, but for a list without nested lists and objects. It may be larger, because the values of such
 * a list are cell contents of limited length, and fewer pieces take less time.
 */
const maxPlainValues = 2048;

/** Adds up the JSON size of a revision. Throws once the limit is exceeded. */
export class RevisionSize {
  readonly #most: number;
  /** JSON sizes of long texts. Each text is measured once, because copied cells share the same text. */
  readonly #known = new Map<string, number>();
  #counted = 0;
  /**
   * Values of which only an upper bound of the JSON size is known (the sum is `#bound`). They are measured more closely
   * when the total exceeds the limit.
   */
  #uncounted: unknown[] = [];
  #bound = 0;
  /** Serialized pieces of JSON whose size in bytes was estimated from their length, but not yet counted exactly. */
  #unmeasured: string[] = [];
  #unmeasuredBound = 0;

  constructor(most = maxRevisionBytes) {
    this.#most = most;
  }

  /** Adds the JSON size of a value; throws if the revision exceeds the limit. */
  add(value: unknown): void {
    this.#uncounted.push(value);
    this.#bound += boundOf(value);
    if (this.#counted + this.#bound <= this.#most) return;
    for (const one of this.#uncounted) this.#counted += sizeOf(one, this.#known);
    this.#uncounted = [];
    this.#bound = 0;
    this.#refuse('');
  }

  /**
   * Returns the JSON of a value and adds its size. Throws as soon as the revision exceeds the limit. Long values are
   * serialized in pieces, so that the text of a far too large value is never built completely.
   */
  serialize(value: unknown): string {
    const pieces: string[] = [];
    this.#serialize(value, pieces);
    return pieces.length === 1 ? pieces[0]! : pieces.join('');
  }

  #serialize(value: unknown, pieces: string[]): void {
    if (typeof value !== 'object' || value === null || countValues(value, maxPieceValues) <= maxPieceValues)
      return this.#addPiece(JSON.stringify(value), pieces);
    if (Array.isArray(value)) return this.#serializeList(value as readonly unknown[], pieces);
    let before = '{';
    for (const [key, one] of Object.entries(value)) {
      if (one === undefined) continue;
      this.#addPiece(`${before}${JSON.stringify(key)}:`, pieces);
      this.#serialize(one, pieces);
      before = ',';
    }
    this.#addPiece('}', pieces);
  }

  #serializeList(list: readonly unknown[], pieces: string[]): void {
    // A long list that begins with a plain value (no list or object) contains only plain values. It is divided after
    // every `maxPlainValues` values; `endOfPiece` is not used, because it counts values, which costs as much as
    // serializing them.
    const isPlain = list.length > maxPieceValues && !isContainer(list[0]);
    if (isPlain && list.length <= maxPlainValues) return this.#addPiece(JSON.stringify(list), pieces);
    let before = '[';
    for (let from = 0; from < list.length;) {
      const to = isPlain ? from + maxPlainValues : endOfPiece(list, from);
      this.#addPiece(before, pieces);
      if (to > from) this.#addPiece(JSON.stringify(list.slice(from, to)).slice(1, -1), pieces);
      else this.#serialize(list[from], pieces);
      from = Math.max(to, from + 1);
      before = ',';
    }
    this.#addPiece(']', pieces);
  }

  #addPiece(piece: string, pieces: string[]): void {
    pieces.push(piece);
    // A UTF-16 code unit takes at most three bytes. Most revisions fit by this estimate and need no exact count.
    this.#unmeasured.push(piece);
    this.#unmeasuredBound += piece.length * maxBytesPerCodeUnit;
    if (this.#counted + this.#bound + this.#unmeasuredBound <= this.#most) return;
    for (const one of this.#unmeasured) this.#counted += Buffer.byteLength(one);
    this.#unmeasured = [];
    this.#unmeasuredBound = 0;
    this.#refuse('at least ');
  }

  /**
   * Adds the length of a text while a call is still planning its changes, so that a far too large call fails early.
   * Throws as soon as the revision exceeds the limit.
   */
  addText(text: string): void {
    this.#counted += text.length;
    this.#refuse('at least ');
  }

  #refuse(about: string): void {
    if (this.#counted <= this.#most) return;
    throw overLimit(
      `the call would write ${about}${this.#counted} bytes of changes, counted with what undoes them, and one call ` +
        `writes at most ${this.#most}; change fewer cells at once`,
    );
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Counts the values in a list or an object, at any depth. Stops when the count exceeds `most`. */
function countValues(value: object, most: number): number {
  let count = 0;
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    count = list.length;
    for (let i = 0; i < list.length && count <= most; i++) {
      const one = list[i];
      if (isContainer(one)) count += countValues(one, most - count);
    }
    return count;
  }
  for (const key in value) {
    const one = (value as Record<string, unknown>)[key];
    count += isContainer(one) ? 1 + countValues(one, most - count) : 1;
    if (count > most) break;
  }
  return count;
}

/**
 * Returns the end index (exclusive) of the list elements, starting at `from`, that can be serialized together as one
 * piece of JSON. Returns `from` if that element alone is too large.
 */
function endOfPiece(list: readonly unknown[], from: number): number {
  let left = maxPieceValues;
  let to = from;
  for (; to < list.length && left > 0; to++) {
    const one = list[to];
    const count = isContainer(one) ? 1 + countValues(one, left) : 1;
    if (count > left) break;
    left -= count;
  }
  return to;
}

function boundOf(value: unknown): number {
  if (typeof value === 'string') return value.length * maxBytesPerCharacter + 2;
  if (value === null || typeof value !== 'object') return maxNumberBytes;
  let bytes = 2;
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    const numbers = countLeadingNumbers(list);
    bytes += numbers * (maxNumberBytes + 1);
    for (let i = numbers; i < list.length; i++) bytes += boundOf(list[i]) + 1;
    return bytes;
  }
  for (const key in value) bytes += key.length + 4 + boundOf((value as Record<string, unknown>)[key]);
  return bytes;
}

/**
 * Counts the leading numbers of a list. Most long lists hold numbers only, and this loop is six times as fast as a
 * function call per element.
 */
function countLeadingNumbers(list: readonly unknown[]): number {
  let count = 0;
  while (count < list.length && typeof list[count] === 'number') count++;
  return count;
}

/**
 * Returns the size of a value in JSON, or slightly more. `known` caches sizes of long texts, because copied cells share
 * the same text.
 */
function sizeOf(value: unknown, known: Map<string, number>): number {
  if (typeof value === 'number') return numberSize(value);
  if (typeof value === 'string') return textSize(value, known);
  if (value === null || typeof value !== 'object') return 5;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const one of value as readonly unknown[]) bytes += sizeOf(one, known) + 1;
    return bytes;
  }
  for (const [key, one] of Object.entries(value)) if (one !== undefined) bytes += key.length + 4 + sizeOf(one, known);
  return bytes;
}

function textSize(text: string, known: Map<string, number>): number {
  if (text.length <= longText) return jsonBytes(text);
  let bytes = known.get(text);
  if (bytes === undefined) {
    bytes = jsonBytes(text);
    known.set(text, bytes);
  }
  return bytes;
}

function jsonBytes(text: string): number {
  return escaped.test(text) ? Buffer.byteLength(JSON.stringify(text)) : text.length + 2;
}

function numberSize(value: number): number {
  if ((value | 0) !== value) return maxNumberBytes;
  const size = Math.abs(value);
  return (value < 0 ? 1 : 0) + (size < 10 ? 1 : size < 1000 ? 3 : size < 1_000_000 ? 6 : 10);
}

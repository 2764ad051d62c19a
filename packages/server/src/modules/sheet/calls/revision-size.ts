import { overLimit } from '../errors.ts';

/**
 * Maximum bytes of one revision, mutations and inverse together; equals the maximum request size. The main thread
 * copies and stores a revision in one step that blocks all other requests, so its size must be bounded.
 */
export const maxRevisionBytes = 32 * 2 ** 20;

/** Matches characters that take more than one byte in JSON. */
const escaped = /[^ !#-[\]-~]/;
const longText = 64;
const maxNumberBytes = 24;
const maxBytesPerCharacter = 6;
const maxBytesPerCodeUnit = 3;

/** Largest number of values that are serialized in one piece. The size is compared with the limit between pieces. */
const maxPieceValues = 256;
/**
 * Maximum number of values in one piece of a list of plain values. It is larger because each piece has a fixed cost,
 * and the length of a cell's text is limited anyway.
 */
const maxPlainValues = 1024;

/** Adds up the JSON size of a revision, and throws once the limit is exceeded. */
export class RevisionSize {
  readonly #most: number;
  /** JSON sizes of long texts. Copied cells share a text, so each is measured once. */
  readonly #known = new Map<string, number>();
  #counted = 0;
  /**
   * Values whose exact size has not been computed. It need not be computed as long as the sum of their upper bounds
   * fits the limit.
   */
  #uncounted: unknown[] = [];
  #bound = 0;
  /** Serialized pieces whose bytes have not been counted. */
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
   * Returns the JSON of a value and adds its size; throws as soon as the revision exceeds the limit. A long value is
   * serialized in pieces, so that one that is far too large is neither measured before nor built as a whole.
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
    // A long list that begins with a plain value contains only plain values. Do not count them, because counting costs
    // as much as serializing.
    const isPlain = list.length > maxPieceValues && !isContainer(list[0]);
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
    // A code unit takes at most three bytes, so most revisions fit without counting their bytes.
    this.#unmeasured.push(piece);
    this.#unmeasuredBound += piece.length * maxBytesPerCodeUnit;
    if (this.#counted + this.#bound + this.#unmeasuredBound <= this.#most) return;
    for (const one of this.#unmeasured) this.#counted += Buffer.byteLength(one);
    this.#unmeasured = [];
    this.#unmeasuredBound = 0;
    this.#refuse('at least ');
  }

  /** Adds a text while a call is still being planned, so that planning stops as soon as the revision is too large. */
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

/** Counts the values in a list or an object, at any depth. Stops once there are more than `most`. */
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

/** Returns the end of the entries from `from` on that are small enough to be one piece; `from` if the first is not. */
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

/** Counts without calling a function for each element: most long lists hold numbers only, and this is six times as fast. */
function countLeadingNumbers(list: readonly unknown[]): number {
  let count = 0;
  while (count < list.length && typeof list[count] === 'number') count++;
  return count;
}

/** Returns the size of a value in JSON. `known` caches sizes of long texts, because copied cells share a text. */
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

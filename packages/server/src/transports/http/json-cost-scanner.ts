import { fail } from '../../kernel/errors.ts';

export const maxDepth = 200;
/** Default maximum number of JSON values in a request body. Parsing this many takes tens of milliseconds. */
const defaultMaxValues = 100_000;
/**
 * Maximum number of JSON values in a body outside the slices in which long lists are parsed. These values are all
 * parsed in one step.
 */
const maxUnsliced = 100_000;
/**
 * Maximum number of bytes of a JSON body that are outside long lists and long strings. These bytes are all parsed in
 * one step.
 */
const maxUnslicedBytes = 2 * 2 ** 20;
/** Length in bytes above which a string is decoded separately, in slices. */
const longText = 4096;
/**
 * Maximum number of distinct field names per body. Parsing objects with different names takes twenty times as long as
 * parsing objects with the same names.
 */
const maxNames = 10_000;
/**
 * Approximate size in bytes of the slices in which a long list is parsed. Parsing yields to the event loop after each
 * slice.
 */
const sliceBytes = 128 * 1024;
const namePrefix = 48;

/** Positions of the commas at which a long JSON list can be split, to parse it in slices. */
export type SplitPoints = readonly number[];

/**
 * Range of a long string in the body (between the quotes), and the positions at which it is split to be decoded in
 * slices.
 */
export interface LongString {
  readonly from: number;
  readonly to: number;
  readonly splitPoints: readonly number[];
}

/**
 * Scans a JSON body chunk by chunk before it is parsed, because the time to parse it depends more on its structure than
 * on its length. Refuses bodies that are too costly to parse, and finds positions where long lists and long strings can
 * be split. Does not validate the JSON.
 */
export class JsonCostScanner {
  readonly #maxValues: number;
  readonly #isArray = new Uint8Array(maxDepth + 1);
  /** For each nesting depth, how many of the levels down to that depth are arrays. */
  readonly #arrays = new Uint8Array(maxDepth + 1);
  readonly #names = new Set<number>();
  readonly #groups: number[][] = [];
  #at = 0;
  #depth = 0;
  #values = 0;
  /**
   * Number of JSON values outside the slices into which long lists are split. All these values are parsed in one step.
   */
  #unsliced = 0;
  #sinceCut = 0;
  #lastCut = 0;
  #cuts: number[] | undefined;
  #cutDepth = 0;
  #inString = false;
  /**
   * Number of bytes at the start of the next chunk that belong to an escape sequence. -1 if the last chunk ended
   * directly after the backslash, so that the length of the escape sequence is not known yet.
   */
  #skip = 0;
  #escape = -1;
  #quote = -1;
  /** Start of the string that is being scanned, as an offset in the whole body. */
  #textStart = 0;
  #textCuts: number[] = [];
  readonly #texts: LongString[] = [];
  /** Whether a string may contain NUL, which JSON can write only as an escape. */
  mayHoldNul = false;
  /** Total size in bytes of the long strings since the last position at which a list was split. */
  #textBytes = 0;
  #unslicedBytes = 0;

  constructor(maxValues = defaultMaxValues) {
    this.#maxValues = maxValues;
  }

  /** Split points of each list that can be split, in document order. */
  get listSplits(): readonly SplitPoints[] {
    return this.#groups.filter((cuts) => cuts.length > 1);
  }

  get longStrings(): readonly LongString[] {
    return this.#texts;
  }

  /**
   * Scans a chunk of the body. The caller must not split a character between two chunks, because the end of a chunk may
   * become a split point of a long string.
   */
  add(piece: Buffer): void {
    this.#escape = -1;
    this.#quote = -1;
    for (let i = 0; i < piece.length; i++) {
      if (this.#inString) {
        i = this.#skipString(piece, i);
        continue;
      }
      switch (piece[i]) {
        case 0x22:
          this.#inString = true;
          this.#textStart = this.#at + i + 1;
          i = this.#skipString(piece, i + 1);
          break;
        case 0x2c:
          this.#count();
          this.#split(this.#at + i);
          break;
        case 0x5b:
        case 0x7b:
          this.#open(piece[i] === 0x5b);
          break;
        case 0x5d:
        case 0x7d:
          this.#close();
          break;
      }
    }
    this.#at += piece.length;
    this.#refuseUnsliced(this.#at);
  }

  /** Skips to the end of the current string or of the chunk, and returns that position. */
  #skipString(piece: Buffer, from: number): number {
    let at = from + (this.#skip < 0 ? escapeLength(piece[from]) - 1 : this.#skip);
    this.#skip = 0;
    // Scan the first bytes in a loop, because most strings are short and calling indexOf costs more.
    let near = at + namePrefix;
    while (at < piece.length) {
      const byte = piece[at]!;
      if (byte === 0x22) {
        this.#inString = false;
        this.#endText(this.#at + at, isName(piece, at + 1));
        if (isName(piece, at + 1)) this.#name(piece, from, at);
        return at;
      }
      if (byte === 0x5c) {
        if (at + 1 === piece.length) {
          this.#skip = -1;
          this.mayHoldNul = true;
          this.#textCuts.push(this.#at + at);
          return piece.length;
        }
        if (piece[at + 1] === 0x75 && isZero(piece, at + 2)) this.mayHoldNul = true;
        at += escapeLength(piece[at + 1]);
        near = at + namePrefix;
      } else if (++at >= near) at = Math.min(this.#nextQuote(piece, at), this.#nextEscape(piece, at));
    }
    this.#skip = at - piece.length;
    this.#textCuts.push(this.#at + at);
    return piece.length;
  }

  #endText(to: number, isFieldName: boolean): void {
    const from = this.#textStart;
    if (to - from > longText) {
      if (isFieldName)
        throw fail('invalid_parameter', `the request body has a field name longer than ${longText} bytes`);
      this.#texts.push({ from, to, splitPoints: this.#textCuts });
      this.#textBytes += to - from;
    }
    this.#textCuts = [];
  }

  /**
   * Returns the position of the next quotation mark (`"`). The position is cached, because searching again for every
   * string would repeat the same scan.
   */
  #nextQuote(piece: Buffer, from: number): number {
    if (this.#quote < from) this.#quote = indexOf(piece, 0x22, from);
    return this.#quote;
  }

  #nextEscape(piece: Buffer, from: number): number {
    if (this.#escape < from) this.#escape = indexOf(piece, 0x5c, from);
    return this.#escape;
  }

  #name(piece: Buffer, from: number, to: number): void {
    let hash = to - from;
    for (let i = from; i < to && i < from + namePrefix; i++) hash = (Math.imul(hash, 31) + piece[i]!) | 0;
    this.#names.add(hash);
    if (this.#names.size > maxNames)
      throw fail('invalid_parameter', `the request body has more than ${maxNames} different field names`);
  }

  #count(): void {
    if (++this.#values > this.#maxValues) throw tooMany(`over ${this.#maxValues} values`);
    this.#sinceCut++;
    if (this.#unsliced + this.#sinceCut > maxUnsliced)
      throw tooMany(`over ${maxUnsliced} values outside one long list`);
  }

  #open(isArray: boolean): void {
    this.#count();
    if (++this.#depth > maxDepth)
      throw fail('invalid_parameter', `the request body is nested deeper than ${maxDepth} levels`);
    this.#isArray[this.#depth] = isArray ? 1 : 0;
    this.#arrays[this.#depth] = this.#arrays[this.#depth - 1]! + (isArray ? 1 : 0);
  }

  #close(): void {
    if (this.#cuts !== undefined && this.#depth === this.#cutDepth) {
      this.#cuts = undefined;
      this.#countUnsliced();
    }
    if (this.#depth > 0) this.#depth--;
  }

  /**
   * Throws if more than `maxUnslicedBytes` bytes are outside long lists and long strings. Long lists and long strings
   * are parsed in slices, but all other bytes are parsed in one step, which blocks the event loop.
   */
  #refuseUnsliced(at: number): void {
    const ofText = this.#inString && at - this.#textStart > longText ? at - this.#textStart : 0;
    if (this.#unslicedBytes + at - this.#lastCut - this.#textBytes - ofText > maxUnslicedBytes)
      throw tooMany(`over ${maxUnslicedBytes} bytes outside long lists and long texts`);
  }

  #split(at: number): void {
    if (at - this.#lastCut < sliceBytes || this.#isArray[this.#depth] !== 1) return;
    if (this.#cuts === undefined) {
      // Prefer to split the outermost of nested lists. An inner list is split only if enough bytes have passed since
      // the last split point: `sliceBytes` for the list itself and again for each list around it.
      if (at - this.#lastCut < sliceBytes * this.#arrays[this.#depth]!) return;
      this.#cuts = [at];
      this.#groups.push(this.#cuts);
      this.#cutDepth = this.#depth;
      this.#countUnsliced();
      this.#unslicedBytes += at - this.#lastCut - this.#textBytes;
    } else if (this.#depth === this.#cutDepth) {
      this.#cuts.push(at);
      this.#sinceCut = 0;
    } else return;
    this.#lastCut = at;
    this.#textBytes = 0;
  }

  #countUnsliced(): void {
    this.#unsliced += this.#sinceCut;
    this.#sinceCut = 0;
  }
}

function tooMany(what: string): Error {
  return fail('invalid_parameter', `the request body contains too much: ${what}; send it in several calls`);
}

/** Returns the number of bytes of a JSON escape such as `\n` or `\u4e2d`. `next` is the byte after the backslash. */
function escapeLength(next: number | undefined): number {
  return next === 0x75 ? 6 : 2;
}

/**
 * Returns whether the four hexadecimal digits of a `\u` escape are all 0, as in `\u0000`, the JSON escape of NUL. If
 * the chunk ends before the fourth digit, only the available digits are compared.
 */
function isZero(piece: Buffer, from: number): boolean {
  for (let at = from; at < from + 4 && at < piece.length; at++) if (piece[at] !== 0x30) return false;
  return true;
}

/** Returns the position of the next byte with this value in the chunk, or the chunk's length if there is none. */
function indexOf(piece: Buffer, byte: number, from: number): number {
  const found = piece.indexOf(byte, from);
  return found < 0 ? piece.length : found;
}

/** Returns whether the next character other than white space is a colon. The string before it is then a field name. */
function isName(piece: Buffer, from: number): boolean {
  let at = from;
  while (piece[at] === 0x20 || piece[at] === 0x0a || piece[at] === 0x0d || piece[at] === 0x09) at++;
  return piece[at] === 0x3a;
}

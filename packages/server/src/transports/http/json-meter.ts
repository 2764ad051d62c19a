import { fail } from '../../operation/errors.ts';

export const deepest = 200;
/** Values that are read in one go: parsing so many takes some hundredths of a second. */
const usualValues = 100_000;
/** The same, where one long list is the rest. */
const maxUnsliced = 100_000;
/** Bytes outside of long lists and long texts, which are parsed in one go. */
const maxUnslicedBytes = 2 * 2 ** 20;
/** A longer text is decoded by itself, in slices. */
const longText = 4096;
/** Objects with ever other names take the parser twenty times as long as a list of equal ones. */
const maxNames = 10_000;
/** Long lists are parsed in slices of about this many bytes, with turns for others between them. */
const sliceBytes = 128 * 1024;
const namePrefix = 48;

/** The commas at which a long list can be taken apart. */
export type Cuts = readonly number[];

/** The characters of a long text between its quotes, and where they can be taken apart. */
export interface LongText {
  readonly from: number;
  readonly to: number;
  readonly cuts: readonly number[];
}

/**
 * Looks at JSON as it arrives: what it is made of decides how long reading it takes, not its length. Refuses what is too
 * much before it is in memory, and finds where long lists can be taken apart. Whether it is JSON at all is not its business.
 */
export class JsonMeter {
  readonly #maxValues: number;
  readonly #isArray = new Uint8Array(deepest + 1);
  /** How many lists each depth is inside of. */
  readonly #arrays = new Uint8Array(deepest + 1);
  readonly #names = new Set<number>();
  readonly #groups: number[][] = [];
  #at = 0;
  #depth = 0;
  #values = 0;
  /** Values that no slice takes: they are parsed at once. */
  #unsliced = 0;
  #sinceCut = 0;
  #lastCut = 0;
  #cuts: number[] | undefined;
  #cutDepth = 0;
  #inString = false;
  /** Bytes of an escape that are still to come; -1 where only its backslash has come. */
  #skip = 0;
  #escape = -1;
  #quote = -1;
  /** Where the text that is being read began, in the whole body. */
  #textStart = 0;
  #textCuts: number[] = [];
  readonly #texts: LongText[] = [];
  /** Whether a text may hold NUL, which can only be written as an escape. */
  mayHoldNul = false;
  /** Bytes of long texts since the last cut. */
  #textBytes = 0;
  #unslicedBytes = 0;

  constructor(maxValues = usualValues) {
    this.#maxValues = maxValues;
  }

  /** Lists that are worth taking apart, in their order. */
  get groups(): readonly Cuts[] {
    return this.#groups.filter((cuts) => cuts.length > 1);
  }

  get texts(): readonly LongText[] {
    return this.#texts;
  }

  /** Pieces begin with a whole character, so that a text can be cut between them. */
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
          this.#cut(this.#at + i);
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

  /** Where the string ends, or the end of the piece. */
  #skipString(piece: Buffer, from: number): number {
    let at = from + (this.#skip < 0 ? escapeLength(piece[from]) - 1 : this.#skip);
    this.#skip = 0;
    // Most strings are short, and a call costs more than looking at some bytes.
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
      this.#texts.push({ from, to, cuts: this.#textCuts });
      this.#textBytes += to - from;
    }
    this.#textCuts = [];
  }

  /** Both are found once and kept: looking for the next from every string on would take its length each time. */
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
    if (++this.#depth > deepest)
      throw fail('invalid_parameter', `the request body is nested deeper than ${deepest} levels`);
    this.#isArray[this.#depth] = isArray ? 1 : 0;
    this.#arrays[this.#depth] = this.#arrays[this.#depth - 1]! + (isArray ? 1 : 0);
  }

  #close(): void {
    if (this.#cuts !== undefined && this.#depth === this.#cutDepth) {
      this.#cuts = undefined;
      this.#settle();
    }
    if (this.#depth > 0) this.#depth--;
  }

  /** What is neither in a slice of a list nor a long text is parsed at once. */
  #refuseUnsliced(at: number): void {
    const ofText = this.#inString && at - this.#textStart > longText ? at - this.#textStart : 0;
    if (this.#unslicedBytes + at - this.#lastCut - this.#textBytes - ofText > maxUnslicedBytes)
      throw tooMany(`over ${maxUnslicedBytes} bytes outside long lists and long texts`);
  }

  #cut(at: number): void {
    if (at - this.#lastCut < sliceBytes || this.#isArray[this.#depth] !== 1) return;
    if (this.#cuts === undefined) {
      // The outer list first: an inner one is taken apart only where the outer one's entries are that long.
      if (at - this.#lastCut < sliceBytes * this.#arrays[this.#depth]!) return;
      this.#cuts = [at];
      this.#groups.push(this.#cuts);
      this.#cutDepth = this.#depth;
      this.#settle();
      this.#unslicedBytes += at - this.#lastCut - this.#textBytes;
    } else if (this.#depth === this.#cutDepth) {
      this.#cuts.push(at);
      this.#sinceCut = 0;
    } else return;
    this.#lastCut = at;
    this.#textBytes = 0;
  }

  #settle(): void {
    this.#unsliced += this.#sinceCut;
    this.#sinceCut = 0;
  }
}

function tooMany(what: string): Error {
  return fail('invalid_parameter', `the request body contains too much: ${what}; send it in several calls`);
}

/** Of `\n` or `\u4e2d`, by what follows the backslash. */
function escapeLength(next: number | undefined): number {
  return next === 0x75 ? 6 : 2;
}

/** Four zeros, or as many of them as the piece still has. */
function isZero(piece: Buffer, from: number): boolean {
  for (let at = from; at < from + 4 && at < piece.length; at++) if (piece[at] !== 0x30) return false;
  return true;
}

/** The next such byte, or the end. */
function indexOf(piece: Buffer, byte: number, from: number): number {
  const found = piece.indexOf(byte, from);
  return found < 0 ? piece.length : found;
}

/** A string is the name of a field when a colon follows it. */
function isName(piece: Buffer, from: number): boolean {
  let at = from;
  while (piece[at] === 0x20 || piece[at] === 0x0a || piece[at] === 0x0d || piece[at] === 0x09) at++;
  return piece[at] === 0x3a;
}

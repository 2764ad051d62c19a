import { fail } from '../../operation/errors.ts';

export const deepest = 200;
/** Values that are read in one go: parsing so many takes some hundredths of a second. */
const usualValues = 100_000;
/** The same, where one long list is the rest. */
const maxUnsliced = 200_000;
/** Objects with ever other names take the parser twenty times as long as a list of equal ones. */
const maxNames = 10_000;
/** Long lists are parsed in slices of about this many bytes, with turns for others between them. */
const sliceBytes = 128 * 1024;
const namePrefix = 48;

/** The commas at which a long list can be taken apart. */
export type Cuts = readonly number[];

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
  #isEscaped = false;
  #escape = -1;

  constructor(maxValues = usualValues) {
    this.#maxValues = maxValues;
  }

  /** Lists that are worth taking apart, in their order. */
  get groups(): readonly Cuts[] {
    return this.#groups.filter((cuts) => cuts.length > 1);
  }

  add(piece: Buffer): void {
    this.#escape = -1;
    for (let i = 0; i < piece.length; i++) {
      if (this.#inString) {
        i = this.#skipString(piece, i);
        continue;
      }
      switch (piece[i]) {
        case 0x22:
          this.#inString = true;
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
  }

  /** Where the string ends, or the end of the piece. */
  #skipString(piece: Buffer, from: number): number {
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    for (;;) {
      const quote = endOfPlain(piece, at);
      const escape = this.#nextEscape(piece, at);
      if (escape < quote) at = escape + 2;
      else if (quote === piece.length) return quote;
      else {
        this.#inString = false;
        if (isName(piece, quote + 1)) this.#name(piece, from, quote);
        return quote;
      }
      if (at > piece.length) {
        this.#isEscaped = true;
        return piece.length;
      }
    }
  }

  /** Found once and kept: most pieces have few, and looking for the next from every string on would take its length each time. */
  #nextEscape(piece: Buffer, from: number): number {
    if (this.#escape < from) {
      const found = piece.indexOf(0x5c, from);
      this.#escape = found < 0 ? piece.length : found;
    }
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

  #cut(at: number): void {
    if (at - this.#lastCut < sliceBytes || this.#isArray[this.#depth] !== 1) return;
    if (this.#cuts === undefined) {
      // The outer list first: an inner one is taken apart only where the outer one's entries are that long.
      if (at - this.#lastCut < sliceBytes * this.#arrays[this.#depth]!) return;
      this.#cuts = [at];
      this.#groups.push(this.#cuts);
      this.#cutDepth = this.#depth;
      this.#settle();
    } else if (this.#depth === this.#cutDepth) {
      this.#cuts.push(at);
      this.#sinceCut = 0;
    } else return;
    this.#lastCut = at;
  }

  #settle(): void {
    this.#unsliced += this.#sinceCut;
    this.#sinceCut = 0;
  }
}

function tooMany(what: string): Error {
  return fail('invalid_parameter', `the request body contains too much: ${what}; send it in several calls`);
}

/** The next quote, or the end: most strings are short, and a call costs more than looking at some bytes. */
function endOfPlain(piece: Buffer, from: number): number {
  const near = Math.min(piece.length, from + namePrefix);
  for (let at = from; at < near; at++) if (piece[at] === 0x22) return at;
  const found = piece.indexOf(0x22, near);
  return found < 0 ? piece.length : found;
}

/** A string is the name of a field when a colon follows it. */
function isName(piece: Buffer, from: number): boolean {
  let at = from;
  while (piece[at] === 0x20 || piece[at] === 0x0a || piece[at] === 0x0d || piece[at] === 0x09) at++;
  return piece[at] === 0x3a;
}

import { growArray } from './bytes.ts';
import { foldHanUnit } from '../analysis/fold-han.ts';
import { visitWord, type TokenSink } from '../analysis/tokenizer.ts';

/** Numbers of the fields of a document. The token log stores the number of the field with each token. */
export const fieldNumbers = { title: 1, headings: 2, body: 3 } as const;

/**
 * Lowest first code unit of the two-unit tokens that are looked up in a `PairTable` instead of a map of strings. Nearly
 * all these tokens are pairs of Chinese characters.
 */
const firstPaired = 0x3041;

/**
 * Records the tokens of the documents of a new index segment in reading order. Parallel arrays hold the token number,
 * the document and field, and the position of each occurrence. A separate list for each token would cost several times
 * as much.
 */
export class TokenLog implements TokenSink {
  readonly tokens: string[] = [];
  /** Document and field of the tokens that are added next. The caller sets both. */
  document = 0;
  field: number = fieldNumbers.title;
  readonly #numbers = new Map<string, number>();
  /** Cached token numbers of each word: first the number of the word itself, then those of its stem and its parts. */
  readonly #words = new Map<string, readonly number[]>();
  /** Token number plus one for each single code unit; 0 if the code unit has no token. */
  readonly #singles = new Uint32Array(2 ** 16);
  readonly #pairs = new PairTable();
  #length = 0;
  #tokenNumbers = new Uint32Array(4096);
  #documentFields = new Uint32Array(4096);
  #positions = new Uint32Array(4096);

  positioned(token: string, place: number): void {
    this.#add(this.#numberOf(token), place + 1);
  }

  unpositioned(token: string): void {
    this.#add(this.#numberOf(token), 0);
  }

  word(word: string, place: number): void {
    let numbers = this.#words.get(word);
    if (!numbers) {
      const found: number[] = [];
      const add = (token: string): void => void found.push(this.#numberOf(token));
      visitWord(word, place, { positioned: add, unpositioned: add });
      this.#words.set(word, (numbers = found));
    }
    this.#add(numbers[0]!, place + 1);
    for (let i = 1; i < numbers.length; i++) this.#add(numbers[i]!, 0);
  }

  /**
   * Adds a run of characters that are one UTF-16 code unit each, as nearly all Chinese characters are. Tokens are
   * looked up by code units, without creating strings.
   */
  plain(text: string, from: number, to: number, place: number): void {
    const last = to - 1;
    let unit = foldHanUnit(text.charCodeAt(from));
    for (let at = from; at < to; at++) {
      const next = at < last ? foldHanUnit(text.charCodeAt(at + 1)) : 0;
      const here = place + at - from + 1;
      if (at < last) {
        const key = ((unit << 16) | next) >>> 0;
        let pair = this.#pairs.get(key);
        if (pair < 0) pair = this.#newPair(key, String.fromCharCode(unit, next));
        this.#add(pair, here);
      }
      let single = this.#singles[unit]!;
      if (single === 0) this.#singles[unit] = single = this.#numberOf(String.fromCharCode(unit)) + 1;
      this.#add(single - 1, at === from || at === last ? here : 0);
      unit = next;
    }
  }

  #newPair(key: number, token: string): number {
    const number = this.tokens.push(token) - 1;
    this.#pairs.set(key, number);
    return number;
  }

  #numberOf(token: string): number {
    if (token.length === 2 && token.charCodeAt(0) >= firstPaired) {
      const key = ((token.charCodeAt(0) << 16) | token.charCodeAt(1)) >>> 0;
      const known = this.#pairs.get(key);
      return known < 0 ? this.#newPair(key, token) : known;
    }
    let number = this.#numbers.get(token);
    if (number === undefined) {
      number = this.tokens.length;
      this.#numbers.set(token, number);
      this.tokens.push(token);
    }
    return number;
  }

  #add(number: number, place: number): void {
    if (this.#length === this.#tokenNumbers.length) this.#grow();
    const at = this.#length++;
    this.#tokenNumbers[at] = number;
    this.#documentFields[at] = this.document * 4 + this.field;
    this.#positions[at] = place;
  }

  #grow(): void {
    const length = 2 * this.#length;
    this.#tokenNumbers = growArray(this.#tokenNumbers, length);
    this.#documentFields = growArray(this.#documentFields, length);
    this.#positions = growArray(this.#positions, length);
  }

  /** Returns the occurrences recorded so far, sorted by token; those of one token keep their order. */
  sorted(): SortedLog {
    const starts = new Uint32Array(this.tokens.length + 1);
    for (let at = 0; at < this.#length; at++) starts[this.#tokenNumbers[at]! + 1]! += 1;
    for (let number = 0; number < this.tokens.length; number++) starts[number + 1]! += starts[number]!;
    const next = starts.slice();
    const where = new Uint32Array(this.#length);
    const places = new Uint32Array(this.#length);
    for (let at = 0; at < this.#length; at++) {
      const to = next[this.#tokenNumbers[at]!]!++;
      where[to] = this.#documentFields[at]!;
      places[to] = this.#positions[at]!;
    }
    return { starts, documentFields: where, positions: places };
  }
}

export interface SortedLog {
  /** Index of the first occurrence of each token; the last entry is the number of occurrences. */
  starts: Uint32Array;
  /** For each occurrence, the document index times four plus the field number. */
  documentFields: Uint32Array;
  /** For each occurrence, its position plus one, or 0 if it has no position. */
  positions: Uint32Array;
}

/** Hash table that maps a pair of code units, packed into a nonzero number, to a token number. */
class PairTable {
  #keys = new Uint32Array(1024);
  #values = new Uint32Array(1024);
  #size = 0;

  /** Returns the token number of a key (two numbers packed into one), or -1 if the key is absent. */
  get(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    for (let at = hashKey(key) & mask; ; at = (at + 1) & mask) {
      if (keys[at] === key) return this.#values[at]!;
      if (keys[at] === 0) return -1;
    }
  }

  set(key: number, value: number): void {
    if (2 * ++this.#size > this.#keys.length) this.#grow();
    this.#put(key, value);
  }

  #put(key: number, value: number): void {
    const mask = this.#keys.length - 1;
    let at = hashKey(key) & mask;
    while (this.#keys[at] !== 0) at = (at + 1) & mask;
    this.#keys[at] = key;
    this.#values[at] = value;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Uint32Array(2 * keys.length);
    this.#values = new Uint32Array(2 * keys.length);
    keys.forEach((key, at) => {
      if (key !== 0) this.#put(key, values[at]!);
    });
  }
}

/**
 * Hashes a key that packs two numbers. The multiplication and the shift together mix all bits, so that similar keys get
 * very different hashes.
 */
function hashKey(key: number): number {
  const product = Math.imul(key, 0x9e3779b1);
  return (product ^ (product >>> 15)) >>> 0;
}

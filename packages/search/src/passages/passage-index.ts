import { visitTokens, visitWord, type TokenSink } from '../analysis/tokenizer.ts';
import { ByteReader, ByteWriter } from '../index/bytes.ts';
import type { TermAlternative } from '../query/query-term.ts';
import { splitPassages, type Outline, type Passage } from './split-passages.ts';

/** Number of characters at the start of a text in which passages are searched. The rest of the text is ignored. */
const maxSearchedLength = 2 ** 20;
const charsPerStep = 50_000;

/**
 * A part of a passage that is scored separately: a table row, or the whole passage if it is no table. `passage` is the
 * index of the passage in its text.
 */
export interface PassageUnit {
  passage: number;
  from: number;
  to: number;
}

/** Callback that receives how often a unit (a table row or a passage) contains a term. */
export type CountUnit = (unit: number, count: number) => void;

/**
 * Index of the tokens of one text by passage. Building it costs as much as indexing the text, queries cost almost
 * nothing. Tokens are stored as hashes, so that the index of a long report takes a few hundred kilobytes.
 */
export class PassageIndex {
  readonly passages: readonly Passage[];
  readonly #hashes: Uint32Array;
  /** For each token, the offset in `#postings` at which its data starts. The last entry is the end offset. */
  readonly #starts: Uint32Array;
  /**
   * For each token, the units (passages or table rows) that contain it: alternately the token's count in a unit and the
   * distance to the next such unit. Each occurrence in the text adds two to the count, each one in a heading adds one.
   */
  readonly #postings: Uint8Array;
  readonly #unitPassages: Uint32Array;
  readonly #unitFroms: Uint32Array;
  readonly #lengths: Uint32Array;

  private constructor(passages: readonly Passage[], units: readonly PassageUnit[], counter: TokenCounter) {
    this.passages = passages;
    this.#unitPassages = Uint32Array.from(units, (unit) => unit.passage);
    this.#unitFroms = Uint32Array.from(units, (unit) => unit.from);
    this.#lengths = Uint32Array.from(counter.lengths);
    ({ hashes: this.#hashes, starts: this.#starts, postings: this.#postings } = counter.packed());
  }

  /** Builds the index in steps of about ten milliseconds, so that the caller can do other work between steps. */
  static *build(body: string, outline: Outline): Generator<void, PassageIndex> {
    const text = body.slice(0, maxSearchedLength);
    const passages = splitPassages(text, outline);
    const units = unitsOf(text, passages);
    const counter = new TokenCounter();
    let next = charsPerStep;
    for (const { passage, from, to } of units) {
      if (from > next) {
        next = from + charsPerStep;
        yield;
      }
      counter.add(text.slice(from, to), headingsOf(passages[passage]!));
    }
    return new PassageIndex(passages, units, counter);
  }

  get units(): number {
    return this.#unitPassages.length;
  }

  /** Returns the number of words in a unit (a table row or a passage). */
  length(unit: number): number {
    return this.#lengths[unit]!;
  }

  unit(unit: number): PassageUnit {
    const passage = this.#unitPassages[unit]!;
    const isLast = this.#unitPassages[unit + 1] !== passage;
    return {
      passage,
      from: this.#unitFroms[unit]!,
      to: isLast ? this.passages[passage]!.to : this.#unitFroms[unit + 1]!,
    };
  }

  /** Approximate memory size in bytes, for cache limits. */
  get size(): number {
    const arrays = [this.#hashes, this.#starts, this.#postings, this.#unitPassages, this.#unitFroms, this.#lengths];
    return arrays.reduce((sum, one) => sum + one.byteLength, 0) + this.passages.length * 128;
  }

  /**
   * Calls `add` with each unit (table row or passage) that contains one form of a query term, and the number of its
   * occurrences. The tokens of a phrase may be anywhere in the unit.
   */
  count({ tokens }: TermAlternative, add: CountUnit): void {
    const [first = '', ...others] = tokens;
    if (others.length === 0) return this.#each(first, add);
    let common: Map<number, number> | undefined;
    for (const token of tokens) {
      const found = new Map<number, number>();
      this.#each(token, (unit, count) => {
        const before = common ? common.get(unit) : count;
        if (before !== undefined) found.set(unit, Math.min(before, count));
      });
      common = found;
    }
    common?.forEach((count, unit) => add(unit, count));
  }

  #each(token: string, add: CountUnit): void {
    const at = indexOfHash(this.#hashes, hashOf(token));
    if (at < 0) return;
    const reader = new ByteReader(this.#postings, this.#starts[at]!);
    for (let unit = 0; reader.at < this.#starts[at + 1]!;) {
      const count = reader.varint();
      if (count > 0) add(unit, count / 2);
      unit += reader.varint();
    }
  }
}

function unitsOf(text: string, passages: readonly Passage[]): PassageUnit[] {
  return passages.flatMap(({ from, to, table }, passage): PassageUnit[] => {
    if (!table) return [{ passage, from, to }];
    const units: PassageUnit[] = [];
    for (let start = from; start < to;) {
      const line = text.indexOf('\n', start);
      const end = line < 0 || line >= to ? to : line + 1;
      units.push({ passage, from: start, to: end });
      start = end;
    }
    return units;
  });
}

/** Returns the headings above a passage and its table's column headings, which describe its content. */
function headingsOf({ headings, table }: Passage): string {
  return [...headings, ...(table?.headings ?? [])].join('\n');
}

/**
 * Postings of a token while the index is being built: completed units (table rows or passages) as bytes, and the count
 * in the current unit.
 */
interface GrowingPostings {
  readonly bytes: ByteWriter;
  unit: number;
  count: number;
}

/** Counts the tokens of one unit (table row or passage) after another. */
class TokenCounter {
  /** Number of words of each unit (table row or passage). */
  readonly lengths: number[] = [];
  readonly #tokens = new Map<string, GrowingPostings>();
  /** Postings of the tokens of each word and each heading, cached so that each is tokenized once. */
  readonly #words = new Map<string, readonly GrowingPostings[]>();
  readonly #headings = new Map<string, readonly GrowingPostings[]>();
  #unit = -1;

  /**
   * Counts the tokens of the next unit (a table row or a passage). A token in the text counts twice, a token in the
   * headings once.
   */
  add(text: string, headings: string): void {
    this.#unit += 1;
    const add = (token: string): void => this.#add(this.#postingsOf(token), 2);
    const length = visitTokens(text, {
      positioned: add,
      unpositioned: add,
      word: (word) => {
        let tokens = this.#words.get(word);
        if (!tokens) this.#words.set(word, (tokens = this.#all((sink) => visitWord(word, 0, sink))));
        for (const one of tokens) this.#add(one, 2);
      },
    });
    let above = this.#headings.get(headings);
    if (!above) this.#headings.set(headings, (above = this.#all((sink) => visitTokens(headings, sink))));
    for (const one of above) this.#add(one, 1);
    this.lengths.push(length);
  }

  #all(visit: (sink: TokenSink) => void): GrowingPostings[] {
    const found: GrowingPostings[] = [];
    const add = (token: string): unknown => found.push(this.#postingsOf(token));
    visit({ positioned: add, unpositioned: add });
    return found;
  }

  #postingsOf(token: string): GrowingPostings {
    let one = this.#tokens.get(token);
    if (!one) this.#tokens.set(token, (one = { bytes: new ByteWriter(16), unit: 0, count: 0 }));
    return one;
  }

  #add(one: GrowingPostings, weight: number): void {
    if (one.unit !== this.#unit) {
      endPosting(one, this.#unit - one.unit);
      one.unit = this.#unit;
    }
    one.count += weight;
  }

  packed(): { hashes: Uint32Array; starts: Uint32Array; postings: Uint8Array } {
    const sorted = [...this.#tokens]
      .map(([token, one]) => ({ hash: hashOf(token), one }))
      .sort((one, other) => one.hash - other.hash);
    const starts = new Uint32Array(sorted.length + 1);
    const postings = new ByteWriter(sorted.length * 8);
    sorted.forEach(({ one }, i) => {
      endPosting(one, 0);
      postings.append(one.bytes);
      starts[i + 1] = postings.length;
    });
    return { hashes: Uint32Array.from(sorted, ({ hash }) => hash), starts, postings: postings.copy() };
  }
}

/**
 * Ends a unit (table row or passage): writes how often the unit contains the token, then the distance to the next unit
 * that contains the token.
 */
function endPosting(one: GrowingPostings, distance: number): void {
  one.bytes.varint(one.count);
  one.bytes.varint(distance);
  one.count = 0;
}

/** FNV-1a hash over UTF-16 code units. Collisions within a text are rare and only rank a passage slightly too high. */
function hashOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function indexOfHash(hashes: Uint32Array, hash: number): number {
  let [from, to] = [0, hashes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (hashes[middle]! < hash) from = middle + 1;
    else to = middle;
  }
  return hashes[from] === hash ? from : -1;
}

import type { KeptLists } from './kept-lists.ts';
import type { FetchParts, OpenSegment, Part } from './open-segment.ts';
import { readPhrase, type PhraseToken } from '../query/phrase.ts';
import { noFrequencies, readPostings, united, type FieldWeights, type Frequencies, type Stretch } from './postings.ts';
import type { Choice, Unit } from '../query/query.ts';
import { blockOf, listIn, listsPart, placesIn, placesPart, tokensIn } from './segment.ts';
import { noWindow, unitListOf, windowOf, type UnitList, type UnitWindow } from './unit-list.ts';

/** Query words that are searched in the same fields. */
export interface Wanted {
  units: readonly Unit[];
  weights: FieldWeights;
}

/** Maximum number of words a prefix expands to, and of blocks read to find them. */
const maxExpanded = 64;
const maxPrefixBlocks = 16;
/**
 * A list is read whole and cached if the caller may see at least this share of the segment in at most this number of
 * ranges.
 */
const wideShare = 0.5;
const fewStretches = 32;

/** Cache entry of a word's postings: no key if the list must not be cached, no list if it is not in the cache. */
interface Known {
  key: string | undefined;
  list: UnitList | undefined;
}

/** Looks up words in every segment, with one fetch for everything that is not cached. */
export class UnitReader {
  readonly #segments: readonly OpenSegment[];
  readonly #stretches: readonly (readonly Stretch[])[];
  readonly #read: FetchParts;
  readonly #kept: KeptLists;
  readonly #isWide: readonly boolean[];
  readonly #blocks = new Map<string, Uint8Array>();
  readonly #known = new Map<Unit, Known[]>();

  constructor(
    segments: readonly OpenSegment[],
    stretches: readonly (readonly Stretch[])[],
    read: FetchParts,
    kept: KeptLists,
  ) {
    this.#segments = segments;
    this.#stretches = stretches;
    this.#read = read;
    this.#kept = kept;
    this.#isWide = stretches.map((list, segment) => {
      const seen = list.reduce((sum, [from, to]) => sum + to - from, 0);
      return list.length <= fewStretches && seen >= segments[segment]!.columns.documents.length * wideShare;
    });
  }

  async prepare(clauses: readonly Wanted[]): Promise<void> {
    const wanted = this.wanted(clauses);
    if (wanted.size === 0) return;
    const parts = await this.#read([...wanted.values()]);
    [...wanted.keys()].forEach((key, i) => this.#blocks.set(key, parts[i]!));
  }

  /** Lists the parts needed for the words whose postings are not cached. */
  wanted(clauses: readonly Wanted[]): ReadonlyMap<string, Part> {
    const wanted = new Map<string, Part>();
    const want = (segment: number, part: number): void => {
      wanted.set(`${segment} ${part}`, { segment: this.#segments[segment]!.number, part });
    };
    for (const { units, weights } of clauses)
      for (const unit of units) {
        const name = unit.prefix === undefined ? nameOf(unit) : undefined;
        const known = this.#segments.map(({ number, dictionary }, segment): Known => {
          if (this.#stretches[segment]!.length === 0) return { key: undefined, list: undefined };
          const key = name !== undefined && this.#isWide[segment] ? this.#kept.keyOf(number, name, weights) : undefined;
          const list = key === undefined ? undefined : this.#kept.get(key);
          if (!list) this.#wantUnit(unit, dictionary, (part) => want(segment, part));
          return { key, list };
        });
        this.#known.set(unit, known);
      }
    return wanted;
  }

  #wantUnit(unit: Unit, dictionary: readonly string[], want: (part: number) => void): void {
    for (const choice of unit.choices) {
      for (const token of choice.tokens) {
        const block = blockOf(dictionary, token);
        if (block < 0) continue;
        want(listsPart(block));
        if (choice.places) want(placesPart(block));
      }
    }
    if (unit.exact !== undefined) {
      const block = blockOf(dictionary, unit.exact);
      if (block >= 0) want(listsPart(block));
    }
    for (const block of this.#prefixBlocks(dictionary, unit.prefix)) want(listsPart(block));
  }

  /** Returns the postings slice of a prepared unit in each segment. */
  windows(unit: Unit, fields: FieldWeights): UnitWindow[] {
    return this.#segments.map(({ columns, gone, goneAt }, segment) => {
      const stretches = this.#stretches[segment]!;
      if (stretches.length === 0) return noWindow;
      const { key, list } = this.#known.get(unit)![segment]!;
      if (list) return windowOf(list, stretches, gone, goneAt);
      if (key === undefined) {
        const own = this.#listOf(unit, segment, fields, stretches, gone);
        return { ...own, from: 0, to: own.length, live: own.length };
      }
      const whole = this.#listOf(unit, segment, fields, [[0, columns.documents.length]], undefined);
      this.#kept.keep(key, whole);
      return windowOf(whole, stretches, gone, goneAt);
    });
  }

  #listOf(
    unit: Unit,
    segment: number,
    fields: FieldWeights,
    stretches: readonly Stretch[],
    gone: Uint8Array | undefined,
  ): UnitList {
    const lists = new Map<string, Frequencies>();
    const ofToken = (token: string): Frequencies => {
      let found = lists.get(token);
      if (!found) {
        const bytes = this.#find(segment, token)?.list;
        found = bytes ? readPostings(bytes, stretches, gone, fields) : noFrequencies;
        lists.set(token, found);
      }
      return found;
    };
    let all = noFrequencies;
    for (const choice of unit.choices) {
      const found = choice.places
        ? this.#ofPhrase(segment, choice, fields, stretches, gone)
        : ofToken(choice.tokens[0] ?? '');
      all = united(all, found);
    }
    if (unit.prefix !== undefined)
      for (const token of this.#expanded(segment, unit.prefix)) all = united(all, ofToken(token));
    return unitListOf(all, unit.exact === undefined ? noFrequencies : ofToken(unit.exact));
  }

  #find(segment: number, token: string): { list: Uint8Array; index: number; block: number } | undefined {
    const block = blockOf(this.#segments[segment]!.dictionary, token);
    const bytes = this.#blocks.get(`${segment} ${listsPart(block)}`);
    const found = block < 0 || !bytes ? undefined : listIn(bytes, token);
    return found && { ...found, block };
  }

  #ofPhrase(
    segment: number,
    { tokens, places = [] }: Choice,
    fields: FieldWeights,
    stretches: readonly Stretch[],
    gone: Uint8Array | undefined,
  ): Frequencies {
    const parts: PhraseToken[] = [];
    for (const [i, token] of tokens.entries()) {
      const found = this.#find(segment, token);
      const kept = found && this.#blocks.get(`${segment} ${placesPart(found.block)}`);
      if (!kept) return noFrequencies;
      parts.push({ list: found.list, places: placesIn(kept, found.index), offset: places[i] ?? i });
    }
    return readPhrase(parts, this.#segments[segment]!.columns, stretches, gone, fields);
  }

  #prefixBlocks(dictionary: readonly string[], prefix: string | undefined): number[] {
    if (prefix === undefined) return [];
    const first = Math.max(0, blockOf(dictionary, prefix));
    const blocks: number[] = [];
    for (let block = first; block < dictionary.length && blocks.length < maxPrefixBlocks; block++) {
      const token = dictionary[block] ?? '';
      if (block > first && !token.startsWith(prefix)) break;
      blocks.push(block);
    }
    return blocks;
  }

  #expanded(segment: number, prefix: string): string[] {
    const tokens: string[] = [];
    for (const block of this.#prefixBlocks(this.#segments[segment]!.dictionary, prefix)) {
      const bytes = this.#blocks.get(`${segment} ${listsPart(block)}`);
      if (!bytes) continue;
      for (const { token } of tokensIn(bytes)) if (token.startsWith(prefix)) tokens.push(token);
    }
    return tokens.slice(0, maxExpanded);
  }
}

/** Identifies a unit by its choices; equal units share a cache entry. Tokens never hold a space or these signs. */
function nameOf({ choices, exact = '' }: Unit): string {
  const names = choices.map(({ tokens, places }) => (places ? `${tokens.join(' ')}@${places.join(' ')}` : tokens[0]));
  return `${names.join('|')}=${exact}`;
}

import type { FetchParts, OpenSegment, Part } from './open-segment.ts';
import { readPhrase, type PhraseToken } from './phrase.ts';
import { noFrequencies, readPostings, united, type FieldWeights, type Frequencies, type Stretch } from './postings.ts';
import type { Choice, Unit } from './query.ts';
import { blockOf, listIn, listsPart, partNumbers, placesIn, placesPart, readFieldEnds, tokensIn } from './segment.ts';

/** How often a document has a word in any form, and where in the form that was asked for. */
export interface UnitCounts {
  all: Frequencies;
  exact: Frequencies;
}

/** The most words that a beginning stands for. */
const maxExpanded = 64;

/** Looks words up in every segment, with one fetch for all of them. */
export class UnitReader {
  readonly #segments: readonly OpenSegment[];
  readonly #stretches: readonly (readonly Stretch[])[];
  readonly #read: FetchParts;
  readonly #blocks = new Map<string, Uint8Array>();

  constructor(segments: readonly OpenSegment[], stretches: readonly (readonly Stretch[])[], read: FetchParts) {
    this.#segments = segments;
    this.#stretches = stretches;
    this.#read = read;
  }

  async prepare(units: readonly Unit[]): Promise<void> {
    const wanted = new Map<string, Part>();
    const want = (segment: number, part: number): void => {
      wanted.set(`${segment} ${part}`, { segment: this.#segments[segment]!.number, part });
    };
    this.#segments.forEach(({ dictionary }, segment) => {
      if (this.#stretches[segment]!.length === 0) return;
      for (const unit of units) {
        for (const choice of unit.choices) {
          const blocks = choice.tokens.map((token) => blockOf(dictionary, token));
          if (choice.places) want(segment, partNumbers.fieldEnds);
          for (const block of blocks) {
            if (block < 0) continue;
            want(segment, listsPart(block));
            if (choice.places) want(segment, placesPart(block));
          }
        }
        if (unit.exact !== undefined) {
          const block = blockOf(dictionary, unit.exact);
          if (block >= 0) want(segment, listsPart(block));
        }
        for (const block of this.#prefixBlocks(dictionary, unit.prefix)) want(segment, listsPart(block));
      }
    });
    if (wanted.size === 0) return;
    const parts = await this.#read([...wanted.values()]);
    [...wanted.keys()].forEach((key, i) => this.#blocks.set(key, parts[i]!));
  }

  /** For each segment. */
  async counts(unit: Unit, fields: FieldWeights): Promise<UnitCounts[]> {
    return this.#segments.map((_, segment) => {
      if (this.#stretches[segment]!.length === 0) return { all: noFrequencies, exact: noFrequencies };
      const lists = new Map<string, Frequencies>();
      const ofToken = (token: string): Frequencies => {
        let found = lists.get(token);
        if (!found) lists.set(token, (found = this.#ofToken(segment, token, fields)));
        return found;
      };
      let all = noFrequencies;
      for (const choice of unit.choices)
        all = united(all, choice.places ? this.#ofPhrase(segment, choice, fields) : ofToken(choice.tokens[0] ?? ''));
      if (unit.prefix !== undefined)
        for (const token of this.#expanded(segment, unit.prefix)) all = united(all, ofToken(token));
      return { all, exact: unit.exact === undefined ? noFrequencies : ofToken(unit.exact) };
    });
  }

  #ofToken(segment: number, token: string, fields: FieldWeights): Frequencies {
    const found = this.#find(segment, token);
    if (!found) return noFrequencies;
    return readPostings(found.list, this.#stretches[segment]!, this.#segments[segment]!.gone, fields);
  }

  #find(segment: number, token: string): { list: Uint8Array; index: number; block: number } | undefined {
    const block = blockOf(this.#segments[segment]!.dictionary, token);
    const bytes = this.#blocks.get(`${segment} ${listsPart(block)}`);
    const found = block < 0 || !bytes ? undefined : listIn(bytes, token);
    return found && { ...found, block };
  }

  #ofPhrase(segment: number, { tokens, places = [] }: Choice, fields: FieldWeights): Frequencies {
    const parts: PhraseToken[] = [];
    for (const [i, token] of tokens.entries()) {
      const found = this.#find(segment, token);
      const kept = found && this.#blocks.get(`${segment} ${placesPart(found.block)}`);
      if (!kept) return noFrequencies;
      parts.push({ list: found.list, places: placesIn(kept, found.index), offset: places[i] ?? i });
    }
    const ends = this.#blocks.get(`${segment} ${partNumbers.fieldEnds}`);
    if (!ends) return noFrequencies;
    const { gone } = this.#segments[segment]!;
    return readPhrase(parts, readFieldEnds(ends), this.#stretches[segment]!, gone, fields);
  }

  #prefixBlocks(dictionary: readonly string[], prefix: string | undefined): number[] {
    if (prefix === undefined) return [];
    const first = Math.max(0, blockOf(dictionary, prefix));
    const blocks: number[] = [];
    for (let block = first; block < dictionary.length && blocks.length < 4; block++) {
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

import type { PostingsCache } from './postings-cache.ts';
import type { FetchParts, SegmentReader, PartId } from './segment-reader.ts';
import { matchPhrase, type PhraseToken } from '../query/match-phrase.ts';
import {
  noFrequencies,
  readPostings,
  mergeFrequencies,
  type FieldWeights,
  type Frequencies,
  type DocRange,
} from './postings.ts';
import type { TermAlternative, QueryTerm } from '../query/query-term.ts';
import {
  findBlock,
  findPostings,
  postingsPart,
  findPositions,
  partKey,
  positionsPart,
  readTokens,
} from './segment-format.ts';
import {
  emptySlice,
  slicePostings,
  toTermPostings,
  wholeSlice,
  type TermPostings,
  type PostingsSlice,
} from './term-postings.ts';

/** Query words, and the weight of each document field (title, headings, body) in which they are searched. */
export interface FieldTerms {
  terms: readonly QueryTerm[];
  weights: FieldWeights;
}

/**
 * Limits in one index segment for a query word that is searched as a prefix: the number of words that start with it,
 * and the number of index blocks that are read to find these words.
 */
const maxExpanded = 64;
const maxPrefixBlocks = 16;
/**
 * A postings list (the documents of an index segment that contain a word) is read completely and cached only if the
 * caller may see at least this share of the segment's documents, in at most this number of document ranges.
 */
const minCachedShare = 0.5;
const maxCachedRanges = 32;

/**
 * Result of a cache lookup of a word's postings in one segment. `key` is undefined if the list must not be cached, and
 * `list` is undefined if the list is not in the cache.
 */
interface CachedPostings {
  key: string | undefined;
  list: TermPostings | undefined;
}

/**
 * Reads the postings of query words (the documents that contain them) from every segment of the index. `prepare` loads
 * all segment parts that are not cached in one fetch.
 */
export class PostingsReader {
  readonly #segments: readonly SegmentReader[];
  readonly #docRanges: readonly (readonly DocRange[])[];
  readonly #read: FetchParts;
  readonly #cache: PostingsCache;
  readonly #isWide: readonly boolean[];
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #cached = new Map<QueryTerm, CachedPostings[]>();

  constructor(
    segments: readonly SegmentReader[],
    docRanges: readonly (readonly DocRange[])[],
    read: FetchParts,
    kept: PostingsCache,
  ) {
    this.#segments = segments;
    this.#docRanges = docRanges;
    this.#read = read;
    this.#cache = kept;
    this.#isWide = docRanges.map((list, segment) => {
      const seen = list.reduce((sum, [from, to]) => sum + to - from, 0);
      return list.length <= maxCachedRanges && seen >= segments[segment]!.columns.documents.length * minCachedShare;
    });
  }

  async prepare(clauses: readonly FieldTerms[]): Promise<void> {
    const wanted = this.missingParts(clauses);
    if (wanted.size === 0) return;
    const parts = await this.#read([...wanted.values()]);
    let i = 0;
    for (const key of wanted.keys()) this.#blocks.set(key, parts[i++]!);
  }

  /**
   * Returns the segment parts that must be fetched: those of the words whose postings are not cached. Records the
   * result of each cache lookup for `slices`.
   */
  missingParts(clauses: readonly FieldTerms[]): ReadonlyMap<number, PartId> {
    const wanted = new Map<number, PartId>();
    const want = (segment: number, part: number): void => {
      wanted.set(partKey(segment, part), { segment: this.#segments[segment]!.number, part });
    };
    for (const { terms, weights } of clauses)
      for (const unit of terms) {
        const name = unit.prefix === undefined ? cacheKeyOf(unit) : undefined;
        const known: CachedPostings[] = [];
        for (let segment = 0; segment < this.#segments.length; segment++) {
          const { number, dictionary } = this.#segments[segment]!;
          const isCached = name !== undefined && this.#isWide[segment]!;
          const key = isCached ? this.#cache.keyOf(number, name, weights) : undefined;
          const list = key === undefined ? undefined : this.#cache.get(key);
          if (!list && this.#docRanges[segment]!.length > 0)
            this.#addTermParts(unit, dictionary, (part) => want(segment, part));
          known.push({ key, list });
        }
        this.#cached.set(unit, known);
      }
    return wanted;
  }

  #addTermParts(unit: QueryTerm, dictionary: readonly string[], want: (part: number) => void): void {
    for (const choice of unit.alternatives) {
      for (const token of choice.tokens) {
        const block = findBlock(dictionary, token);
        if (block < 0) continue;
        want(postingsPart(block));
        if (choice.positions) want(positionsPart(block));
      }
    }
    if (unit.exact !== undefined) {
      const block = findBlock(dictionary, unit.exact);
      if (block >= 0) want(postingsPart(block));
    }
    for (const block of this.#prefixBlocks(dictionary, unit.prefix)) want(postingsPart(block));
  }

  /**
   * Returns, for each segment, the postings of a query term in the documents that the caller may see. The caller must
   * have called `prepare` with this term before.
   */
  slices(unit: QueryTerm, fields: FieldWeights): PostingsSlice[] {
    const slices: PostingsSlice[] = [];
    const known = this.#cached.get(unit)!;
    for (let segment = 0; segment < known.length; segment++)
      slices.push(this.#sliceOf(unit, segment, fields, known[segment]!));
    return slices;
  }

  #sliceOf(unit: QueryTerm, segment: number, fields: FieldWeights, { key, list }: CachedPostings): PostingsSlice {
    const { columns, deleted, deletedIndexes } = this.#segments[segment]!;
    const docRanges = this.#docRanges[segment]!;
    if (docRanges.length === 0) return emptySlice;
    if (list) return slicePostings(list, docRanges, deleted, deletedIndexes);
    if (key === undefined) return wholeSlice(this.#postingsOf(unit, segment, fields, docRanges, deleted));
    const whole = this.#postingsOf(unit, segment, fields, [[0, columns.documents.length]], undefined);
    this.#cache.put(key, whole);
    return slicePostings(whole, docRanges, deleted, deletedIndexes);
  }

  #postingsOf(
    unit: QueryTerm,
    segment: number,
    fields: FieldWeights,
    docRanges: readonly DocRange[],
    gone: Uint8Array | undefined,
  ): TermPostings {
    const lists = new Map<string, Frequencies>();
    const ofToken = (token: string): Frequencies => {
      let found = lists.get(token);
      if (!found) {
        const bytes = this.#find(segment, token)?.list;
        found = bytes ? readPostings(bytes, docRanges, gone, fields) : noFrequencies;
        lists.set(token, found);
      }
      return found;
    };
    let all = noFrequencies;
    for (const choice of unit.alternatives) {
      const found = choice.positions
        ? this.#ofPhrase(segment, choice, fields, docRanges, gone)
        : ofToken(choice.tokens[0] ?? '');
      all = mergeFrequencies(all, found);
    }
    if (unit.prefix !== undefined)
      for (const token of this.#expanded(segment, unit.prefix)) all = mergeFrequencies(all, ofToken(token));
    return toTermPostings(all, unit.exact === undefined ? noFrequencies : ofToken(unit.exact));
  }

  #find(segment: number, token: string): { list: Uint8Array; index: number; block: number } | undefined {
    const block = findBlock(this.#segments[segment]!.dictionary, token);
    const bytes = this.#blocks.get(partKey(segment, postingsPart(block)));
    const found = block < 0 || !bytes ? undefined : findPostings(bytes, token);
    return found && { list: found.list, index: found.index, block };
  }

  #ofPhrase(
    segment: number,
    { tokens, positions = [] }: TermAlternative,
    fields: FieldWeights,
    docRanges: readonly DocRange[],
    gone: Uint8Array | undefined,
  ): Frequencies {
    const parts: PhraseToken[] = [];
    for (const [i, token] of tokens.entries()) {
      const found = this.#find(segment, token);
      const kept = found && this.#blocks.get(partKey(segment, positionsPart(found.block)));
      if (!kept) return noFrequencies;
      parts.push({ list: found.list, positions: findPositions(kept, found.index), offset: positions[i] ?? i });
    }
    return matchPhrase(parts, this.#segments[segment]!.columns, docRanges, gone, fields);
  }

  #prefixBlocks(dictionary: readonly string[], prefix: string | undefined): number[] {
    if (prefix === undefined) return [];
    const first = Math.max(0, findBlock(dictionary, prefix));
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
      const bytes = this.#blocks.get(partKey(segment, postingsPart(block)));
      if (!bytes) continue;
      for (const { token } of readTokens(bytes)) if (token.startsWith(prefix)) tokens.push(token);
    }
    return tokens.slice(0, maxExpanded);
  }
}

/**
 * Returns a cache key that is equal only for equal query terms. Its separators are unambiguous, because tokens contain
 * no space and none of the signs `@`, `|` and `=`.
 */
function cacheKeyOf({ alternatives, exact = '' }: QueryTerm): string {
  let key = '';
  for (const { tokens, positions } of alternatives)
    key += positions ? `${tokens.join(' ')}@${positions.join(' ')}|` : `${tokens[0]}|`;
  return `${key}=${exact}`;
}

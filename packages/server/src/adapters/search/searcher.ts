import { maxScore } from '@sheaf/search/query/weigh-terms';
import { evaluateQuery, partsToFetch, type BooleanQuery } from '@sheaf/search/query/evaluate-query';
import type { MatchedDocuments, QueryStatistics } from '@sheaf/search/query/hit-collector';
import { PostingsCache } from '@sheaf/search/index/postings-cache';
import { docRangesOf, type SegmentReader } from '@sheaf/search/index/segment-reader';
import type { FieldWeights } from '@sheaf/search/index/postings';
import { parseQuery, type TextQuery } from '@sheaf/search/query/parse-query';
import type { QueryTerm } from '@sheaf/search/query/query-term';
import { translationTerms } from '@sheaf/search/query/translation-terms';
import type { Translation } from '@sheaf/search/query/translate-query';
import { fieldWeights } from '@sheaf/search/query/bm25';
import type { SearchQuery, SearchResult } from '../../ports/search-index.ts';
import type { QueryTranslator } from './dictionary.ts';
import { selectPage, type PageRequest } from './result-page.ts';
import { SegmentNotFound, type SegmentStore } from './segment-store.ts';

/**
 * Minimum share of a query's words that at least one document must contain. Otherwise the query is translated, because
 * the texts are probably in another language.
 */
const answeredShare = 0.5;
const nothing: SearchResult = { hits: [], total: 0 };
const maxTries = 5;
/** Maximum size in bytes of the cache of postings (lists of the documents that contain a word). */
const maxCachedBytes = 12 * 2 ** 20;

/** Runs queries on the segments of a SQLite or PostgreSQL index. */
export class Searcher {
  readonly #store: SegmentStore;
  readonly #postingsCache = new PostingsCache(maxCachedBytes);

  readonly #translator: QueryTranslator | undefined;

  constructor(store: SegmentStore, translator?: QueryTranslator) {
    this.#store = store;
    this.#translator = translator;
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#search(query);
      } catch (error) {
        // If the segment was merged into another one, retry with the current segments.
        if (!(error instanceof SegmentNotFound) || tries === maxTries) throw error;
      }
    }
  }

  async #search(query: SearchQuery): Promise<SearchResult> {
    const question = parseSearchQuery(query);
    if (!question || question.owners.size === 0) return nothing;
    const segments = await this.#segments(query.space, question);
    const after = query.after && parseCursor(query.after);
    const { answers, terms } = await this.#evaluate(question, segments, after?.statistics);
    const { order, offset, limit, changedFrom, changedBefore } = query;
    const page: PageRequest = { order, after, offset, limit, changedFrom, changedBefore };
    const { places, total } = await selectPage(answers, segments, page, this.#store);
    const { documents, meanLength, documentFrequencies } = answers.statistics;
    // Divide by the score of a document that contains each query word once. The statistics of the words differ between
    // notes, knowledge bases and spreadsheets, so undivided scores could not be compared.
    const whole = maxScore(terms, answers.statistics) || 1;
    const hits = places.map(({ id, isAll, score, modified }) => ({
      id,
      match: isAll ? ('all' as const) : ('some' as const),
      score: score / whole,
      place: [isAll ? 1 : 0, score, modified, id, documents, meanLength, ...documentFrequencies],
    }));
    return {
      hits,
      total,
      ...(answers.corrected && { corrected: answers.corrected }),
      ...(query.among ? { among: await this.#among(query.space, query.among, answers, segments) } : {}),
    };
  }

  /**
   * Evaluates the query. If no document contains half of its words, evaluates the query again, together with
   * translations of the words.
   */
  async #evaluate(
    question: ParsedQuery,
    segments: readonly SegmentReader[],
    given: QueryStatistics | undefined,
  ): Promise<{ answers: MatchedDocuments; terms: readonly QueryTerm[] }> {
    const evaluate = (asked: BooleanQuery): Promise<MatchedDocuments> =>
      evaluateQuery(asked, segments, this.#store.parts, this.#postingsCache, given);
    const [ranking, ...filters] = question.clauses;
    if (!ranking) return { answers: matchAll(question, segments), terms: [] };
    const { terms } = ranking;
    // If the first page was searched with translations, search the later pages in the same way. The cursor contains a
    // document frequency for each term of the first page's query. If these are more than `terms`, the query included
    // translations.
    const wasTranslated = given && given.documentFrequencies.length > terms.length;
    const answers = wasTranslated ? undefined : await evaluate(question);
    const isDone = !this.#translator || ranking.isStrict || (given && !wasTranslated);
    const required = terms.filter((term) => term.isMinor !== true).length;
    const isAnswered =
      answers && (answers.maxMatched >= required * answeredShare || answers.matchesAllTerms.includes(1));
    if (answers && (isDone || isAnswered)) return { answers, terms };
    const translations = (await this.#translator?.translate(question.text)) ?? [];
    if (answers && translations.length === 0) return { answers, terms };
    const all = [...terms, ...translationTerms(translations)];
    const found = await evaluate({ ...question, clauses: [{ ...ranking, terms: all }, ...filters] });
    return { answers: withTranslations(found, translations, terms.length), terms: all };
  }

  /**
   * Returns the current segments. While their list is read, prefetches the parts that the query needs from the cached
   * segments, which usually are still the current ones.
   */
  async #segments(space: string, question: BooleanQuery): Promise<readonly SegmentReader[]> {
    const { cachedSegments, parts } = this.#store;
    const wanted = cachedSegments ? partsToFetch(question, cachedSegments(space), this.#postingsCache) : [];
    if (wanted.length === 0) return this.#store.segments(space);
    // Ignore a missing segment here. If it is still needed, the query's own read reports the error.
    const [segments] = await Promise.all([this.#store.segments(space), parts(wanted).catch(() => undefined)]);
    return segments;
  }

  /** Returns the given ids that are hits of the query, on any page of the results. */
  async #among(
    space: string,
    ids: readonly string[],
    answers: MatchedDocuments,
    segments: readonly SegmentReader[],
  ): Promise<string[]> {
    const numbers = await this.#store.numbers(space, ids);
    const found: string[] = [];
    if (numbers.size === 0) return found;
    const add = (segment: number, document: number): void => {
      const id = numbers.get(segments[segment]!.columns.documents[document]!);
      if (id !== undefined) found.push(id);
    };
    if (answers.matches)
      for (const { segment, documents } of answers.matches) for (const document of documents) add(segment, document);
    else for (let at = 0; at < answers.length; at++) add(answers.segments[at]!, answers.documents[at]!);
    return found;
  }
}

const bodyWeights: FieldWeights = { ...fieldWeights, title: 0 };
const titleWeights: FieldWeights = { ...fieldWeights, headings: 0, body: 0 };

interface ParsedQuery extends BooleanQuery {
  /** Text of the query's first clause, which determines the ranking. */
  text: string;
}

/** Parses a search query. Returns undefined if nothing can match it. */
function parseSearchQuery(query: SearchQuery): ParsedQuery | undefined {
  const parts: [string | undefined, FieldWeights][] = [
    [query.anywhere, fieldWeights],
    [query.body, bodyWeights],
    [query.title, titleWeights],
  ];
  const clauses: BooleanQuery['clauses'][number][] = [];
  let ranking: string | undefined;
  for (const [text, weights] of parts) {
    const parsed: TextQuery = parseQuery(text ?? '', { prefix: query.prefix });
    if (parsed.matchesAll) continue;
    if (parsed.terms.length === 0) return undefined;
    ranking ??= text;
    clauses.push({ terms: parsed.terms, isStrict: parsed.isStrict, weights });
  }
  const { order, after, offset, limit, changedFrom, changedBefore } = query;
  const isFirstPage = order === 'rank' && !after && changedFrom === undefined && changedBefore === undefined;
  return {
    owners: new Set(query.owners),
    clauses,
    text: ranking ?? '',
    wanted: isFirstPage && limit > 0 ? offset + limit : undefined,
    hasMatches: query.among !== undefined,
  };
}

/** Translations are added to the corrections that a search reports only until there are this many corrections. */
const maxReported = 16;

/**
 * Adds the translations that occur in at least one document to the corrections that the search reports. `from` is the
 * index of the first translation among the query's terms.
 */
function withTranslations(
  answers: MatchedDocuments,
  translations: readonly Translation[],
  from: number,
): MatchedDocuments {
  const { documentFrequencies } = answers.statistics;
  const corrected = new Map(answers.corrected);
  translations.forEach(({ from: word, to }, i) => {
    if ((documentFrequencies[from + i] ?? 0) > 0 && corrected.size < maxReported) corrected.set(word, to.join(' '));
  });
  return corrected.size === 0 ? answers : { ...answers, corrected };
}

function parseCursor(parts: NonNullable<SearchQuery['after']>): NonNullable<PageRequest['after']> {
  const [isAll, score, modified, id, documents, meanLength, ...having] = parts;
  const statistics: QueryStatistics = {
    documents: Number(documents),
    meanLength: Number(meanLength),
    documentFrequencies: having.map(Number),
  };
  return { isAll: isAll === 1, score: Number(score), modified: Number(modified), id: String(id), statistics };
}

/**
 * Returns the matches of an empty query: all documents that belong to the query's owners (such as users or knowledge
 * bases), with equal scores.
 */
function matchAll(question: BooleanQuery, segments: readonly SegmentReader[]): MatchedDocuments {
  const most = segments.reduce((sum, { columns }) => sum + columns.documents.length, 0);
  const found = { segments: new Uint32Array(most), documents: new Uint32Array(most) };
  let length = 0;
  segments.forEach(({ columns, deleted }, segment) => {
    for (const [from, to] of docRangesOf(columns, question.owners))
      for (let document = from; document < to; document++) {
        if (deleted?.[document] === 1) continue;
        found.segments[length] = segment;
        found.documents[length++] = document;
      }
  });
  return {
    segments: found.segments.subarray(0, length),
    documents: found.documents.subarray(0, length),
    scores: new Float64Array(length),
    matchesAllTerms: new Uint8Array(length).fill(1),
    length,
    total: length,
    statistics: { documents: length, meanLength: 1, documentFrequencies: [] },
    maxMatched: 0,
  };
}

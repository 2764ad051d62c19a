import { nearestWord } from './nearest-word.ts';
import { replaceMissingTerms } from './replace-missing-terms.ts';
import { scoreSegment } from './score-segment.ts';
import { weighTerms } from './weigh-terms.ts';
import { HitCollector, type MatchedDocuments, type QueryStatistics } from './hit-collector.ts';
import type { PostingsCache } from '../index/postings-cache.ts';
import {
  collectionStatistics,
  docRangesOf,
  type FetchParts,
  type SegmentReader,
  type PartId,
} from '../index/segment-reader.ts';
import type { DocRange, Frequencies } from '../index/postings.ts';
import type { PostingsSlice } from '../index/term-postings.ts';
import { PostingsReader, type FieldTerms } from '../index/postings-reader.ts';

export interface Clause extends FieldTerms {
  /** If true, a document must contain every word of the clause to match. */
  isStrict: boolean;
}

export interface BooleanQuery {
  owners: ReadonlySet<string>;
  /** The first clause finds and ranks the documents. A document must also contain every word of the other clauses. */
  clauses: readonly Clause[];
  /** Number of best hits needed. If set, other hits may be omitted from the result; otherwise all hits are returned. */
  wanted?: number | undefined;
  /** Whether to return all matching documents in addition to the best hits. */
  hasMatches?: boolean;
}

/** Time in ms after which a query lets other tasks of the thread run before it continues. */
const timeSliceMs = 4;

/** Lists the segment parts that a query needs and that are not cached, so that one fetch can load them all. */
export function partsToFetch(
  { owners, clauses }: BooleanQuery,
  segments: readonly SegmentReader[],
  kept: PostingsCache,
): PartId[] {
  const docRanges = docRangesIn(segments, owners);
  return [...new PostingsReader(segments, docRanges, fetchNothing, kept).missingParts(clauses).values()];
}

/**
 * Returns, for each segment, the ranges of documents that belong to the owners. Arrays are filled by `push` instead of
 * `map`, because optimized `map` creates arrays of another internal kind, and the JavaScript engine then recompiles the
 * code that reads them.
 */
function docRangesIn(segments: readonly SegmentReader[], owners: ReadonlySet<string>): DocRange[][] {
  const docRanges: DocRange[][] = [];
  for (const { columns } of segments) docRanges.push(docRangesOf(columns, owners));
  return docRanges;
}

const fetchNothing: FetchParts = () => Promise.resolve([]);

export async function evaluateQuery(
  question: BooleanQuery,
  segments: readonly SegmentReader[],
  read: FetchParts,
  kept: PostingsCache,
  given?: QueryStatistics,
): Promise<MatchedDocuments> {
  const docRanges = docRangesIn(segments, question.owners);
  const words = new PostingsReader(segments, docRanges, read, kept);
  await words.prepare(question.clauses);
  const [ranking, ...filters] = question.clauses;
  const windows: PostingsSlice[][] = [];
  let since = performance.now();
  const yieldToEventLoop = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
  const isLong = (): boolean => performance.now() - since >= timeSliceMs;
  for (const unit of ranking?.terms ?? []) {
    windows.push(words.slices(unit, ranking!.weights));
    if (isLong()) await yieldToEventLoop();
  }
  const terms = [...(ranking?.terms ?? [])];
  const corrected = ranking?.isStrict
    ? new Map<string, string>()
    : await replaceMissingTerms(terms, windows, {
        slices: async (term) => {
          await words.prepare([{ terms: [term], weights: ranking!.weights }]);
          return words.slices(term, ranking!.weights);
        },
        nearestWord: (word) => nearestWord(word, segments, docRanges, ranking!.weights, read),
      });
  const required: Frequencies[][] = [];
  for (const filter of filters)
    for (const unit of filter.terms) {
      // Skip minor terms: they only affect the ranking, and filters do not rank.
      if (unit.isMinor) continue;
      required.push(words.slices(unit, filter.weights).map(frequenciesIn));
      if (isLong()) await yieldToEventLoop();
    }
  const statistics = given ?? {
    ...collectionStatistics(segments, docRanges),
    documentFrequencies: frequenciesOf(windows),
  };
  // True if all query words are searched as written. A document that matches a corrected or translated word instead
  // does not contain every query word.
  const isAsWritten = corrected.size === 0 && !terms.some((term) => term.isTranslation);
  const weighed = weighTerms(terms, statistics, isAsWritten);
  const isStrict = ranking?.isStrict === true;
  const answers = new HitCollector(statistics, isStrict ? {} : question);
  for (const [at, segment] of segments.entries()) {
    if (docRanges[at]!.length === 0) continue;
    scoreSegment(answers, at, segment, weighed, ofSegment(windows, at), ofSegment(required, at));
    if (isLong()) await yieldToEventLoop();
  }
  const found = answers.finish(isStrict);
  return corrected.size === 0 ? found : { ...found, corrected };
}

/**
 * Returns the number of documents that contain each term. `windows` holds, for each term, its postings in each segment.
 */
function frequenciesOf(windows: readonly (readonly PostingsSlice[])[]): number[] {
  const frequencies: number[] = [];
  for (const slices of windows) {
    let sum = 0;
    for (const { live } of slices) sum += live;
    frequencies.push(sum);
  }
  return frequencies;
}

/** Returns the entry for the segment from each of the lists. Each list has one entry per segment. */
function ofSegment<List>(lists: readonly (readonly List[])[], segment: number): List[] {
  const own: List[] = [];
  for (const list of lists) own.push(list[segment]!);
  return own;
}

function frequenciesIn({ documents, counts, from, to }: PostingsSlice): Frequencies {
  return { documents: documents.subarray(from, to), counts: counts.subarray(from, to), length: to - from };
}

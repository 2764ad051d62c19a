import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildSegment, sortByOwner, type DocumentToIndex } from '../src/index/build-segment.ts';
import { evaluateQuery } from '../src/query/evaluate-query.ts';
import { rankOf, type MatchedDocuments, type QueryStatistics } from '../src/query/hit-collector.ts';
import { PostingsCache } from '../src/index/postings-cache.ts';
import { lengthPrefixSums, type SegmentReader, type PartId } from '../src/index/segment-reader.ts';
import type { FieldWeights } from '../src/index/postings.ts';
import { parseQuery } from '../src/query/parse-query.ts';
import { fieldWeights } from '../src/query/bm25.ts';
import { partNumbers, readColumns, readDictionary, textAt, type SegmentParts } from '../src/index/segment-format.ts';
import { visitTokens } from '../src/analysis/tokenizer.ts';

/** Frequent words first: of each the square root as often as of the one before. */
const words = [
  'tern',
  'terns',
  'gull',
  'heron',
  'nesting',
  'nest',
  '海鸥',
  '湿地',
  '年报',
  'owl',
  'kite',
  'rail',
  'stork',
];
const bodyWeights: FieldWeights = { ...fieldWeights, title: 0 };

interface Indexed extends DocumentToIndex {
  isGone: boolean;
}

const word = fc
  .float({ min: 0, max: Math.fround(0.999), noNaN: true })
  .map((at) => words[Math.floor(at ** 3 * words.length)]!);
const text = (most: number): fc.Arbitrary<string> => fc.array(word, { maxLength: most }).map((list) => list.join(' '));
const indexed = fc.record({
  owner: fc.constantFrom('ann', 'ann', 'ann', 'bob', 'cid'),
  title: text(3),
  headings: text(2),
  body: text(12),
  isGone: fc.nat(9).map((n) => n === 0),
});

function open(parts: SegmentParts, number: number, texts: readonly Indexed[]): SegmentReader {
  const columns = readColumns(parts.parts.get(partNumbers.columns)!);
  const goneAt = texts.flatMap(({ isGone }, at) => (isGone ? [at] : []));
  return {
    number,
    columns,
    dictionary: readDictionary(parts.parts.get(partNumbers.dictionary)!),
    deleted: goneAt.length === 0 ? undefined : Uint8Array.from(texts, ({ isGone }) => (isGone ? 1 : 0)),
    deletedIndexes: Uint32Array.from(goneAt),
    lengthPrefixSums: lengthPrefixSums(columns),
    minLength: Math.min(...columns.lengths),
  };
}

/** The answers by the rules as they are written down, document by document, without any list. */
function byTheRules(
  texts: readonly Indexed[],
  question: string,
  owners: ReadonlySet<string>,
  fields: FieldWeights,
): { answers: Map<string, { score: number; isAll: boolean }>; having: number[] } {
  const { terms } = parseQuery(question);
  const seen = texts.filter(({ owner, isGone }) => owners.has(owner) && !isGone);
  const counted = seen.map((one) => {
    const counts = new Map<string, number>();
    let length = 0;
    for (const field of ['title', 'headings', 'body'] as const) {
      const add = (token: string): void => void counts.set(token, (counts.get(token) ?? 0) + fields[field]);
      length += visitTokens(one[field], { positioned: add, unpositioned: add });
    }
    const often = terms.map(({ alternatives }) =>
      Math.max(0, ...alternatives.map(({ tokens }) => counts.get(tokens[0]!) ?? 0)),
    );
    return { id: one.id, length, often, exact: terms.map(({ exact }) => (counts.get(exact ?? '') ?? 0) > 0) };
  });
  const having = terms.map((_, i) => counted.filter(({ often }) => often[i]! > 0).length);
  const mean = Math.max(1, counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length));
  const weights = having.map((n, i) =>
    n === 0 || terms[i]!.isMinor ? 0 : Math.log(1 + counted.length / (n + counted.length * 0.003)),
  );
  const least = 0.15 * weights.reduce((sum, weight) => sum + weight, 0);
  // Words that are too light for an answer even all together make none, not even where nothing has weight enough.
  const falling = weights.map((weight, i) => ({ weight, i })).sort((one, other) => other.weight - one.weight);
  const heavy = new Set(
    falling
      .filter(({ weight }, at) => weight > 0 && falling.slice(at).reduce((sum, one) => sum + one.weight, 0) >= least)
      .map(({ i }) => i),
  );
  const own = counted.map(({ often }) =>
    often.some((count, i) => count > 0 && heavy.has(i))
      ? weights.reduce((sum, weight, i) => sum + (often[i]! > 0 ? weight : 0), 0)
      : 0,
  );
  const enough = Math.min(least, Math.max(0, ...own));
  const answers = new Map<string, { score: number; isAll: boolean }>();
  counted.forEach(({ id, length, often, exact }, at) => {
    if (own[at]! < enough - 1e-6 || own[at] === 0) return;
    let score = 0;
    terms.forEach(({ boost = 1 }, i) => {
      if (often[i] === 0) return;
      const idf = boost * Math.log(1 + (counted.length - having[i]! + 0.5) / (having[i]! + 0.5));
      const norm = 1.2 * (0.25 + (0.75 * length) / mean);
      score += ((exact[i] ? 1.2 : 1) * idf * often[i]! * 2.2) / (often[i]! + norm);
    });
    answers.set(id, { score, isAll: often.every((count, i) => count > 0 || terms[i]!.isMinor) });
  });
  return { answers, having };
}

function found(
  answers: MatchedDocuments,
  segments: readonly SegmentReader[],
): Map<string, { score: number; isAll: boolean }> {
  const decoder = new TextDecoder();
  return new Map(
    Array.from({ length: answers.length }, (_, at) => {
      const { ids } = segments[answers.segments[at]!]!.columns;
      const id = decoder.decode(textAt(ids, answers.documents[at]!));
      return [id, { score: answers.scores[at]!, isAll: answers.matchesAllTerms[at] === 1 }];
    }),
  );
}

/** What a page shows of the best hits: whether each has every word, and its score. */
function best(hits: ReadonlyMap<string, { score: number; isAll: boolean }>, count: number): [boolean, number][] {
  return [...hits.values()]
    .sort((one, other) => Number(other.isAll) - Number(one.isAll) || other.score - one.score)
    .slice(0, count)
    .map(({ isAll, score }) => [isAll, score]);
}

it('finds and scores exactly what the rules say, however few of the lists are read, kept lists or not', async () => {
  const round = fc.record({
    segments: fc.array(fc.array(indexed, { minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 3 }),
    questions: fc.array(fc.array(word, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 6 }),
    owners: fc.constantFrom(['ann'], ['ann', 'cid'], ['bob'], ['ann', 'bob', 'cid'], ['nobody']),
    fields: fc.constantFrom(fieldWeights, bodyWeights),
  });
  await fc.assert(
    fc.asyncProperty(round, async ({ segments, questions, owners, fields }) => {
      let number = 0;
      const all: Indexed[] = [];
      const parts: SegmentParts[] = [];
      const opened = segments.map((list, at) => {
        const texts = sortByOwner(
          list.map((one): Indexed => ({ ...one, id: `d${++number}`, created: 1, modified: 1, size: 1, titleKey: '' })),
        );
        all.push(...texts);
        parts.push(buildSegment(texts, 1 + 1000 * at));
        return open(parts[at]!, at, texts);
      });
      const read = async (wanted: readonly PartId[]): Promise<Uint8Array[]> =>
        wanted.map(({ segment, part }) => parts[segment]!.parts.get(part)!);
      const kept = new PostingsCache(20_000);
      for (const list of [...questions, ...questions]) {
        const anywhere = list.join(' ');
        const clause = { ...parseQuery(anywhere), weights: fields };
        const answers = await evaluateQuery({ owners: new Set(owners), clauses: [clause] }, opened, read, kept);
        const expected = byTheRules(all, anywhere, new Set(owners), fields);
        const { documentFrequencies }: QueryStatistics = answers.statistics;
        expect(documentFrequencies).toEqual(expected.having);
        const got = found(answers, opened);
        expect([...got.keys()].sort()).toEqual([...expected.answers.keys()].sort());
        for (const [id, { score, isAll }] of expected.answers) {
          expect(got.get(id)!.isAll).toBe(isAll);
          expect(got.get(id)!.score).toBeCloseTo(score, 4);
        }
        const wanted = 1 + (anywhere.length % 5);
        const asked = { owners: new Set(owners), clauses: [clause], wanted, hasMatches: true };
        const pruned = await evaluateQuery(asked, opened, read, kept);
        expect(pruned.total).toBe(answers.length);
        expect(pruned.matches?.reduce((sum, { documents }) => sum + documents.length, 0)).toBe(
          clause.isStrict ? undefined : answers.length,
        );
        const top = best(found(pruned, opened), wanted);
        expect(top).toEqual(best(got, wanted));
        for (const [isAll, score] of top) expect(rankOf(score, isAll)).toBeGreaterThanOrEqual(pruned.lowestRank!);
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);

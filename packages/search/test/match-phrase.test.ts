import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildSegment, sortByOwner, type DocumentToIndex } from '../src/index/build-segment.ts';
import { mergeSegments } from '../src/index/merge-segments.ts';
import { PositionsWriter, readPositions } from '../src/index/positions.ts';
import { matchPhrase } from '../src/query/match-phrase.ts';
import { ByteWriter } from '../src/index/bytes.ts';
import { locatePostings, Postings, readPostings } from '../src/index/postings.ts';
import { fieldWeights } from '../src/query/bm25.ts';
import {
  findBlock,
  findPostings,
  postingsPart,
  partNumbers,
  findPositions,
  positionsPart,
  readColumns,
  readDictionary,
  type SegmentParts,
} from '../src/index/segment-format.ts';

const everyNth = (n: number): string => (n % 3 === 0 ? 'terns nesting here' : n % 3 === 1 ? 'nesting terns' : 'terns');

/** More documents than a group of postings has, of many owners. */
const texts = Array.from({ length: 2000 }, (_, n): DocumentToIndex => ({
  id: `d${n}`,
  owner: `o${String(n % 40).padStart(2, '0')}`,
  title: n % 7 === 0 ? everyNth(n) : 'a title',
  headings: '',
  body: n % 7 === 0 ? 'nothing' : everyNth(n),
  created: n,
  modified: n,
  size: n,
  titleKey: '',
}));

function tokenIn({ parts }: SegmentParts, token: string): { list: Uint8Array; positions: Uint8Array; offset: number } {
  const block = findBlock(readDictionary(parts.get(partNumbers.dictionary)!), token);
  const { list, index } = findPostings(parts.get(postingsPart(block))!, token)!;
  return { list, positions: findPositions(parts.get(positionsPart(block))!, index), offset: 0 };
}

it('finds a phrase in the documents of any owners, in lists much longer than what they have', () => {
  const whole = buildSegment(sortByOwner(texts), 1);
  const pieces = [texts.slice(0, 700), texts.slice(700, 1900), texts.slice(1900)].map((piece, i) =>
    buildSegment(sortByOwner(piece), 1 + [0, 700, 1900][i]!),
  );
  const merged = mergeSegments(pieces.map(({ parts }) => ({ part: (n) => parts.get(n)!, deleted: new Set<number>() })));
  for (const segment of [whole, merged]) {
    const columns = readColumns(segment.parts.get(partNumbers.columns)!);
    const ids = sortByOwner(texts);
    const tokens = [tokenIn(segment, 'terns'), { ...tokenIn(segment, 'nesting'), offset: 1 }];
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1999), { minLength: 2, maxLength: 12 }), (ends) => {
        const sorted = ends.toSorted((one, other) => one - other);
        const stretches = sorted
          .slice(1)
          .flatMap((to, i): [number, number][] => (i % 2 === 0 ? [[sorted[i]!, to]] : []));
        const found = matchPhrase(tokens, columns, stretches, undefined, fieldWeights);
        const expected = stretches.flatMap(([from, to]) =>
          ids.slice(from, to).flatMap(({ title, body }, i) => {
            if (title.startsWith('terns nesting')) return [[from + i, fieldWeights.title]];
            return body.startsWith('terns nesting') ? [[from + i, fieldWeights.body]] : [];
          }),
        );
        const got = Array.from({ length: found.length }, (_, i) => [found.documents[i], found.counts[i]]);
        expect(got).toEqual(expected);
      }),
    );
  }
});

it('takes no room for what other people have, and passes over it', () => {
  const postings = new Postings();
  for (let document = 0; document < 100_000; document++) postings.push(document, 0, 0, 1);
  const list = new ByteWriter();
  postings.write(list);
  const found = readPostings(list.view(), [[50_000, 50_030]], undefined, fieldWeights);
  expect([found.length, found.documents.length, found.counts.length]).toEqual([30, 30, 30]);
  const located = locatePostings(list.view(), [[50_000, 50_002]]);
  expect(located).toEqual({ documents: [50_000, 50_001], postings: [50_000, 50_001], total: 100_000 });
});

it('reads the places of any postings, in one group or many; of none where nothing was kept', () => {
  for (const count of [1, 255, 256, 257, 1000]) {
    const places = new PositionsWriter();
    for (let n = 0; n < count; n++) {
      places.begin(n % 4);
      for (let i = 0; i < n % 4; i++) places.add(n + i);
    }
    const out = new ByteWriter();
    places.write(out);
    const wanted = Array.from({ length: count }, (_, n) => n).filter((n) => n % 5 === 0 || n === count - 1);
    expect(readPositions(out.copy(), count, wanted)).toEqual(
      wanted.map((n) => [n, 2 * n + 1, 3 * n + 3].slice(0, n % 4)),
    );
  }
  expect(readPositions(new Uint8Array(0), 1000, [3, 999])).toEqual([[], []]);
});

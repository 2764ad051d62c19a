import { expect, test } from 'vitest';
import {
  exceedsDeleteRatio,
  segmentsToMerge,
  segmentsToCompact,
  type SegmentSize,
} from '../../src/adapters/search/merge-policy.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';

interface Segment extends SegmentSize {
  gone: number;
}

/** Merges by the policy until it has nothing to do, as both stores do; says how often. */
function merged(segments: Segment[], isIdle: boolean, most: number): { steps: number; left: Segment[] } {
  let next = Math.max(0, ...segments.map(({ number }) => number)) + 1;
  let left = segments;
  for (let steps = 0; ; steps++) {
    const gone = left.reduce((sum, one) => sum + one.gone, 0);
    const wear = new Map(left.map((one) => [one.number, one.gone]));
    const numbers =
      segmentsToMerge(left, isIdle) ?? (exceedsDeleteRatio(left, gone) ? segmentsToCompact(left, wear) : undefined);
    if (!numbers) return { steps, left };
    if (steps === most) throw new Error(`merging does not end: ${JSON.stringify(left)}`);
    const inputs = left.filter(({ number }) => numbers.includes(number));
    const documents = inputs.reduce((sum, one) => sum + one.documents - one.gone, 0);
    const bytes = inputs.reduce((sum, one) => sum + (one.bytes * (one.documents - one.gone)) / one.documents, 0);
    left = left.filter(({ number }) => !numbers.includes(number));
    if (documents > 0) left = [...left, { number: next++, documents, bytes, gone: 0 }];
  }
}

const of = (number: number, documents: number, gone: number): Segment => ({
  number,
  documents,
  bytes: documents * 1_240,
  gone,
});

test('what was written anew a second time is merged once, not over and over: large segments with a third gone', () => {
  // 300,000 notes were indexed and half of them again; the newest segment has lost nothing, and is the only one that fits.
  const segments = [
    of(1, 60_400, 60_400),
    of(2, 72_000, 69_000),
    ...[77, 56, 62, 63].map((n, i) => of(3 + i, n * 1000, 0)),
  ];
  const { steps, left } = merged([...segments, of(9, 39_000, 0)], false, 20);
  expect(steps).toBe(1);
  expect(left.reduce((sum, one) => sum + one.gone, 0)).toBe(0);
  expect(left.reduce((sum, one) => sum + one.documents, 0)).toBe(300_000);
});

test('merging always ends, with little left of what is gone', () => {
  const next = new SeededRandom(7);
  for (let round = 0; round < 2_000; round++) {
    const segments = Array.from({ length: 1 + next.below(24) }, (_, i) => {
      const documents = 1 + next.below(10 ** (1 + next.below(5)));
      return of(i + 1, documents, next.below(3) === 0 ? next.below(documents + 1) : 0);
    });
    const { left } = merged(segments, next.below(2) === 0, segments.length * 2);
    const gone = left.reduce((sum, one) => sum + one.gone, 0);
    expect(exceedsDeleteRatio(left, gone)).toBe(false);
  }
});

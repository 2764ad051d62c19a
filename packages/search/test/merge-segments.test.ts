import { expect, test } from 'vitest';
import { buildSegment, sortByOwner, type DocumentToIndex } from '../src/index/build-segment.ts';
import { mergeSegments } from '../src/index/merge-segments.ts';
import {
  postingsPart,
  positionsPart,
  findPositions,
  readDictionary,
  readTokens,
  type SegmentParts,
} from '../src/index/segment-format.ts';

/** Words whose order by code units is not that of their bytes, words that begin alike, and lists of all lengths. */
const words = [
  'apple',
  'apples',
  'applesauce',
  'applesaucepan',
  '😀',
  '𠮷',
  '豈',
  '報告書',
  '报告',
  'ﬂow',
  'z9',
  'ünder',
];

function text(number: number, owner: string): DocumentToIndex {
  const body = words.filter((_, i) => (number * 7 + i * 5) % 4 !== 0).join(' ');
  return {
    id: `n${number}`,
    owner,
    title: `title ${number % 9}`,
    headings: number % 3 === 0 ? 'part one' : '',
    body: `${body} ${number % 50 === 0 ? 'rare' : ''} only${number}`,
    created: number,
    modified: number,
    size: number,
    titleKey: `title ${number % 9}`,
  };
}

/** Every token with its list and its places. */
function contents({ parts }: SegmentParts): Map<string, string> {
  const dictionary = readDictionary(parts.get(1)!);
  const found = new Map<string, string>();
  dictionary.forEach((first, block) => {
    const places = parts.get(positionsPart(block))!;
    for (const { token, list, index } of readTokens(parts.get(postingsPart(block))!)) {
      if (index === 0) expect(token).toBe(first);
      found.set(
        token,
        `${Buffer.from(list).toString('hex')} ${Buffer.from(findPositions(places, index)).toString('hex')}`,
      );
    }
  });
  return found;
}

const input = (segment: SegmentParts, deleted: readonly number[] = []) => ({
  part: (number: number) => segment.parts.get(number)!,
  deleted: new Set(deleted),
});

test('several segments merged are what one of all their documents would be, for one owner and for many', () => {
  for (const owners of [['ann'], ['ann', 'bob', 'zoe']]) {
    const all = Array.from({ length: 700 }, (_, i) => text(i, owners[i % owners.length]!));
    const pieces = [all.slice(0, 300), all.slice(300, 310), all.slice(310)];
    let first = 1;
    const segments = pieces.map((piece) => {
      const segment = buildSegment(sortByOwner(piece), first);
      first += piece.length;
      return segment;
    });
    const merged = mergeSegments(segments.map((segment) => input(segment)));
    const whole = buildSegment(sortByOwner(all), 1);
    expect(merged.documents).toBe(700);
    expect(contents(merged)).toEqual(contents(whole));
    const tokens = [...contents(merged).keys()];
    expect(tokens).toEqual(tokens.toSorted((one, other) => (one < other ? -1 : 1)));
  }
});

test('what is gone is left out of every list, and the tokens that only it had', () => {
  const all = Array.from({ length: 40 }, (_, i) => text(i, 'ann'));
  const [one, two] = [buildSegment(all.slice(0, 20), 1), buildSegment(all.slice(20), 21)];
  const gone = [1, 8, 25, 40];
  const merged = mergeSegments([input(one, gone), input(two, gone)]);
  const kept = all.filter((_, i) => !gone.includes(i + 1));
  expect(merged.documents).toBe(36);
  expect(merged.dropped.sort((a, b) => a - b)).toEqual(gone);
  expect(contents(merged)).toEqual(contents(buildSegment(kept, 1)));
});

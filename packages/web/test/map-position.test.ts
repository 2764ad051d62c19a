import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapCaret, mapTextPosition } from '../src/features/notes/map-position.ts';

/** Marks the caret. */
const mark = '¦';

test.each([
  ['one¦ two', 'one more two', 'one¦ more two'],
  ['one two¦ three', 'zero one two three four', 'zero one two¦ three four'],
  ['one two¦', 'zero one two', 'zero one two¦'],
  ['so¦', 'also so', 'also so¦'],
  [
    '# A\n\nada: a1¦\n\nben: b1\n\nend',
    '# A\n\nada: x a1\n\nnew\n\nben: b1 b2\n\nend',
    '# A\n\nada: x a1¦\n\nnew\n\nben: b1 b2\n\nend',
  ],
  ['one\n\ntwo¦\n\nthree', 'zero\n\none and\n\ntwo 2\n\nthree', 'zero\n\none and\n\ntwo¦ 2\n\nthree'],
  ['same\nsame¦\nother', 'new\nsame\nsame\nother', 'new\nsame\nsame¦\nother'],
  ['¦one', 'zero one', '¦zero one'],
  ['one¦', '', '¦'],
])('[finding P12] in %j the caret stays at its letters when %j arrives', (open, arrives, shown) => {
  const place = mapCaret(open.replace(mark, ''), arrives, open.indexOf(mark));
  expect(arrives.slice(0, place) + mark + arrives.slice(place)).toBe(shown);
});

test('the place is within the text, and where nothing changed it is the same', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', ' ', '\n', '你'), { maxLength: 30 })
    .map((letters) => letters.join(''));
  fc.assert(
    fc.property(text, text, fc.nat(30), (before, after, at) => {
      const place = Math.min(at, before.length);
      for (const follow of [mapTextPosition, mapCaret]) {
        expect(follow(before, before, place)).toBe(place);
        expect(follow(before, after, place)).toBeGreaterThanOrEqual(0);
        expect(follow(before, after, place)).toBeLessThanOrEqual(after.length);
      }
    }),
  );
});

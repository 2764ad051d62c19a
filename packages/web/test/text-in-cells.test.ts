import { expect, test } from 'vitest';
import { textTop } from '../src/features/sheets/grid/paint-cells.ts';

/** Room in a row of 14.25 points and the height of a line of 12 points, in pixels. */
const room = 18;
const line = 21.6;

test.each(['top', 'center', 'bottom', undefined])(
  '[finding X25] a line that is a little higher than its row is centered, whatever its alignment (%s)',
  (align) => {
    const middle = textTop(room, 1, line, align) + line / 2;
    expect(middle).toBeCloseTo(room / 2);
  },
);

test('several lines that are too high begin at the top', () => {
  expect(textTop(room, 2, line, 'bottom')).toBe(2);
});

test('text that fits stays where its alignment puts it', () => {
  expect(textTop(40, 1, 20, 'top')).toBe(2);
  expect(textTop(40, 1, 20, undefined)).toBe(10);
  expect(textTop(40, 1, 20, 'bottom')).toBe(19);
});

import { expect, test } from 'vitest';
import { asOf } from '@sheaf/engine/internal/document';
import { parseUserInput } from '../../../src/modules/sheet/cells/user-input.ts';

test('days without a year that are typed into a cell are dates of the year in which they are typed', () => {
  const typed = asOf(46_344, () => parseUserInput('Nov 18', 'General'));
  expect(typed).toEqual({ content: { value: 46_344 }, pattern: 'yyyy-mm-dd' });
  expect(asOf(46_344, () => parseUserInput('18-Nov', 'General'))).toEqual(typed);
  expect(asOf(46_344, () => parseUserInput('3/15', 'General')).content).toEqual({ value: 46_096 });
  expect(asOf(46_344, () => parseUserInput('Nov 18', '@')).content).toEqual({ value: 'Nov 18' });
});

import { expect, test } from 'vitest';
import { findNotesByTitle } from '../src/features/notes/find-notes-by-title.ts';

const titles = (query: string, ...given: string[]): string[] =>
  findNotesByTitle(
    query,
    given.map((title, index) => ({ id: String(index), title })),
  ).map(({ title }) => title);

test('[finding P16] [[ offers titles that fit, the closest first, and no note that has the words only in its text', () => {
  expect(titles('rain', 'Shopping', 'Train times', 'Spring rain', 'Rain gauge', 'RAIN', 'Weather')).toEqual([
    'RAIN',
    'Rain gauge',
    'Spring rain',
    'Train times',
  ]);
  expect(titles('plan 2026', 'Plan', '2026: the plan', 'Plan  2026 (new)')).toEqual([
    'Plan  2026 (new)',
    '2026: the plan',
  ]);
  expect(titles('会议', '周会议纪要', '会议', '别的')).toEqual(['会议', '周会议纪要']);
  expect(titles('resume', 'Résumé')).toEqual(['Résumé']);
  expect(titles('nothing', 'Shopping')).toEqual([]);
});

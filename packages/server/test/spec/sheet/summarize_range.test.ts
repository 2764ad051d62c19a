import { expect, test } from 'vitest';
import { onTool, r4, refused } from './support.ts';

onTool('summarize_range', ({ sheet }) => {
  test('[S119] counts and sums up what a region holds; errors and texts are no numbers', async () => {
    const s = await sheet('1,a\n2,\n,TRUE\n4.5,=1/0\n');
    expect(await s.ok('summarize_range', r4('A1:B9'))).toEqual({
      filled_count: 6,
      number_count: 3,
      sum: 7.5,
      average: 2.5,
      min: 1,
      max: 4.5,
    });
    expect(await s.ok('summarize_range', r4('F1:G9'))).toEqual({ filled_count: 0, number_count: 0, sum: 0 });
    expect(await s.call('summarize_range', { start_row: 1, start_col: 0, end_row: 0, end_col: 0 })).toEqual(
      refused(310001, 'end_row: must be at least start_row, 1 (got 0)'),
    );
  });

  test('several areas are summarized together', async () => {
    const s = await sheet('1,a\n2,\n,TRUE\n4.5,=1/0\n');
    expect(await s.ok('summarize_range', { range: 'A1:A2,F1,A4:B4' })).toEqual({
      filled_count: 4,
      number_count: 3,
      sum: 7.5,
      average: 2.5,
      min: 1,
      max: 4.5,
    });
    expect(await s.ok('summarize_range', { range: 'F1,G1' })).toEqual({ filled_count: 0, number_count: 0, sum: 0 });
  });
});

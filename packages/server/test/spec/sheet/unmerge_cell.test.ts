import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('unmerge_cell', ({ sheet }) => {
  const merged = async (s: Awaited<ReturnType<typeof sheet>>) =>
    ((await s.ok('get_merged_cells', r4('A1:Z50'))).merged_cells as string[]).map((one) =>
      one.replace(`${s.sheet_id}$`, ''),
    );

  test('[S31] takes apart every merge the region touches, and answers {}', async () => {
    const s = await sheet('a,b\nc,d\n');
    for (const range of ['A1:A2', 'C1:D1', 'C3:D4', 'G1:H1']) await s.ok('merge_cell', r4(range));
    expect(await s.call('unmerge_cell', r4('A2:C3'))).toEqual(nothing);
    expect(await merged(s)).toEqual(['C1:D1', 'G1:H1']);
    expect(await s.csv('A1:B2')).toBe('a,b\n,d\n');
  });

  test('[S31] where nothing is merged nothing happens', async () => {
    const s = await sheet('a\n');
    expect(await s.call('unmerge_cell', r4('A1:Z9'))).toEqual(nothing);
  });

  test('[S13] an end before its start is 310001', async () => {
    const s = await sheet();
    expect(await s.call('unmerge_cell', { start_row: 1, start_col: 0, end_row: 0, end_col: 0 })).toEqual(
      refused(310001, 'end_row: must be at least start_row, 1 (got 0)'),
    );
  });
});

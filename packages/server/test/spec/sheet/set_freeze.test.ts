import { expect, test } from 'vitest';
import { nothing, onTool, refused } from './support.ts';

onTool('set_freeze', ({ sheet }) => {
  const frozen = async (s: Awaited<ReturnType<typeof sheet>>) => {
    const { sheets } = await s.ok('describe_sheet');
    return [sheets[0].frozen_rows, sheets[0].frozen_cols];
  };

  test('[S27] keeps rows and columns in view; 0 cancels', async () => {
    const s = await sheet();
    expect(await s.call('set_freeze', { row_count: 2, col_count: 1 })).toEqual(nothing);
    expect(await frozen(s)).toEqual([2, 1]);
    await s.ok('set_freeze', { row_count: 0, col_count: 3 });
    expect(await frozen(s)).toEqual([0, 3]);
    await s.ok('set_freeze', { row_count: 0, col_count: 0 });
    expect(await frozen(s)).toEqual([0, 0]);
  });

  test('[S27] more than there are is 310001; both counts are required', async () => {
    const s = await sheet();
    expect(await s.call('set_freeze', { row_count: 201, col_count: 0 })).toEqual(
      refused(310001, 'row_count: must be at most 200, the number of rows (got 201)'),
    );
    expect(await s.call('set_freeze', { row_count: 0, col_count: 27 })).toEqual(
      refused(310001, 'col_count: must be at most 26, the number of columns (got 27)'),
    );
    expect(await s.call('set_freeze', { row_count: -1, col_count: 0 })).toEqual(
      refused(310001, 'row_count: must be at least 0 (got -1)'),
    );
    expect(await s.call('set_freeze', { row_count: 1 })).toEqual(refused(310001, 'col_count: is required'));
    expect(await s.call('set_freeze', { row_count: 200, col_count: 26 })).toEqual(nothing);
    expect(await frozen(s)).toEqual([200, 26]);
  });
});

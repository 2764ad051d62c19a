import { expect, test } from 'vitest';
import { nothing, onTool, refused } from './support.ts';

onTool('unset_freeze', ({ sheet }) => {
  test('[S27] removes all frozen rows and columns; where none are, nothing happens', async () => {
    const s = await sheet();
    await s.ok('set_freeze', { row_count: 2, col_count: 3 });
    expect(await s.call('unset_freeze')).toEqual(nothing);
    const { sheets } = await s.ok('describe_sheet');
    expect([sheets[0].frozen_rows, sheets[0].frozen_cols]).toEqual([0, 0]);
    expect(await s.call('unset_freeze')).toEqual(nothing);
  });

  test('[S17] an unknown sub-sheet is 310003', async () => {
    const s = await sheet();
    expect(await s.call('unset_freeze', { sheet_id: 'none' })).toEqual(
      refused(310003, `sheet_id: there is no sub-sheet "none"; there are ${s.sheet_id} (Sheet1)`),
    );
  });
});

import { expect, test } from 'vitest';
import { nothing, onTool, refused } from './support.ts';

onTool('move_sheet', ({ call, sheet }) => {
  test('[S41] dest_index is the place in the resulting order', async () => {
    const s = await sheet();
    for (const name of ['B', 'C', 'D']) await s.ok('add_sheet', { name });
    await s.ok('rename_sheet', { name: 'A' });
    const names = async () => (await s.ok('get_sheet_info')).sheets.map((one: any) => one.sheet_name).join('');
    const move = (src_index: number, dest_index: number) =>
      call('move_sheet', { file_id: s.file_id, src_index, dest_index });
    expect(await move(3, 1)).toEqual(nothing);
    expect(await names()).toBe('ADBC');
    await move(0, 2);
    expect(await names()).toBe('DBAC');
    await move(0, 3);
    expect(await names()).toBe('BACD');
    expect(await move(2, 2)).toEqual(nothing);
    expect(await names()).toBe('BACD');
  });

  test('[S41] places that are not there are 310001; both are required', async () => {
    const s = await sheet();
    await s.ok('add_sheet', {});
    expect(await s.call('move_sheet', { src_index: 2, dest_index: 0 })).toEqual(
      refused(310001, 'src_index: must be at most 1, the last sub-sheet (got 2)'),
    );
    expect(await s.call('move_sheet', { src_index: 0, dest_index: 2 })).toEqual(
      refused(310001, 'dest_index: must be at most 1, the last sub-sheet (got 2)'),
    );
    expect(await s.call('move_sheet', { src_index: 0, dest_index: -1 })).toEqual(
      refused(310001, 'dest_index: must be at least 0 (got -1)'),
    );
    expect(await s.call('move_sheet', { src_index: 0 })).toEqual(refused(310001, 'dest_index: is required'));
  });
});

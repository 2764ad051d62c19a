import { expect, test } from 'vitest';
import { nothing, onTool, r4, refused } from './support.ts';

onTool('merge_cell', ({ sheet }) => {
  const merged = async (s: Awaited<ReturnType<typeof sheet>>) =>
    ((await s.ok('get_merged_cells', r4('A1:Z50'))).merged_cells as string[]).map((one) =>
      one.replace(`${s.sheet_id}$`, ''),
    );

  test('[S30] all: one merge; the top-left value survives, also when the type is omitted', async () => {
    const s = await sheet('a,b\nc,d\n');
    expect(await s.call('merge_cell', { ...r4('A1:B2'), merge_type: 'all' })).toEqual(nothing);
    await s.ok('merge_cell', r4('D1:E1'));
    expect(await merged(s)).toEqual(['A1:B2', 'D1:E1']);
    expect(await s.csv('A1:B2')).toBe('a,\n');
  });

  test('[S30] rows: one merge for each row, each with its first value', async () => {
    const s = await sheet('a,b\nc,d\n');
    await s.ok('merge_cell', { ...r4('A1:B2'), merge_type: 'rows' });
    expect(await merged(s)).toEqual(['A1:B1', 'A2:B2']);
    expect(await s.csv('A1:B2')).toBe('a,\nc,\n');
  });

  test('[S30] columns: one merge for each column, each with its first value', async () => {
    const s = await sheet('a,b\nc,d\n');
    await s.ok('merge_cell', { ...r4('A1:B2'), merge_type: 'columns' });
    expect(await merged(s)).toEqual(['A1:A2', 'B1:B2']);
    expect(await s.csv('A1:B2')).toBe('a,b\n');
  });

  test('[S30] fewer than two cells are 310001; a type that is none too', async () => {
    const s = await sheet();
    expect(await s.call('merge_cell', r4('J1'))).toEqual(refused(310001, 'end_row: a merge needs at least two cells'));
    expect(await s.call('merge_cell', { ...r4('A1:A3'), merge_type: 'rows' })).toEqual(
      refused(310001, 'end_row: a merge needs at least two cells'),
    );
    expect(await s.call('merge_cell', { ...r4('A1:B2'), merge_type: 'cross' })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(await merged(s)).toEqual([]);
  });

  test('[S31] a merge that cuts an existing one is 310008, names it and changes nothing', async () => {
    const s = await sheet('a,b\nc,d\n');
    await s.ok('merge_cell', r4('A1:A2'));
    const cut = await s.call('merge_cell', r4('A2:B2'));
    expect(cut).toMatchObject({ code: 310008, data: {} });
    expect(cut.msg).toContain('A1:A2');
    expect(await s.csv('A1:B2')).toBe('a,b\n,d\n');
    expect(await merged(s)).toEqual(['A1:A2']);
  });

  test('[S31] a merge that holds others whole takes their place', async () => {
    const s = await sheet('a,b\nc,d\n');
    await s.ok('merge_cell', r4('A1:A2'));
    await s.ok('merge_cell', r4('A1:B2'));
    expect(await merged(s)).toEqual(['A1:B2']);
  });

  test('[S16] return_changes lists dependents of the values that went', async () => {
    const s = await sheet('1,2,=A1+B1\n');
    expect(await s.ok('merge_cell', { ...r4('A1:B1'), return_changes: true })).toMatchObject({
      changes: [
        { sheet_id: s.sheet_id, row: 0, col: 1, value: null },
        { sheet_id: s.sheet_id, row: 0, col: 2, value: 1 },
      ],
    });
  });
});

import { expect, test } from 'vitest';
import { at, nothing, onTool, r4, refused } from './support.ts';

onTool('sort_range', ({ sheet }) => {
  test('[S54] numbers, text, booleans, errors; blanks last either way; descending is the default', async () => {
    const s = await sheet('b,1\n,2\n3,3\ntrue,4\n=1/0,5\nA,6\n10,7\nfalse,8\n');
    expect(await s.call('sort_range', { ...r4('A1:B8'), columns: [{ col: 0, order: 1 }] })).toEqual(nothing);
    expect(await s.csv('A1:B8')).toBe('3,3\n10,7\nA,6\nb,1\nFALSE,8\nTRUE,4\n#DIV/0!,5\n,2\n');
    const descending = '#DIV/0!,5\nTRUE,4\nFALSE,8\nb,1\nA,6\n10,7\n3,3\n,2\n';
    await s.ok('sort_range', { ...r4('A1:B8'), columns: [{ col: 0 }] });
    expect(await s.csv('A1:B8')).toBe(descending);
    await s.ok('sort_range', { ...r4('A1:B8'), columns: [{ col: 0, order: 1 }] });
    await s.ok('sort_range', { ...r4('A1:B8'), columns: [{ col: 0, order: 0 }] });
    expect(await s.csv('A1:B8')).toBe(descending);
    expect(await s.call('sort_range', { ...r4('A1:B8'), columns: [{ col: 0, order: 2 }] })).toMatchObject({
      code: 310001,
      data: {},
    });
  });

  test('[S54] text is compared without regard to case, the same on every machine', async () => {
    const s = await sheet('b\nÄ\na\n字\nB\nZ\n');
    await s.ok('sort_range', { ...r4('A1:A6'), columns: [{ col: 0, order: 1 }] });
    expect(await s.csv('A1:A6')).toBe('a\nb\nB\nZ\nÄ\n字\n');
  });

  test('[S55] has_header keeps the first row; false is the default', async () => {
    const s = await sheet('5\n1\n9\n');
    await s.ok('sort_range', { ...r4('A1:A3'), has_header: true, columns: [{ col: 0, order: 1 }] });
    expect(await s.csv('A1:A3')).toBe('5\n1\n9\n');
    await s.ok('sort_range', { ...r4('A1:A3'), columns: [{ col: 0, order: 1 }] });
    expect(await s.csv('A1:A3')).toBe('1\n5\n9\n');
  });

  test('[S55] stable, by several keys in order; columns outside the region stay', async () => {
    const s = await sheet('k,n,x\nb,2,r1\na,1,r2\nb,1,r3\na,2,r4\n');
    await s.ok('sort_range', {
      ...r4('A1:B5'),
      has_header: true,
      columns: [
        { col: 0, order: 1 },
        { col: 1, order: 0 },
      ],
    });
    expect(await s.csv('A1:C5')).toBe('k,n,x\na,2,r1\na,1,r2\nb,2,r3\nb,1,r4\n');
    await s.ok('sort_range', { ...r4('A2:C5'), columns: [{ col: 1, order: 1 }] });
    expect(await s.csv('A1:C5')).toBe('k,n,x\na,1,r2\nb,1,r4\na,2,r1\nb,2,r3\n');
  });

  test("[S55] col counts from the sub-sheet's first column and lies in the region; at least one key", async () => {
    const s = await sheet(',,2,b\n,,1,a\n');
    await s.ok('sort_range', { ...r4('C1:D2'), columns: [{ col: 2, order: 1 }] });
    expect(await s.csv('C1:D2')).toBe('1,a\n2,b\n');
    expect(await s.call('sort_range', { ...r4('C1:D2'), columns: [{ col: 1 }] })).toEqual(
      refused(310001, 'columns[0].col: must be within the region, columns 2 to 3 (got 1)'),
    );
    expect(await s.call('sort_range', { ...r4('C1:D2'), columns: [] })).toEqual(
      refused(310001, 'columns: must have at least 1 entry (got an array of 0)'),
    );
    expect(await s.call('sort_range', { ...r4('C1:D2'), columns: [{ order: 1 }] })).toEqual(
      refused(310001, 'columns[0].col: is required'),
    );
  });

  test('[S56] relative references stay relative, styles and links move along', async () => {
    const s = await sheet('2,=A1*10\n1,=A2*10\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 33 } });
    await s.ok('set_link', { ...at('A1'), url: 'https://example.com/' });
    await s.ok('sort_range', { ...r4('A1:B2'), columns: [{ col: 1, order: 1 }] });
    expect(await s.csv('A1:B2')).toBe('1,10\n2,20\n');
    expect([await s.formula('B1'), await s.formula('B2')]).toEqual(['=A1*10', '=A2*10']);
    expect((await s.ok('get_cell_style', r4('A2'))).cells[0].font_size).toBe(33);
    expect((await s.cells('A1:A2')).map((one) => one.value_type)).toEqual(['NUMBER', 'RICH_STRING']);
  });

  test('[S56] merges inside are 310008 and nothing moves', async () => {
    const s = await sheet('2,x\n1,y\n');
    await s.ok('merge_cell', r4('A1:B1'));
    expect(await s.call('sort_range', { ...r4('A1:B2'), columns: [{ col: 0, order: 1 }] })).toEqual(
      refused(310008, 'start_row: the region contains merged cells at row 0, column 0; unmerge them first'),
    );
    expect(await s.csv('A1:B2')).toBe('2,\n1,y\n');
  });

  test('[S51] rows that a filter hides stay hidden wherever sorting puts them, and only those', async () => {
    const s = await sheet('kind,qty,note\nN,1,a\nS,2,b\nN,3,c\nS,4,d\n');
    const hidden = async (): Promise<unknown> =>
      (await s.ok('get_view', { ...r4('A1:C5'), layout: true })).layout.hidden_rows;
    await s.ok('set_filter', { ...r4('A1:C5'), filter_id: 'f' });
    await s.ok('update_filter', { columns: [{ col: 0, visible_values: ['S'] }] });
    expect(await hidden()).toEqual([
      [1, 1],
      [3, 3],
    ]);
    await s.ok('sort_range', { ...r4('A1:C5'), table_id: 'f', columns: [{ col: 1 }] });
    expect(await s.csv('A1:C5')).toBe('kind,qty,note\nS,4,d\nN,3,c\nS,2,b\nN,1,a\n');
    expect(await hidden()).toEqual([
      [2, 2],
      [4, 4],
    ]);
    await s.ok('sort_range', { ...r4('A1:C5'), has_header: true, columns: [{ col: 0 }, { col: 1, order: 1 }] });
    expect(await s.csv('A1:C5')).toBe('kind,qty,note\nS,2,b\nS,4,d\nN,1,a\nN,3,c\n');
    expect(await hidden()).toEqual([[3, 4]]);
    // Columns of the filter that the sorting leaves alone keep their rows hidden.
    await s.ok('sort_range', { ...r4('B2:C5'), columns: [{ col: 1 }] });
    expect(await s.csv('A1:C5')).toBe('kind,qty,note\nS,4,d\nS,3,c\nN,2,b\nN,1,a\n');
    expect(await hidden()).toEqual([[3, 4]]);
    await s.ok('remove_filter');
    expect(await hidden()).toEqual([]);
  });

  test('[S57] table_id sorts inside a filter, below its heading, by one column', async () => {
    const s = await sheet('name,kind,price\npear,fruit,3\nleek,herb,2\nplum,fruit,1\n');
    await s.ok('set_filter', { ...r4('A1:C4'), filter_id: 'f' });
    expect(await s.call('sort_range', { ...r4('A1'), table_id: 'f', columns: [{ col: 2, order: 1 }] })).toEqual(
      nothing,
    );
    expect(await s.csv('A1:C4')).toBe('name,kind,price\nplum,fruit,1\nleek,herb,2\npear,fruit,3\n');
    expect(await s.call('sort_range', { ...r4('A1:C4'), table_id: 'f', columns: [{ col: 0 }, { col: 1 }] })).toEqual(
      refused(310001, 'columns: must have one entry with table_id (got 2)'),
    );
    expect(await s.call('sort_range', { ...r4('A1:C4'), table_id: 'x', columns: [{ col: 0 }] })).toEqual(
      refused(310004, 'table_id: there is no filter "x" on this sub-sheet; there are f'),
    );
  });

  test('[S13] an end before its start is 310001', async () => {
    const s = await sheet();
    expect(
      await s.call('sort_range', { start_row: 1, start_col: 0, end_row: 0, end_col: 0, columns: [{ col: 0 }] }),
    ).toEqual(refused(310001, 'end_row: must be at least start_row, 1 (got 0)'));
  });
});

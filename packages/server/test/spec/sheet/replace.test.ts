import { expect, test } from 'vitest';
import { at, onTool, refused } from './support.ts';

onTool('replace', ({ call, sheet }) => {
  const replacer = (file_id: string) => (input: Record<string, unknown>) => call('replace', { file_id, ...input });

  test('[S103] text, any case unless told, all sub-sheets or one; it tells how many cells', async () => {
    const s = await sheet('Pear tree,a pear a PEAR,12\n');
    const replace = replacer(s.file_id);
    expect(await replace({ search_term: 'pear', replacement: 'plum' })).toEqual({
      code: 0,
      msg: 'success',
      data: {
        replaced_count: 2,
        changed: { 'Sheet1!A1': 'plum tree', 'Sheet1!B1': 'a plum a plum' },
        changed_count: 2,
        version: expect.any(Number) as number,
      },
    });
    expect(await s.csv('A1:C1')).toBe('plum tree,a plum a plum,12\n');
    expect((await replace({ search_term: 'PLUM', replacement: 'x', match_case: true })).data).toMatchObject({
      replaced_count: 0,
    });
    expect(await replace({ search_term: 'plum', replacement: 'x', sheet_name: 'None' })).toEqual(
      refused(310003, 'sheet_name: there is no sub-sheet named "None"'),
    );
    expect(
      (await replace({ search_term: 'plum tree', replacement: 'x', match_entire_cell: true, sheet_name: 'Sheet1' }))
        .data,
    ).toMatchObject({ replaced_count: 1 });
    expect((await replace({ search_term: 'plum', replacement: 'x', match_entire_cell: true })).data).toMatchObject({
      replaced_count: 0,
    });
  });

  test('[S103] formulas only with match_formulas; numbers by their digits', async () => {
    const s = await sheet('12,=A1*2\n"=""pear""&A1"\n');
    const replace = replacer(s.file_id);
    expect((await replace({ search_term: 'pear', replacement: 'plum' })).data).toMatchObject({ replaced_count: 0 });
    expect((await replace({ search_term: 'a1*', replacement: 'A1+', match_formulas: true })).data).toMatchObject({
      replaced_count: 1,
    });
    expect(await s.cells('B1')).toEqual([
      { row: 0, col: 1, value_type: 'FORMULA', number_value: 14, formula: '=A1+2' },
    ]);
    expect((await replace({ search_term: '12', replacement: '30' })).data).toMatchObject({ replaced_count: 1 });
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'NUMBER', number_value: 30 }]);
    expect(await replace({ search_term: '+2', replacement: '+(', match_formulas: true })).toMatchObject({
      code: 310009,
      data: {},
    });
    expect(await s.formula('B1')).toBe('=A1+2');
  });

  test('[S104] patterns may use groups; without a pattern $ is plain', async () => {
    const s = await sheet('12 pcs,3 pcs\nx\n');
    const replace = replacer(s.file_id);
    expect(
      (await replace({ search_term: '(\\d+) pcs', replacement: '$1 pieces', use_regex: true, end_col: 0 })).data,
    ).toMatchObject({ replaced_count: 1 });
    expect(await s.csv('A1:B1')).toBe('12 pieces,3 pcs\n');
    expect((await replace({ search_term: 'x', replacement: '$1' })).data).toMatchObject({ replaced_count: 1 });
    expect(await s.csv('A2')).toBe('$1\n');
    expect(await replace({ search_term: '(\\d+)', replacement: '$7', use_regex: true })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(await replace({ search_term: '(', replacement: '', use_regex: true })).toMatchObject({
      code: 310001,
      data: {},
    });
  });

  test('[S104] ranges narrow it; an empty replacement empties cells', async () => {
    const s = await sheet('x,x\nx,x\n');
    const replace = replacer(s.file_id);
    expect((await replace({ search_term: 'x', replacement: '', start_row: 1, start_col: 1 })).data).toMatchObject({
      replaced_count: 1,
    });
    expect(await s.csv('A1:B2')).toBe('x,x\nx,\n');
    expect(await replace({ search_term: 'x', replacement: 'y', start_row: 1, end_row: 0 })).toMatchObject({
      code: 310001,
      data: {},
    });
  });

  test('[S105] links stay; data never becomes a formula', async () => {
    const s = await sheet('1\n');
    await s.ok('set_link', { ...at('B1'), url: 'https://example.com/', display_text: 'old' });
    await call('replace', { file_id: s.file_id, search_term: 'old', replacement: 'new' });
    expect((await s.cells('B1'))[0]).toMatchObject({ value_type: 'RICH_STRING', string_value: 'new' });
    await call('replace', { file_id: s.file_id, search_term: '1', replacement: '=1+1' });
    expect(await s.cells('A1')).toEqual([{ row: 0, col: 0, value_type: 'STRING', string_value: '=1+1' }]);
  });
});

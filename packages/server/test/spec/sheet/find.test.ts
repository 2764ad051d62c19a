import { expect, test } from 'vitest';
import { at, onTool, r4, refused } from './support.ts';

onTool('find', ({ call, sheet }) => {
  const finder = (file_id: string) => {
    const find = async (input: Record<string, unknown>) => (await call('find', { file_id, ...input })).data;
    return {
      find,
      places: async (input: Record<string, unknown>) => (await find(input)).results.map((one: any) => one.address),
    };
  };

  test('[S60] shown text, any case, sub-sheet by sub-sheet, row by row, with addresses from 1', async () => {
    const s = await sheet('Pear,pEAR tree\nplum,\n,a pear\n');
    const { sheet_id: two } = await s.ok('add_sheet', { name: 'Two' });
    await call('set_cell_value', {
      file_id: s.file_id,
      sheet_id: two,
      ...at('AB3'),
      value_type: 'STRING',
      string_value: 'a pear',
    });
    const { find, places } = finder(s.file_id);
    expect(await find({ search_term: 'pear' })).toEqual({
      total_results: 4,
      results: [
        { sheet_id: s.sheet_id, row: 0, col: 0, address: 'A1' },
        { sheet_id: s.sheet_id, row: 0, col: 1, address: 'B1' },
        { sheet_id: s.sheet_id, row: 2, col: 1, address: 'B3' },
        { sheet_id: two, row: 2, col: 27, address: 'AB3' },
      ],
      overflow: false,
      next_offset: 0,
    });
    expect(await places({ search_term: 'pear', sheet_name: 'Two' })).toEqual(['AB3']);
    expect(await call('find', { file_id: s.file_id, search_term: 'x', sheet_name: 'None' })).toEqual(
      refused(310003, 'sheet_name: there is no sub-sheet named "None"'),
    );
    expect(await find({ search_term: 'nothing' })).toEqual({
      total_results: 0,
      results: [],
      overflow: false,
      next_offset: 0,
    });
  });

  test('[S60] match_case, match_entire_cell', async () => {
    const { places } = finder((await sheet('Pear,pear,pear tree\n')).file_id);
    expect(await places({ search_term: 'pear' })).toEqual(['A1', 'B1', 'C1']);
    expect(await places({ search_term: 'pear', match_case: true })).toEqual(['B1', 'C1']);
    expect(await places({ search_term: 'pear', match_entire_cell: true })).toEqual(['A1', 'B1']);
    expect(await places({ search_term: 'pear', match_case: true, match_entire_cell: true })).toEqual(['B1']);
  });

  test('[S60] what is shown counts: formats, results, errors; match_formulas matches formula text', async () => {
    const s = await sheet('12,=A1*2,0.5,=1/0\n');
    await s.ok('set_cell_style', { ...r4('C1'), format: { number_format_pattern: '0%' } });
    const { places } = finder(s.file_id);
    expect(await places({ search_term: '24' })).toEqual(['B1']);
    expect(await places({ search_term: '50%' })).toEqual(['C1']);
    expect(await places({ search_term: '#DIV' })).toEqual(['D1']);
    expect(await places({ search_term: 'A1*', match_formulas: true })).toEqual(['B1']);
    expect(await places({ search_term: 'A1*' })).toEqual([]);
  });

  test('[T54] a pattern made to run for ever is answered', async () => {
    const s = await sheet(`${'a'.repeat(30_000)}!\n`);
    const { places } = finder(s.file_id);
    expect(await places({ search_term: '(a+)+$', use_regex: true })).toEqual([]);
    expect(await places({ search_term: '(a+)+!', use_regex: true })).toEqual(['A1']);
  });

  test('[S60] use_regex takes RE2; what RE2 does not know is 310001; without it signs are plain', async () => {
    const s = await sheet('pear 1,plum 22,p.*\n');
    const { places } = finder(s.file_id);
    expect(await places({ search_term: '^p.*\\d\\d$', use_regex: true })).toEqual(['B1']);
    expect(await places({ search_term: 'PEAR', use_regex: true })).toEqual(['A1']);
    expect(await places({ search_term: 'PEAR', use_regex: true, match_case: true })).toEqual([]);
    expect(await places({ search_term: 'p', use_regex: true, match_entire_cell: true })).toEqual([]);
    expect(await places({ search_term: 'p.*' })).toEqual(['C1']);
    for (const search_term of ['(a', '(a)\\1', '(?=a)'])
      expect(await call('find', { file_id: s.file_id, search_term, use_regex: true }), search_term).toMatchObject({
        code: 310001,
        data: {},
      });
  });

  test('[S60] the four range fields narrow it, each by itself, ends included', async () => {
    const s = await sheet('x,x,x\nx,x,x\nx,x,x\n');
    const { places } = finder(s.file_id);
    expect(await places({ search_term: 'x', start_row: 2 })).toEqual(['A3', 'B3', 'C3']);
    expect(await places({ search_term: 'x', end_row: 0 })).toEqual(['A1', 'B1', 'C1']);
    expect(await places({ search_term: 'x', start_col: 2 })).toEqual(['C1', 'C2', 'C3']);
    expect(await places({ search_term: 'x', end_col: 0 })).toEqual(['A1', 'A2', 'A3']);
    expect(await places({ search_term: 'x', start_row: 1, start_col: 1, end_row: 1, end_col: 1 })).toEqual(['B2']);
    expect(await call('find', { file_id: s.file_id, search_term: 'x', start_row: 2, end_row: 1 })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect(await call('find', { file_id: s.file_id, search_term: 'x', start_col: 2, end_col: 1 })).toMatchObject({
      code: 310001,
      data: {},
    });
  });

  test('[S60] a pattern that cannot be read is 310001 and told as it was sent', async () => {
    const s = await sheet('pear\n');
    for (const match_case of [true, false]) {
      expect(await s.call('find', { search_term: '(', use_regex: true, match_case })).toEqual(
        refused(310001, 'search_term: is not a valid RE2 pattern: error parsing regexp: missing closing ): `(`'),
      );
    }
  });

  test('[S60] an empty sheet_name means all sub-sheets', async () => {
    const s = await sheet('pear\n');
    expect((await s.ok('find', { search_term: 'pear', sheet_name: '' })).total_results).toBe(1);
  });

  test('[S61] 50 results a page by default; offset and max_results; next_offset leads on', async () => {
    const s = await sheet('x\n'.repeat(120));
    const { find } = finder(s.file_id);
    const first = await find({ search_term: 'x' });
    expect(first).toMatchObject({ total_results: 120, overflow: true, next_offset: 50 });
    expect(first.results).toHaveLength(50);
    expect((await find({ search_term: 'x', offset: 50 })).results[0]).toMatchObject({ row: 50 });
    expect(await find({ search_term: 'x', offset: 100 })).toMatchObject({
      total_results: 120,
      overflow: false,
      next_offset: 0,
    });
    expect(await find({ search_term: 'x', offset: 119, max_results: 5 })).toMatchObject({
      results: [{ row: 119 }],
      overflow: false,
    });
    expect(await find({ search_term: 'x', offset: 200 })).toEqual({
      total_results: 120,
      results: [],
      overflow: false,
      next_offset: 0,
    });
    expect(await find({ search_term: 'x', max_results: 120 })).toMatchObject({ overflow: false, next_offset: 0 });
    expect(await find({ search_term: 'x', max_results: 119 })).toMatchObject({ overflow: true, next_offset: 119 });
  });

  test('[S61] past 100,000 counting stops: overflow, and next_offset 0', async () => {
    const s = await sheet();
    await s.ok('set_range_value_by_csv', { csv_data: 'x,x\n'.repeat(50_001) });
    expect(await finder(s.file_id).find({ search_term: 'x', max_results: 1 })).toMatchObject({
      total_results: 100_000,
      overflow: true,
      next_offset: 0,
    });
  });

  test('[S60] search_term is required and not empty', async () => {
    const s = await sheet();
    expect(await call('find', { file_id: s.file_id })).toEqual(refused(310001, 'search_term: is required'));
    expect(await call('find', { file_id: s.file_id, search_term: '' })).toMatchObject({ code: 310001, data: {} });
  });
});

import { expect, test } from 'vitest';
import { at, onTool, r4, refused } from './support.ts';

onTool('batch', ({ call, sheet }) => {
  test('[S110] one revision, each call sees the earlier ones, answers in order', async () => {
    const s = await sheet('b,2\na,1\n');
    const before = (await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0].version;
    const on = (tool: string, input: Record<string, unknown>) => ({
      tool,
      arguments: { sheet_id: s.sheet_id, ...input },
    });
    const { results } = await s.ok('batch', {
      calls: [
        on('insert_dimension', { dimension_type: 'row', index: 0, count: 1 }),
        on('set_range_value_by_csv', { csv_data: 'k,v' }),
        on('sheet_sort_range', { ...r4('A1:B3'), has_header: true, columns: [{ col: 0, order: 1 }] }),
        { tool: 'add_sheet', arguments: { name: 'New' } },
        on('append_rows', { rows: [['c', '=SUM(B2:B3)']] }),
      ],
    });
    expect(results).toEqual([
      {},
      {},
      {},
      { sheet_id: expect.any(String) },
      { start_row: 3, row_count: 1, range: 'Sheet1!A4:B4' },
    ]);
    expect(await s.csv('A1:B4')).toBe('k,v\na,1\nb,2\nc,3\n');
    expect((await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0]).toMatchObject({
      version: before + 1,
      tool: 'batch',
    });
    expect(await call('validate_file_data', { file_id: s.file_id })).toMatchObject({ data: { is_valid: true } });
    await s.ok('revert', { version: before });
    expect(await s.csv('A1:B4')).toBe('b,2\na,1\n');
  });

  test('[S111] when one fails nothing is changed and the answer says which', async () => {
    const s = await sheet('1\n');
    const version = async () => (await call('get_history', { file_id: s.file_id, limit: 1 })).data.revisions[0].version;
    const before = await version();
    const write = {
      tool: 'set_cell_value',
      arguments: { sheet_id: s.sheet_id, ...at('A1'), value_type: 'NUMBER', number_value: 9 },
    };
    const batch = (...calls: unknown[]) => s.call('batch', { calls });
    expect(
      await batch(write, { tool: 'delete_chart', arguments: { sheet_id: s.sheet_id, drawing_id: 'none' } }),
    ).toMatchObject({ code: 310004, msg: expect.stringMatching(/^calls\[1\]: drawing_id: /), data: {} });
    expect(
      await batch(write, {
        tool: 'set_cell_value',
        arguments: { sheet_id: s.sheet_id, ...at('A1'), value_type: 'FORMULA', formula: '=(' },
      }),
    ).toMatchObject({ code: 310009, msg: expect.stringContaining('calls[1]: ') });
    expect(await batch(write, { tool: 'merge_cell', arguments: { sheet_id: s.sheet_id } })).toEqual({
      code: 310001,
      msg: 'calls[1].arguments.start_row: is required',
      data: {},
    });
    expect(await batch({ tool: 'get_cell_data', arguments: {} })).toMatchObject({
      code: 310001,
      msg: 'calls[0].arguments.start_row: is required',
    });
    expect(await batch({ tool: 'batch', arguments: {} })).toMatchObject({ code: 310001 });
    expect(await batch({ tool: 'nothing', arguments: {} })).toMatchObject({
      code: 310001,
      msg: 'calls[0].tool: there is no tool "nothing"',
    });
    expect(await batch({ ...write, arguments: { ...write.arguments, file_id: 'doc_other' } })).toMatchObject({
      code: 310001,
    });
    expect(await s.csv('A1')).toBe('1\n');
    expect(await version()).toBe(before);
  });

  test('[S110] up to 100 calls; at least one', async () => {
    const s = await sheet();
    const one = (row: number) => ({
      tool: 'set_cell_value',
      arguments: { sheet_id: s.sheet_id, row, col: 0, value_type: 'NUMBER', number_value: row },
    });
    expect(await s.call('batch', { calls: [] })).toEqual(
      refused(310001, 'calls: must have at least 1 entry (got an array of 0)'),
    );
    expect(await s.call('batch', { calls: Array.from({ length: 101 }, (_, i) => one(i)) })).toMatchObject({
      code: 310001,
      data: {},
    });
    expect((await s.ok('batch', { calls: Array.from({ length: 100 }, (_, i) => one(i)) })).results).toHaveLength(100);
    expect(await s.csv('A99:A101')).toBe('98\n99\n');
  });

  test('[S110] a call sees a sub-sheet, chart or protection an earlier one made; return_changes speaks of the whole', async () => {
    const s = await sheet('1,=A1*2\n');
    const on = (tool: string, input: Record<string, unknown>) => ({
      tool,
      arguments: { sheet_id: s.sheet_id, ...input },
    });
    const answer = await s.ok('batch', {
      return_changes: true,
      calls: [
        on('add_chart', { chart_type: 'CHART_PIE', data_range: r4('A1:B1'), drawing_id: 'c' }),
        on('update_chart', { drawing_id: 'c', title: 'T' }),
        on('set_cell_value', { ...at('A1'), value_type: 'NUMBER', number_value: 5 }),
      ],
    });
    expect(answer).toMatchObject({
      results: [{}, {}, {}],
      changes: [
        { sheet_id: s.sheet_id, row: 0, col: 0, value: 5 },
        { sheet_id: s.sheet_id, row: 0, col: 1, value: 10 },
      ],
    });
    expect((await s.ok('get_charts')).charts[0].title).toBe('T');
  });

  test('what applies to the whole is refused in a call and holds when given to batch itself', async () => {
    const s = await sheet('1\n');
    const write = (more: object) => ({ tool: 'write', arguments: { range: 'A1', rows: [[9]], ...more } });
    const wrong = { dry_run: true, assert: 'A1 = 1', return_changes: true, enforce_validation: true };
    for (const [field, value] of Object.entries(wrong))
      expect(await s.call('batch', { calls: [write({}), write({ [field]: value })] })).toEqual(
        refused(310001, `calls[1].arguments.${field}: applies to the whole batch; give it to batch itself`),
      );
    expect(await s.ok('batch', { dry_run: true, calls: [write({ dry_run: false })] })).toMatchObject({ dry_run: true });
    await s.ok('set_validation', { ranges: ['A1'], kind: 'list', values: ['1', '2'] });
    const strict = await s.call('batch', { enforce_validation: true, calls: [write({})] });
    expect(strict).toMatchObject({ code: 310008, msg: expect.stringContaining('Sheet1!A1 does not allow this value') });
    expect(await s.csv('A1')).toBe('1\n');
  });

  test('tools that complete their answers outside the document are refused', async () => {
    const s = await sheet('1\n');
    for (const tool of ['get_images', 'render_chart', 'sheet_render_range'])
      expect(await s.call('batch', { calls: [{ tool, arguments: {} }] })).toEqual(
        refused(
          310001,
          'calls[0].tool: must be a tool other than batch, revert, undo_revision, get_images, render_chart, ' +
            `render_range (got "${tool}")`,
        ),
      );
  });
});

import { expect, test } from 'vitest';
import { eachSurface } from '../../support/server.ts';
import { newSheet, r4 } from './support.ts';

eachSurface('sheet', 'styles and borders', (call, server) => {
  const styleOf = async (s: Awaited<ReturnType<typeof newSheet>>, cell: string) => (await s.ok('get_cell_style', r4(cell))).cells[0];

  test('[S20] get_cell_style answers one entry for each cell, unset properties empty or 0', async () => {
    const s = await newSheet(call, server());
    expect(await s.ok('get_cell_style', r4('B2:C2'))).toEqual({
      cells: [
        { row: 1, col: 1, background_color: '', font_color: '', font_size: 0, font_family: '', number_format: '' },
        { row: 1, col: 2, background_color: '', font_color: '', font_size: 0, font_family: '', number_format: '' },
      ],
    });
  });

  test('[S21] colours: with or without #, 6 or 8 digits, told as 8 upper-case digits', async () => {
    const s = await newSheet(call, server());
    for (const [given, told] of [['80ff0000', '80FF0000'], ['#abcdef', 'FFABCDEF'], ['#12345678', '12345678'], ['00ff00', 'FF00FF00']]) {
      await s.ok('set_cell_style', { ...r4('A1'), format: { bg_color: given, font_color: given } });
      expect(await styleOf(s, 'A1')).toMatchObject({ background_color: told, font_color: told });
    }
    for (const wrong of ['red', '#12345', 'GGGGGG', '1234567']) {
      expect(await s.call('set_cell_style', { ...r4('A1'), format: { bg_color: wrong } })).toEqual({ code: 310001, msg: `format.bg_color: must be 6 or 8 hexadecimal digits (got "${wrong}")`, data: {} });
    }
    expect(await s.call('set_border', { ...r4('A1'), border_positions: [0], border_color: 'blue' })).toMatchObject({ code: 310001 });
  });

  test('[S22] properties not sent stay; false, "" and 0 clear one; is_clear clears all and ignores format', async () => {
    const s = await newSheet(call, server());
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 14, font_family: 'Arial', bg_color: 'FFFF0000', number_format_pattern: '0.0%', bold: true } });
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 0, bold: false } });
    expect(await styleOf(s, 'A1')).toEqual({ row: 0, col: 0, background_color: 'FFFF0000', font_color: '', font_size: 0, font_family: 'Arial', number_format: '0.0%' });
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_family: '', number_format_pattern: '' } });
    expect(await styleOf(s, 'A1')).toEqual({ row: 0, col: 0, background_color: 'FFFF0000', font_color: '', font_size: 0, font_family: '', number_format: '' });
    await s.ok('set_cell_style', { ...r4('A1'), is_clear: true, format: { font_size: 30 } });
    expect(await styleOf(s, 'A1')).toEqual({ row: 0, col: 0, background_color: '', font_color: '', font_size: 0, font_family: '', number_format: '' });
  });

  test('[S23] every alignment, underline and a percent pattern are accepted; a broken pattern is refused', async () => {
    const s = await newSheet(call, server(), '0.5\n');
    for (const horizontal_align of ['general', 'left', 'center', 'right', 'fill', 'justify', '']) await s.ok('set_cell_style', { ...r4('A1'), format: { horizontal_align } });
    for (const vertical_align of ['top', 'center', 'bottom', 'justify', '']) await s.ok('set_cell_style', { ...r4('A1'), format: { vertical_align } });
    for (const underline of ['none', 'single', 'double', 'single_accounting', 'double_accounting', '']) await s.ok('set_cell_style', { ...r4('A1'), format: { underline } });
    await s.ok('set_cell_style', { ...r4('A1'), format: { number_format_pattern: '0%', wrap_text: true, strike_through: true, italic: true } });
    expect(await call('find', { file_id: s.file_id, search_term: '50%' })).toMatchObject({ data: { total_results: 1 } });
    expect(await s.call('set_cell_style', { ...r4('A1'), format: { number_format_pattern: '[$-' } })).toMatchObject({ code: 310001, data: {} });
  });

  test('[S24] borders: every position and style; none and clear_border take lines away; no position is refused', async () => {
    const s = await newSheet(call, server());
    for (const border_style of [0, 1, 2, 3, 4, 5, 6, 7]) await s.ok('set_border', { ...r4('B2:C3'), border_positions: [0, 1, 2, 3, 4, 5], border_style, border_color: '1a2b3c' });
    await s.ok('clear_border', { ...r4('B2:C3'), border_positions: [4] });
    await s.ok('clear_border', r4('B2:C3'));
    expect(await s.call('set_border', { ...r4('B2:C3'), border_positions: [] })).toMatchObject({ code: 310001, msg: 'border_positions: must have at least 1 entry (got an array of 0)' });
  });

  test('[S25] a style survives is_clear of borders and the other way round: clear_range_style takes both', async () => {
    const s = await newSheet(call, server(), '1\n');
    await s.ok('set_cell_style', { ...r4('A1'), format: { font_size: 9 } });
    await s.ok('set_border', { ...r4('A1'), border_positions: [0] });
    await s.ok('clear_border', r4('A1'));
    expect((await styleOf(s, 'A1')).font_size).toBe(9);
    await s.ok('clear_range_style', r4('A1'));
    expect((await styleOf(s, 'A1')).font_size).toBe(0);
    expect(await s.csv('A1')).toBe('1\n');
  });

  test('[S26] set_dimension_size: one or a run, rows in points and columns in pixels, back to default', async () => {
    const s = await newSheet(call, server());
    await s.ok('set_dimension_size', { dimensions: [{ dimension_type: 'row', index: 1, size: 30 }, { dimension_type: 'col', start_index: 0, end_index: 2, size: 120 }, { dimension_type: 'row', index: 1, is_clear: true, size: -5 }] });
    const refuse = async (dimension: Record<string, unknown>, msg: string) => expect(await s.call('set_dimension_size', { dimensions: [dimension] })).toEqual({ code: 310001, msg, data: {} });
    await refuse({ dimension_type: 'row', size: 30 }, 'dimensions[0].index: is required (or start_index and end_index)');
    await refuse({ dimension_type: 'row', start_index: 1, size: 30 }, 'dimensions[0].end_index: is required with start_index');
    await refuse({ dimension_type: 'row', index: 1, start_index: 1, end_index: 2, size: 30 }, 'dimensions[0].index: give either index or start_index and end_index');
    await refuse({ dimension_type: 'row', start_index: 2, end_index: 1, size: 30 }, 'dimensions[0].end_index: must be at least start_index, 2 (got 1)');
    await refuse({ dimension_type: 'row', index: 1 }, 'dimensions[0].size: is required unless is_clear is true');
    await refuse({ dimension_type: 'row', index: 1, size: 0 }, 'dimensions[0].size: must be more than 0 and at most 409 (got 0)');
    await refuse({ dimension_type: 'col', index: 16_384, size: 10 }, 'dimensions[0].end_index: must be at most 16383 (got 16384)');
  });

  test('[S27] set_freeze and unset_freeze; more than there is is refused', async () => {
    const s = await newSheet(call, server());
    await s.ok('set_freeze', { row_count: 2, col_count: 1 });
    const frozen = async () => {
      const { sheets } = await s.ok('describe_sheet');
      return [sheets[0].frozen_rows, sheets[0].frozen_cols];
    };
    expect(await frozen()).toEqual([2, 1]);
    await s.ok('set_freeze', { row_count: 0, col_count: 3 });
    expect(await frozen()).toEqual([0, 3]);
    await s.ok('unset_freeze');
    expect(await frozen()).toEqual([0, 0]);
    expect(await s.call('set_freeze', { row_count: 201, col_count: 0 })).toEqual({ code: 310001, msg: 'row_count: must be at most 200, the rows there are (got 201)', data: {} });
  });
});

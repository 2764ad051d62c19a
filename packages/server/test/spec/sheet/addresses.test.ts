import { expect, test } from 'vitest';
import { png } from '@sheaf/tools/testing/tiny-images.ts';
import { done, onTool, r4, refused, type Sheet } from './support.ts';

/** Two sub-sheets: an address that names none must be refused by writes. */
const two = async (sheet: (csv?: string) => Promise<Sheet>): Promise<Sheet> => {
  const s = await sheet('name,n\npear,1\n');
  await s.ok('add_sheet', { name: 'My data' });
  return s;
};
const other = { sheet_id: undefined };

onTool('addresses in our own tools', ({ sheet }) => {
  test('append_rows takes columns of a named sub-sheet', async () => {
    const s = await two(sheet);
    const rows = [['plum', 2]];
    expect(await s.ok('append_rows', { ...other, range: "'My data'!B:C", rows })).toMatchObject({
      start_row: 0,
      row_count: 1,
    });
    expect(await s.ok('append_rows', { ...other, range: 'Sheet1!A:B', rows })).toMatchObject({
      start_row: 2,
      row_count: 1,
    });
    expect((await s.ok('read', { ...other, range: "'My data'!A1:C1" })).rows).toEqual({ 1: ['', 'plum', 2] });
    expect(await s.ok('append_rows', { sheet_id: 'My data', range: 'B:C', rows })).toMatchObject({ start_row: 1 });
    expect(await s.call('append_rows', { ...other, range: 'A:B', rows })).toMatchObject({
      code: 310001,
      msg: expect.stringMatching(/^range: name the sub-sheet too, as Sheet1!A:B/),
    });
    expect(await s.call('append_rows', { range: 'A:B', start_col: 1, rows })).toEqual(
      refused(310001, 'range: names the columns; leave out start_col and end_col (got both)'),
    );
  });

  test('set_dimension_visible takes whole rows and columns', async () => {
    const s = await two(sheet);
    expect(await s.call('set_dimension_visible', { ...other, range: 'Sheet1!B:B', visible: false })).toEqual(done);
    expect(await s.call('set_dimension_visible', { ...other, range: 'Sheet1!2:2', visible: false })).toEqual(done);
    const told = JSON.stringify(await s.ok('inspect', other));
    expect(told).toMatch(/"hidden":"[^"]*\bB/);
    expect(told).toMatch(/"hidden":"[^"]*\b2/);
    expect(await s.call('set_dimension_visible', { ...other, range: 'Sheet1!B2:C3', visible: true })).toEqual(
      refused(310001, 'range: must be whole columns, like C:E, or whole rows, like 2:5 (got "Sheet1!B2:C3")'),
    );
    expect(await s.call('set_dimension_visible', { ...other, visible: true })).toEqual(
      refused(310001, 'sheet_id: is required without range'),
    );
  });

  test('an image is found by its id, moved by an address and resized alone', async () => {
    const s = await two(sheet);
    await s.ok('insert_image', { row_index: 2, col_index: 1, content: png });
    const { object_id } = (await s.ok('get_images')).images[0];
    expect(await s.call('update_image', { ...other, object_id, range: 'F3' })).toEqual(done);
    expect(await s.call('update_image', { ...other, object_id, location: { width: 44 } })).toEqual(done);
    expect((await s.ok('get_images')).images[0].location).toMatchObject({ row_index: 2, col_index: 5, width: 44 });
    expect(await s.call('update_image', { ...other, object_id, range: "'My data'!A1" })).toEqual(
      refused(310001, 'range: the image is on Sheet1 and stays there (got My data)'),
    );
    expect(await s.call('update_image', { ...other, object_id })).toEqual(
      refused(310001, 'location: is required without range'),
    );
    expect(await s.call('delete_image', { ...other, object_id })).toEqual(done);
  });

  test('a chart is found by its id, a comment by its address', async () => {
    const s = await two(sheet);
    await s.ok('add_chart', { chart_type: 'CHART_LINE', data_range: r4('A1:B2'), drawing_id: 'c1' });
    expect(await s.ok('render_chart', { ...other, drawing_id: 'c1' })).toMatchObject({ content_type: 'image/svg+xml' });
    expect(await s.call('render_chart', { ...other, drawing_id: 'none' })).toMatchObject({ code: 310004 });
    const { comment_id } = await s.ok('set_comment', { ...other, range: "'My data'!B3", text: 'Why?' });
    await s.ok('set_comment', { ...other, comment_id, text: 'Because.' });
    const listed = await s.ok('list_objects', { sheet_id: 'My data', object_types: ['comment'] });
    expect(JSON.stringify(listed)).toMatch(/Why\?.*Because\./);
    expect(await s.call('set_comment', { ...other, text: 'Where?' })).toEqual(
      refused(310001, 'range: is required without comment_id'),
    );
  });

  test('validation and conditional formats take ranges of a named sub-sheet, and of one only', async () => {
    const s = await two(sheet);
    const rule = { kind: 'list', values: ['open', 'done'] };
    await s.ok('set_validation', { ...other, ...rule, ranges: ["'My data'!C2:C9"] });
    await s.ok('set_conditional_format', {
      ...other,
      ranges: ['Sheet1!n'],
      kind: 'cell',
      test: 'greater',
      values: ['0'],
      style: { bold: true },
    });
    const listed = async (sheet_id: string) => JSON.stringify(await s.ok('list_objects', { sheet_id }));
    expect(await listed('My data')).toContain('C2:C9');
    expect(await listed('Sheet1')).toContain('B2');
    expect(await s.call('set_validation', { ...other, ...rule, ranges: ['Sheet1!A1', "'My data'!A1"] })).toEqual(
      refused(310001, 'ranges[1]: must be on the same sub-sheet as the first, Sheet1 (got My data)'),
    );
  });
});

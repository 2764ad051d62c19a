import { expect, test } from 'vitest';
import { described, describedWorkbook } from '@sheaf/tools/testing/xlsx/described-workbook.ts';
import { onTool, sheetOf } from './support.ts';

onTool('get_kept_objects', ({ call, server }) => {
  test('[S144] controls, shapes and pictures in cells of an imported file, with their places', async () => {
    const bytes = describedWorkbook({ ...described, columns: '', features: ['textBox', 'control', 'cellPicture'] });
    const content = Buffer.from(bytes).toString('base64');
    const made = await server().call('http', 'manage', 'import_file', { title: 'T', content, format: 'xlsx' });
    const file_id = made.data.file_id as string;
    const info = await server().call('http', 'sheet', 'get_sheet_info', { file_id });
    const s = sheetOf(call, file_id, info.data.sheets[1].sheet_id as string);
    const found = await s.ok('get_kept_objects');
    expect(found.objects).toMatchObject([
      { kind: 'shape', name: 'TextBox 6', text: 'Read me\nfirst', location: { row_index: 24, col_index: 7 } },
      { kind: 'control', name: 'Button 1', text: 'Start', location: { row_index: 20, col_index: 8 } },
    ]);
    expect(found.pictures).toEqual([expect.stringMatching(/^data:image\/png;base64,/)]);
    expect(found.cells).toEqual([
      { row_index: 49, col_index: 7, text: 'A dot', picture: 0 },
      { row_index: 50, col_index: 7, text: 'Oslo' },
    ]);
    await s.ok('set_dimension_visible', { dimension_type: 'row', index: 49, count: 1, visible: false });
    expect((await s.ok('get_kept_objects', { shown_only: true })).cells).toMatchObject([{ row_index: 50 }]);
    await s.put('H50', 'text');
    expect((await s.ok('get_kept_objects')).cells).toMatchObject([{ row_index: 50 }]);
  });
});

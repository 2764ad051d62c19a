import { expect, test } from 'vitest';
import { nothing, onTool, r4 } from './support.ts';

onTool('insert_dimension in a grid of full size', ({ sheet }) => {
  test('[finding T4] rows that hold only formats, sizes or a filter give way', async () => {
    const s = await sheet('a\nb\nc\n');
    await s.ok('set_cell_style', { ...r4('B1:B1048576'), format: { font_size: 20 } });
    await s.ok('set_filter', { ...r4('A1:A1048576'), filter_id: 'f' });
    await s.ok('set_dimension_size', {
      dimensions: [{ dimension_type: 'row', start_index: 0, end_index: 1_048_575, size: 20 }],
    });
    expect(await s.call('insert_dimension', { dimension_type: 'row', index: 1, count: 2 })).toEqual(nothing);
    expect(await s.csv('A1:A9')).toBe('a\n\n\nb\nc\n');
    expect((await s.ok('get_sheet_info')).sheets[0]).toMatchObject({ row_count: 1_048_576 });
    const { version } = (await s.ok('get_history', { limit: 1 })).revisions[0];
    expect(await s.ok('revert', { version: version - 1 })).toMatchObject({ shifted: ['Sheet1!rows 2:3 deleted'] });
    expect(await s.csv('A1:A9')).toBe('a\nb\nc\n');
    expect((await s.ok('get_cell_style', r4('B1048576'))).cells[0]).toMatchObject({ font_size: 20 });
    expect(await s.ok('validate_file_data')).toMatchObject({ is_valid: true });
  });

  test('[finding T4] columns too; what holds a value does not', async () => {
    const s = await sheet('a,b\n');
    await s.ok('set_cell_style', { ...r4('A2:XFD2'), format: { italic: true } });
    expect(await s.call('insert_dimension', { dimension_type: 'col', index: 0, count: 3 })).toEqual(nothing);
    expect(await s.csv('A1:F1')).toBe(',,,a,b,\n');
    await s.put('XFC1', 'far\n');
    expect(await s.call('insert_dimension', { dimension_type: 'col', index: 0, count: 1 })).toEqual(nothing);
    expect(await s.call('insert_dimension', { dimension_type: 'col', index: 0, count: 1 })).toMatchObject({
      code: 310006,
      data: {},
    });
    expect(await s.csv('XFD1')).toBe('far\n');
  });
});

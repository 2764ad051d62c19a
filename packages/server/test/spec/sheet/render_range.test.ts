import { expect, test } from 'vitest';
import { onTool } from './support.ts';

onTool('render_range', ({ sheet }) => {
  const styled = async () => {
    const s = await sheet('name,amount\n<pear> & co,3\n梨,-4.5\n');
    await s.ok('set_cell_style', {
      start_row: 0,
      start_col: 0,
      end_row: 0,
      end_col: 1,
      format: { bold: true, bg_color: 'FFDDEEFF', horizontal_align: 'center' },
    });
    return s;
  };

  test('[finding G9] draws cells with their texts, styles and headings', async () => {
    const s = await styled();
    const { content, content_type: type, width, height } = await s.ok('render_range', { format: 'svg' });
    expect([type, width, height]).toEqual(['image/svg+xml', 244, 102]);
    expect(content).toContain('fill="#DDEEFF"');
    expect(content).toContain('font-weight="bold"');
    expect(content).toContain('&lt;pear&gt; &amp; co</tspan>');
    expect(content).toContain('梨</tspan>');
    for (const heading of ['>A</text>', '>B</text>', '>1</text>', '>3</text>']) expect(content).toContain(heading);
    expect(content).not.toContain('>C</text>');
  });

  test('is a PNG by default, of that size', async () => {
    const s = await styled();
    const { content, content_type: type, width } = await s.ok('render_range', { range: 'A1:A2' });
    const bytes = Buffer.from(content as string, 'base64');
    expect([type, bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), width]).toEqual([
      'image/png',
      'PNG',
      144,
      144,
    ]);
  });

  test('leaves out hidden rows, and covers merged cells', async () => {
    const s = await styled();
    await s.ok('set_dimension_visible', { range: '2:2', visible: false });
    await s.ok('merge_cell', { start_row: 0, start_col: 0, end_row: 0, end_col: 1, merge_type: 'all' });
    const { content } = await s.ok('render_range', { format: 'svg' });
    expect(content).not.toContain('pear');
    expect(content).toContain('width="200"');
  });

  test('refuses too many cells, and ranges that are not there', async () => {
    const s = await sheet('a\n');
    await s.ok('write', { range: 'Z200', rows: [['end']] });
    expect((await s.call('render_range', {})).msg).toBe(
      'range: at most 5000 cells can be drawn (got Sheet1!A1:Z200, 5200 cells)',
    );
    expect((await s.call('render_range', { range: 'nothing here' })).msg).toContain('range');
  });
});

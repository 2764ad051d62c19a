import { expect, test } from 'vitest';
import { exportedParts } from './exported.ts';
import { nothing, onTool, refused } from './support.ts';

onTool('set_dimension_size', ({ server, sheet }) => {
  const heights = async (s: Awaited<ReturnType<typeof sheet>>) => {
    const xml = (await exportedParts(server(), s))['xl/worksheets/sheet1.xml']!;
    return [...xml.matchAll(/<row r="(\d+)"[^>]* ht="([\d.]+)"/g)].map(([, row, height]) => [
      Number(row),
      Number(height),
    ]);
  };
  /** A chart 300 pixels wide at the first column tells how wide the columns are. */
  const covered = async (s: Awaited<ReturnType<typeof sheet>>) =>
    (await s.ok('get_sheet_object_list')).objects[0].display_range.replace(`${s.sheet_id}$`, '');
  const withChart = async () => {
    const s = await sheet('1\n2\n3\n4\n5\n');
    await s.ok('add_chart', {
      chart_type: 'CHART_LINE',
      data_range: { start_row: 0, start_col: 0, end_row: 4, end_col: 0 },
      drawing_id: 'c',
      location: { row_index: 0, col_index: 0, width: 300, height: 10 },
    });
    return s;
  };

  test('[S26] rows in points: one by index, several by start_index and end_index, included', async () => {
    const s = await sheet('1\n2\n3\n4\n5\n');
    expect(
      await s.call('set_dimension_size', {
        dimensions: [
          { dimension_type: 'row', index: 0, size: 30 },
          { dimension_type: 'row', start_index: 2, end_index: 3, size: 45.5 },
        ],
      }),
    ).toEqual(nothing);
    expect(await heights(s)).toEqual([
      [1, 30],
      [3, 45.5],
      [4, 45.5],
    ]);
  });

  test('[S26] columns in pixels; is_clear restores the default and ignores size', async () => {
    const s = await withChart();
    const standard = await covered(s);
    await s.ok('set_dimension_size', {
      dimensions: [{ dimension_type: 'col', start_index: 0, end_index: 4, size: 60 }],
    });
    expect(await covered(s)).toBe('A1:E1');
    await s.ok('set_dimension_size', { dimensions: [{ dimension_type: 'col', index: 0, size: 300 }] });
    expect(await covered(s)).toBe('A1:A1');
    await s.ok('set_dimension_size', {
      dimensions: [{ dimension_type: 'col', start_index: 0, end_index: 4, size: -5, is_clear: true }],
    });
    expect(await covered(s)).toBe(standard);
  });

  test('[S26] what is wrong is named with its place, and nothing is changed', async () => {
    const s = await sheet('1\n2\n3\n');
    const good = { dimension_type: 'row', index: 0, size: 30 };
    const refuse = async (dimension: Record<string, unknown>, msg: string) =>
      expect(await s.call('set_dimension_size', { dimensions: [good, dimension] })).toEqual(
        refused(310001, `dimensions[1].${msg}`),
      );
    await refuse({ dimension_type: 'row', size: 30 }, 'index: is required (or start_index and end_index)');
    await refuse({ dimension_type: 'row', start_index: 1, size: 30 }, 'end_index: is required with start_index');
    await refuse(
      { dimension_type: 'row', index: 1, start_index: 1, end_index: 2, size: 30 },
      'index: send either index or start_index and end_index',
    );
    await refuse(
      { dimension_type: 'row', start_index: 2, end_index: 1, size: 30 },
      'end_index: must be at least start_index, 2 (got 1)',
    );
    await refuse({ dimension_type: 'row', index: 1 }, 'size: is required unless is_clear is true');
    await refuse({ dimension_type: 'row', index: 1, size: 0 }, 'size: must be more than 0 and at most 409 (got 0)');
    await refuse(
      { dimension_type: 'row', index: 1, size: 409.5 },
      'size: must be more than 0 and at most 409 (got 409.5)',
    );
    await refuse(
      { dimension_type: 'col', index: 1, size: 2001 },
      'size: must be more than 0 and at most 2000 (got 2001)',
    );
    await refuse({ dimension_type: 'col', index: 16_384, size: 10 }, 'index: must be at most 16383 (got 16384)');
    await refuse(
      { dimension_type: 'col', start_index: 0, end_index: 16_384, size: 10 },
      'end_index: must be at most 16383 (got 16384)',
    );
    expect(await heights(s)).toEqual([]);
    expect(await s.call('set_dimension_size', { dimensions: [] })).toEqual(
      refused(310001, 'dimensions: must have at least 1 entry (got an array of 0)'),
    );
    expect(
      await s.call('set_dimension_size', {
        dimensions: [
          { dimension_type: 'row', index: 0, size: 409 },
          { dimension_type: 'col', index: 0, size: 2000 },
        ],
      }),
    ).toEqual(nothing);
  });

  test('[S40] sizes move with their rows', async () => {
    const s = await sheet('1\n2\n3\n');
    await s.ok('set_dimension_size', { dimensions: [{ dimension_type: 'row', index: 1, size: 30 }] });
    await s.ok('insert_dimension', { dimension_type: 'row', index: 0, count: 1 });
    expect(await heights(s)).toEqual([[3, 30]]);
  });
});

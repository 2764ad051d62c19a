import { expect, test } from 'vitest';
import { onTool } from './support.ts';

onTool('describe_sheet', ({ sheet }) => {
  test('[S112] tables, headings, types, samples', async () => {
    const s = await sheet('name,price,total\npear,3,=B2*2\nplum,1,=B3*2\n');
    await s.put('F10', '1,2\n3,4\n');
    expect(await s.ok('describe_sheet')).toEqual({
      sheets: [
        {
          sheet_id: s.sheet_id,
          sheet_name: 'Sheet1',
          used_range: `${s.sheet_id}$A1:G11`,
          frozen_rows: 0,
          frozen_cols: 0,
          charts: 0,
          pivot_tables: 0,
          filters: 0,
          images: 0,
          regions: [
            {
              range: `${s.sheet_id}$A1:C3`,
              row_count: 3,
              col_count: 3,
              has_header: true,
              columns: [
                { col: 0, letter: 'A', header: 'name', type: 'text', samples: ['pear', 'plum'] },
                { col: 1, letter: 'B', header: 'price', type: 'number', samples: ['3', '1'] },
                { col: 2, letter: 'C', header: 'total', type: 'number', formula: '=B2*2', samples: ['6', '2'] },
              ],
            },
            {
              range: `${s.sheet_id}$F10:G11`,
              row_count: 2,
              col_count: 2,
              has_header: false,
              columns: [
                { col: 5, letter: 'F', type: 'number', samples: ['1', '3'] },
                { col: 6, letter: 'G', type: 'number', samples: ['2', '4'] },
              ],
            },
          ],
        },
      ],
      truncated: false,
    });
  });

  test('[S113] keeps its budget', async () => {
    const s = await sheet(
      `${Array.from({ length: 200 }, (_, i) => `heading ${i}`).join(',')}\n` +
        `${Array.from({ length: 200 }, (_, i) => `some longer text number ${i}`).join(',')}\n`,
    );
    for (const max_tokens of [100, 500, 5000]) {
      const answer = await s.ok('describe_sheet', { sheet_id: undefined, max_tokens });
      expect(answer.truncated).toBe(true);
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(max_tokens * 4 + 100);
    }
    expect((await s.ok('describe_sheet', { max_tokens: 50_000 })).truncated).toBe(false);
  });

  test('[S112] all sub-sheets when none is named; an empty one has no regions', async () => {
    const s = await sheet();
    const { sheet_id } = await s.ok('add_sheet', { name: 'Two' });
    await s.ok('set_freeze', { row_count: 1, col_count: 0 });
    const { sheets, truncated } = await s.ok('describe_sheet', { sheet_id: undefined });
    const empty = { used_range: '', frozen_cols: 0, charts: 0, pivot_tables: 0, filters: 0, images: 0, regions: [] };
    expect([sheets, truncated]).toEqual([
      [
        { ...empty, sheet_id: s.sheet_id, sheet_name: 'Sheet1', frozen_rows: 1 },
        { ...empty, sheet_id, sheet_name: 'Two', frozen_rows: 0 },
      ],
      false,
    ]);
    expect(await s.call('describe_sheet', { sheet_id: 'none' })).toMatchObject({ code: 310003, data: {} });
  });
});

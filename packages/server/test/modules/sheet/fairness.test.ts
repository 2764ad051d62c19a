import { expect, test } from 'vitest';
import { startServer } from '@sheaf/tools/testing/test-server.ts';

const formulas = 1000;

test(
  '[S143] edits of a document that calculates for long let other documents through, and all are answered in order',
  { timeout: 120_000 },
  async () => {
    const server = await startServer({ database: 'sqlite' });
    try {
      const create = async (title: string) =>
        (await server.call('http', 'manage', 'create_file', { title })).data as { file_id: string; sheet_id: string };
      const set = (file: object, values: unknown[]) =>
        server.call('http', 'sheet', 'set_range_value', { ...file, values });
      const heavy = await create('heavy');
      const light = await create('light');
      await set(
        heavy,
        Array.from({ length: formulas }, (_, row) => ({ row, col: 0, value_type: 'NUMBER', number_value: row })),
      );
      await set(
        heavy,
        Array.from({ length: formulas }, (_, row) => ({
          row,
          col: 1,
          value_type: 'FORMULA',
          formula: `=SUMPRODUCT((A$1:A$${formulas}>A${row + 1})*1)`,
        })),
      );
      await set(light, [{ row: 0, col: 0, value_type: 'NUMBER', number_value: 1 }]);

      const answered: string[] = [];
      const edits = Array.from({ length: 8 }, async (_, index) => {
        const { code } = await set(heavy, [{ row: 0, col: 0, value_type: 'NUMBER', number_value: 5000 + index }]);
        answered.push(`heavy ${code}`);
      });
      const other = (async () => {
        // Sent after the others, and so behind them in any single queue.
        await new Promise((resolve) => setTimeout(resolve, 100));
        const { code } = await set(light, [{ row: 1, col: 0, value_type: 'NUMBER', number_value: 2 }]);
        answered.push(`light ${code}`);
      })();
      await Promise.all([...edits, other]);
      expect(answered.length).toBe(9);
      expect(answered.filter((one) => one === 'heavy 0').length).toBe(8);
      expect(answered.indexOf('light 0')).toBeGreaterThanOrEqual(0);
      expect(answered.indexOf('light 0')).toBeLessThan(8);

      const cell = (file: object) =>
        server.call('http', 'sheet', 'get_cell_data', {
          ...file,
          start_row: 0,
          start_col: 0,
          end_row: 1,
          end_col: 1,
          return_csv: true,
        });
      expect((await cell(light)).data).toEqual({ csv_data: '1,\n2,\n' });
      expect((await cell(heavy)).data).toMatchObject({ csv_data: expect.stringMatching(/^500\d,0\n1,999\n$/) });
      for (const file of [heavy, light])
        expect(
          (await server.call('http', 'sheet', 'validate_file_data', { file_id: file.file_id })).data,
        ).toMatchObject({ is_valid: true });
    } finally {
      await server.close();
    }
  },
);

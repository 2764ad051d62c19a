import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCell } from '@sheaf/engine';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { type ExpectedCell, xlsBooks, type XlsBook } from './xls-fixtures.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.close());

const books = xlsBooks();

test('[finding X9] there are 20 workbooks of the old kind to try', () => {
  expect(books).toHaveLength(20);
});

test.each(books)('[finding X9] an .xls file comes in with its values: $name', async ({ bytes, sheets }: XlsBook) => {
  const content = Buffer.from(bytes).toString('base64');
  const made = await server.call('http', 'manage', 'import_file', { title: 'Old', content });
  expect(made).toMatchObject({ code: 0, msg: 'success' });
  const found = made.data.sheets as { sheet_id: string; name: string }[];
  expect(found.map(({ name }) => name)).toEqual(Object.keys(sheets));
  for (const { sheet_id, name } of found) {
    const file = { file_id: made.data.file_id, sheet_id };
    for (const [address, expected] of Object.entries(sheets[name]!)) {
      const { row, col } = parseCell(address)!;
      const place = { start_row: row, start_col: col, end_row: row, end_col: col };
      const { data } = await server.call('http', 'sheet', 'get_cell_data', { ...file, ...place });
      expect(data.cells, address).toMatchObject([shown(expected)]);
      if (expected.format === undefined) continue;
      const style = await server.call('http', 'sheet', 'get_cell_style', { ...file, ...place });
      expect(style.data.cells[0], address).toMatchObject({ number_format: expected.format });
    }
    const csv = await server.call('http', 'manage', 'export_file', { ...file, format: 'csv' });
    const filled = Buffer.from(csv.data.content, 'base64')
      .toString()
      .split(/[,\r\n]+/)
      .filter((field) => field !== '');
    expect(filled).toHaveLength(Object.keys(sheets[name]!).length);
  }
});

function shown({ value, formula }: ExpectedCell): Record<string, unknown> {
  const typed =
    typeof value === 'number'
      ? { number_value: value }
      : typeof value === 'string'
        ? { string_value: value }
        : { bool_value: value };
  return { ...typed, ...(formula === undefined ? {} : { value_type: 'FORMULA', formula }) };
}

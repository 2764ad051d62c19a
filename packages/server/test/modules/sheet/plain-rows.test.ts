/** Many rows are taken without the schema and travel packed: neither may change what is accepted, refused or written. */
import { expect, test } from 'vitest';
import { parseBySchema } from '../../../src/kernel/parse-input.ts';
import { unpackRows, type PackedRows } from '../../../src/modules/sheet/cells/packed-rows.ts';
import { append_rows } from '../../../src/modules/sheet/extensions/append_rows.ts';
import { enter_cells } from '../../../src/modules/sheet/extensions/enter_cells.ts';
import { write } from '../../../src/modules/sheet/extensions/write.ts';

const count = 12_000;
const tools = [
  { tool: write, rest: { file_id: 'f', range: 'A1' } },
  { tool: append_rows, rest: { file_id: 'f' } },
  { tool: enter_cells, rest: { file_id: 'f', sheet_id: '1', start_row: 0, start_col: 0 } },
] as const;
/** What may stand in a row somewhere; some of it is refused by some of the tools. */
const rows: readonly unknown[] = [
  ['a', null, '='],
  [],
  [1, true, -2.5],
  [Infinity],
  [{}],
  ['a'.repeat(40_000)],
  ['\ud800'],
  null,
  'a',
  Array.from({ length: 20_000 }, () => 'a'),
];

async function outcome(read: () => unknown): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(tools)('[finding R16] many rows of $tool.name are exactly what the schema gives', async ({ tool, rest }) => {
  for (const row of rows) {
    const raw = { ...rest, rows: [...Array.from({ length: count }, (_, index) => [`${index}`]), row] };
    const bySchema = await outcome(() => parseBySchema(tool.input, raw));
    const parsed = await outcome(() => tool.parse!(raw));
    expect(parsed).toEqual(bySchema);
    if (typeof parsed === 'string') continue;
    const packed = (await tool.pack!(parsed as never)) as { rows: PackedRows<unknown[]> };
    expect(unpackRows(packed.rows)).toEqual(raw.rows);
  }
  const wrong = { ...rest, file_id: 5, rows: Array.from({ length: count }, () => ['a']) };
  expect(await outcome(() => tool.parse!(wrong))).toBe(await outcome(() => parseBySchema(tool.input, wrong)));
});

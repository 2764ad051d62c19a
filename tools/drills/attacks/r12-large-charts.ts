import type { Answer, Callable, Key } from '../../testing/call-client.ts';
import { newFile } from './r7-endless-calculation.ts';

interface Charted {
  readonly server: Callable;
  readonly user: Key;
  readonly file: { readonly file_id: string; readonly sheet_id: string };
}

/** Creates a document with a chart over `rows` by `cols` cells, of which only the corners are filled. */
export async function newChart(server: Callable, user: Key, rows: number, cols: number): Promise<Charted> {
  const file = await newFile(server, user);
  const at = (row: number, col: number, number_value: number): object => ({
    row,
    col,
    value_type: 'NUMBER',
    number_value,
  });
  const filled = await server.call(
    'http',
    'sheet',
    'set_range_value',
    { ...file, values: [at(0, 0, 1), at(rows - 1, cols - 1, 2)] },
    user,
  );
  if (filled.code !== 0) throw new Error(filled.msg);
  const region = { start_row: 0, start_col: 0, end_row: rows - 1, end_col: cols - 1 };
  const added = await server.call(
    'http',
    'sheet',
    'add_chart',
    { ...file, chart_type: 'CHART_LINE', data_range: region, drawing_id: 'c1' },
    user,
  );
  if (added.code !== 0) throw new Error(added.msg);
  return { server, user, file };
}

export function render({ server, user, file }: Charted, options: object = {}): Promise<Answer> {
  return server.call('http', 'sheet', 'render_chart', { ...file, drawing_id: 'c1', ...options }, user);
}

export const attack = {
  name: 'R12 charts of 20,000 x 800 and of all that is drawn',
  async run(server: Callable): Promise<void> {
    const user = await server.newUser();
    const large = await newChart(server, user, 20_000, 800);
    const most = await newChart(server, user, 78, 255);
    await Promise.all(Array.from({ length: 8 }, () => render(large, { width: 4096, height: 2048 })));
    await Promise.all(Array.from({ length: 8 }, () => render(most, { format: 'png', width: 4096, height: 2048 })));
  },
};

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';

interface Row {
  part: string;
  serial: string;
  supplier: string;
  price: string;
  stock: string;
  delivered: string;
}

const materials = ['Brass', 'Copper', 'Steel', 'Ceramic', 'Rubber', 'Carbon', 'Nylon', 'Titanium'];
const things = ['valve', 'gasket', 'bearing', 'flange', 'coupling', 'bracket', 'nozzle', 'spindle', 'bushing', 'rotor'];
const sizes = ['DN15', 'DN25', 'DN40', 'DN65', 'DN80'];
const suppliers = ['Almeida', 'Bergstrom', 'Castellani', 'Dubois', 'Eriksen', 'Fukuda', 'Gallagher'];

/** 400 rows that differ in every part, in an order that mixes their words. */
const rows: Row[] = Array.from({ length: 400 }, (_, i) => {
  const at = (i * 171) % 400;
  const month = at % 10;
  const day = 1 + (at % 27);
  return {
    part: `${materials[at % 8]} ${things[Math.floor(at / 8) % 10]} ${sizes[Math.floor(at / 80)]}`,
    serial: `SN-${52_000 + at}`,
    supplier: suppliers[(at * 3) % 7]!,
    price: `$${(1000 + at * 3.25).toLocaleString('en-US', { minimumFractionDigits: 2 })}`,
    stock: String(17 + ((at * 37) % 900)),
    delivered: `2026-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
  };
});
const columns = ['Part', 'Serial number', 'Supplier', 'Price', 'In stock', 'Delivered'] as const;
const keys = ['part', 'serial', 'supplier', 'price', 'stock', 'delivered'] as const;

interface Question {
  query: string;
  row: number;
  column: number;
}

/** Thirty questions, five of each kind, over rows from the whole sheet. */
const kinds: ((row: Row) => [query: string, column: number])[] = [
  ({ part }) => [`What is the price of the ${part.toLowerCase()}?`, 3],
  ({ part }) => [`How many ${part} do we have in stock?`, 4],
  ({ part }) => [`who is the supplier of ${part}`, 2],
  ({ part }) => [`When was the ${part} delivered?`, 5],
  ({ serial }) => [`Which part has ${serial}?`, 0],
  ({ price }) => [`which part has the price ${price.replaceAll(/[$,]/g, '')}`, 0],
];
const questions: Question[] = kinds.flatMap((ask, kind) =>
  Array.from({ length: 5 }, (_, i): Question => {
    const row = (kind * 61 + i * 83) % rows.length;
    const [query, column] = ask(rows[row]!);
    return { query, row, column };
  }),
);

describe('[finding S18] passages of spreadsheets', () => {
  let server: TestServer;
  let file: string;
  const call = async (module: string, operation: string, input: object): Promise<any> => {
    const { code, msg, data } = await server.call('http', module, operation, input);
    expect([operation, code, msg]).toEqual([operation, 0, 'success']);
    return data;
  };
  const importCsv = (title: string, lines: string[]): Promise<any> => {
    const content = Buffer.from(lines.join('\n')).toString('base64');
    return call('manage', 'import_file', { title, content, format: 'csv', value_mode: 'typed' });
  };

  beforeAll(async () => {
    server = await startServer({ database: 'sqlite' });
    const lines = rows.map((row) => keys.map((key) => `"${row[key]}"`).join(','));
    file = (await importCsv('Warehouse', [columns.join(','), ...lines])).file_id;
    // A search waits five seconds at most for the index, which a busy machine may exceed.
    await server.app.services.searchFeed.waitUntilDrained();
  });
  afterAll(() => server.close());

  test.each(questions)('"$query" is answered by the first passage, with the cell', async ({ query, row, column }) => {
    const { passages, documents } = await call('wiki', 'search_passages', { query });
    const [first] = passages;
    expect(documents[first.document]).toMatchObject({ kind: 'sheet', id: file, title: 'Warehouse' });
    const shown = first.text.replaceAll(/<\/?em>/g, '') as string;
    expect(shown.split('\n')[0]).toBe(
      'Row | A Part | B Serial number | C Supplier | D Price | E In stock | F Delivered',
    );
    const answer = shown.split('\n').find((line) => line.startsWith(`${row + 2} | `));
    expect(answer).toContain(rows[row]![keys[column]!]);
    expect([first.page, first.cell]).toEqual(['Sheet1', `Sheet1!${'ABCDEF'[column]}${row + 2}`]);
    expect(first.range).toMatch(/^Sheet1!A\d+:F\d+$/);
  });

  test('finds numbers and dates as they are shown and as they are typed', async () => {
    const { file_id: other } = await importCsv('Rates', [
      'Name,Rate,Day',
      'Plover,12.5%,"March 7, 2031"',
      'Curlew,"€ 7,004.50",x',
    ]);
    for (const query of ['12.5%', '2031-03-07', '7004.5', '7,004.50']) {
      const { passages, documents } = await call('wiki', 'search_passages', { query });
      expect([query, documents[passages[0].document].id]).toEqual([query, other]);
    }
    const { passages } = await call('wiki', 'search_passages', { query: 'plover day' });
    expect(passages[0]).toMatchObject({ cell: 'Sheet1!C2', range: 'Sheet1!A2:C3' });
    expect(passages[0].text).toContain('<em>Plover</em>');
  });

  test('follows rows that move without a change of their text', async () => {
    const moved = await importCsv('Moved', ['Name,Length', 'Dabchick,27 cm', 'Smew,41 cm']);
    const cell = async (): Promise<string> =>
      (await call('wiki', 'search_passages', { query: 'length of the smew' })).passages[0].cell;
    expect(await cell()).toBe('Sheet1!B3');
    const place = { file_id: moved.file_id, sheet_id: moved.sheets[0].sheet_id };
    await call('sheet', 'insert_dimension', { ...place, dimension_type: 'row', index: 0, count: 2 });
    expect(await cell()).toBe('Sheet1!B5');
  });

  test('rows of a workbook in a knowledge base stay whole, below their headings', async () => {
    const { knowledge_base_id: base } = await call('wiki', 'create_knowledge_base', { name: 'Files' });
    const lines = ['Bird,Wing,Weight', ...Array.from({ length: 90 }, (_, i) => `dunlin${i},${i + 100} mm,${i + 40} g`)];
    const { media_id: id } = await call('wiki', 'upload_knowledge', {
      knowledge_base_id: base,
      file_name: 'birds.csv',
      content: Buffer.from(lines.join('\n')).toString('base64'),
    });
    await call('wiki', 'get_knowledge_state', { media_ids: [id], wait_seconds: 20 });
    const { passages } = await call('wiki', 'search_passages', {
      query: 'weight of dunlin61',
      knowledge_base_id: base,
    });
    const shown = passages[0].text.replaceAll(/<\/?em>/g, '') as string;
    expect(shown.split('\n')[0]).toBe('Bird | Wing | Weight');
    expect(shown).toContain('dunlin61 | 161 mm | 101 g');
  });
});

import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { eachSurface, type Answer } from '../../support/server.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const textOf = ({ data }: Answer): string => Buffer.from(data.content as string, 'base64').toString();

eachSurface('manage', 'files in and out', (call, server) => {
  const sheet = (tool: string, input: unknown): Promise<Answer> => server().call('http', 'sheet', tool, input);

  async function imported(csv: string): Promise<{ file_id: string; sheet_id: string }> {
    const { code, msg, data } = await call('import_file', { title: 'Imported', content: base64(csv) });
    expect({ code, msg }).toEqual({ code: 0, msg: 'success' });
    return { file_id: data.file_id as string, sheet_id: data.sheets[0].sheet_id as string };
  }

  test('csv comes in as values and formulas and goes out byte for byte', async () => {
    const { file_id } = await imported('name,price\r\n"pear, ripe",3\nleek,=B2*2\n');
    const out = await call('export_file', { file_id, format: 'csv', safe: false });
    expect(out.data).toMatchObject({ file_name: 'Imported.csv', file_size: 33 });
    expect(textOf(out)).toBe('name,price\n"pear, ripe",3\nleek,6\n');
  });

  test('[T57] safe csv makes texts harmless that a program would run; raw csv leaves them', async () => {
    const { data } = await call('create_file', { title: 'Danger' });
    const texts = ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '\rx', '＝1', '-5', 'plain', '=a,"b'];
    const cells = texts.map((string_value, row) => ({ row, col: 0, value_type: 'STRING', string_value }));
    await sheet('set_range_value', { file_id: data.file_id, sheet_id: data.sheet_id, values: cells });
    const safe = textOf(await call('export_file', { file_id: data.file_id, format: 'csv' }));
    expect(safe).toBe("'=1+1\n'+cmd\n'-cmd\n'@SUM(A1)\n'\tx\n\"'\rx\"\n'＝1\n-5\nplain\n\"'=a,\"\"b\"\n");
    const raw = textOf(await call('export_file', { file_id: data.file_id, format: 'csv', safe: false }));
    expect(raw).toBe('=1+1\n+cmd\n-cmd\n@SUM(A1)\n\tx\n"\rx"\n＝1\n-5\nplain\n"=a,""b"\n');
  });

  test('a document goes out as xlsx and comes back with values, formulas, styles and merges', async () => {
    const file = await imported('name,price\npear,3\nleek,=B2*2\n');
    await sheet('set_cell_style', { ...file, start_row: 0, start_col: 0, end_row: 0, end_col: 1, format: { bold: true, bg_color: 'DDEEFF' } });
    await sheet('merge_cell', { ...file, start_row: 4, start_col: 0, end_row: 5, end_col: 1 });
    const out = await call('export_file', { file_id: file.file_id, format: 'xlsx' });
    expect(out.data.file_name).toBe('Imported.xlsx');
    const back = await call('import_file', { title: 'Back', content: out.data.content });
    expect(back).toMatchObject({ code: 0, data: { title: 'Back', warnings: [], sheets: [{ name: 'Sheet1' }] } });
    const again = { file_id: back.data.file_id, sheet_id: back.data.sheets[0].sheet_id };
    const { data } = await sheet('get_cell_data', { ...again, start_row: 2, start_col: 1, end_row: 2, end_col: 1, return_csv: false });
    expect(JSON.stringify(data)).toContain('=B2*2');
    const merged = await sheet('get_merged_cells', { ...again, start_row: 0, start_col: 0, end_row: 9, end_col: 9 });
    expect(merged.data).toEqual({ merged_cells: [`${again.sheet_id}$A5:B6`] });
    expect((await sheet('validate_file_data', { file_id: again.file_id })).data).toMatchObject({ is_valid: true });
  });

  test('large files go by PUT and by link', async () => {
    const { data } = await call('pre_import', { file_name: 'big.csv' });
    const csv = Array.from({ length: 30_000 }, (_, i) => `row ${i},${i}\n`).join('');
    expect((await call('import_file', { title: 'Early', file_key: data.file_key })).code).toBe(310004);
    expect((await fetch(data.upload_url, { method: 'PUT', body: csv })).status).toBe(200);
    expect((await fetch(data.upload_url, { method: 'PUT', body: csv })).status).toBe(409);
    const stranger = await server().newUser();
    expect((await call('import_file', { title: 'Stolen', file_key: data.file_key }, stranger)).code).toBe(310004);
    const made = await call('import_file', { title: 'Big', file_key: data.file_key });
    expect(made.code).toBe(0);
    const out = await call('export_file', { file_id: made.data.file_id, format: 'csv' });
    expect(out.data.content).toBeUndefined();
    expect(await (await fetch(out.data.url)).text()).toBe(csv);
  });

  test('a link for reading is none for writing, and a changed one is none at all', async () => {
    const { file_id } = await imported('a,b\n');
    const { data } = await call('export_file', { file_id, format: 'csv', as_link: true });
    expect((await fetch(data.url, { method: 'PUT', body: 'x' })).status).toBe(403);
    const upload = (await call('pre_import', {})).data.upload_url as string;
    expect((await fetch(upload.replace('/import_', '/import_0'), { method: 'PUT', body: 'x' })).status).toBe(403);
  });

  test('[T26] hostile files are refused whole, with a reason', async () => {
    const before = (await call('list_files', { cursor: '', limit: 50 })).data.files.length;
    const bad: [string, string | Uint8Array, RegExp][] = [
      ['not an archive', 'PK\u0003\u0004 nothing', /damaged|archive/],
      ['a cell past the last column', workbook('<row r="1"><c r="XFE1"><v>1</v></c></row>'), /XFE1/],
      ['a cell past the last row', workbook('<row r="1"><c r="A1048577"><v>1</v></c></row>'), /A1048577/],
      ['a text that is not there', workbook('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'), /text 7/],
      ['a document type', workbook('', '<!DOCTYPE x [<!ENTITY a "b">]>'), /document type/],
      ['a bomb', zipSync({ 'xl/workbook.xml': new Uint8Array(40 * 2 ** 20) }), /bomb/],
    ];
    for (const [name, content, reason] of bad) {
      const answer = await call('import_file', { title: name, content: Buffer.from(content).toString('base64') });
      expect({ name, code: [310001, 310006].includes(answer.code) }).toEqual({ name, code: true });
      expect(answer.msg).toMatch(reason);
    }
    expect((await call('list_files', { cursor: '', limit: 50 })).data.files).toHaveLength(before);
  });

  test('exactly one of content and file_key; strangers export nothing', async () => {
    expect((await call('import_file', { title: 'T' })).code).toBe(310001);
    expect((await call('import_file', { title: 'T', content: 'YQ==', file_key: 'imports/a/b' })).code).toBe(310001);
    const { file_id } = await imported('a,b\n');
    expect((await call('export_file', { file_id, format: 'xlsx' }, await server().newUser())).code).toBe(310002);
    expect((await call('export_file', { file_id, format: 'csv', sheet_id: 'nope' })).code).toBe(310003);
  });

  test('a chart is drawn from the document', async () => {
    const file = await imported('city,high\nAyr,9\nBonn,8\n');
    await sheet('add_chart', { ...file, chart_type: 'CHART_CLUSTERED_COLUMN', data_range: { start_row: 0, start_col: 0, end_row: 2, end_col: 1 }, drawing_id: 'c1', title: 'Weather <1>' });
    const svg = await sheet('render_chart', { ...file, drawing_id: 'c1' });
    expect(svg.data).toMatchObject({ content_type: 'image/svg+xml', width: 480, height: 300 });
    expect(svg.data.content).toContain('>Weather &lt;1&gt;</text>');
    const png = await sheet('render_chart', { ...file, drawing_id: 'c1', format: 'png', width: 200, height: 100 });
    const bytes = Buffer.from(png.data.content as string, 'base64');
    expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(['PNG', 200, 100]);
    expect((await sheet('render_chart', { ...file, drawing_id: 'none' })).code).toBe(310004);
  });
});

/** The smallest workbook with these rows. */
function workbook(rows: string, before = ''): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relation = (id: string, kind: string, target: string): string => `<Relationships><Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/></Relationships>`;
  return zipSync({
    '_rels/.rels': strToU8(relation('a', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': strToU8(`<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="b"/></sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8(relation('b', 'worksheet', 'worksheets/sheet1.xml')),
    'xl/worksheets/sheet1.xml': strToU8(`${before}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`),
  });
}

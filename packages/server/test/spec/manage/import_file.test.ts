import { strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { fullFeatureWorkbook } from '@sheaf/tools/testing/xlsx/full-feature-workbook.ts';
import { base64, onOperation, refused } from './support.ts';

onOperation('import_file', ({ call, server, sheet }) => {
  test('[M10] csv comes in as values and formulas; the answer tells the sub-sheets', async () => {
    const made = await call('import_file', {
      title: 'Imported',
      content: base64('name,price\r\n"pear, ripe",3\nleek,=B2*2\n'),
    });
    const { file_id, sheets } = made.data;
    expect(made).toEqual({
      code: 0,
      msg: 'success',
      data: {
        file_id: expect.stringMatching(/^doc_/),
        task_id: file_id,
        title: 'Imported',
        url: `${server().url}/sheet/${file_id}`,
        sheets: [{ sheet_id: expect.any(String), name: 'Sheet1' }],
        warnings: [],
      },
    });
    const { data } = await sheet('get_cell_data', {
      file_id,
      sheet_id: sheets[0].sheet_id,
      start_row: 1,
      start_col: 0,
      end_row: 2,
      end_col: 1,
    });
    expect(data.cells).toEqual([
      { row: 1, col: 0, value_type: 'STRING', string_value: 'pear, ripe' },
      { row: 1, col: 1, value_type: 'NUMBER', number_value: 3 },
      { row: 2, col: 0, value_type: 'STRING', string_value: 'leek' },
      { row: 2, col: 1, value_type: 'FORMULA', number_value: 6, formula: '=B2*2' },
    ]);
  });

  test('[M10] xlsx comes back as it went out: values, formulas, styles, merges', async () => {
    const { data: made } = await call('import_file', {
      title: 'Out',
      content: base64('name,price\npear,3\nleek,=B2*2\n'),
    });
    const file = { file_id: made.file_id, sheet_id: made.sheets[0].sheet_id };
    await sheet('set_cell_style', {
      ...file,
      start_row: 0,
      start_col: 0,
      end_row: 0,
      end_col: 1,
      format: { bold: true, bg_color: 'DDEEFF' },
    });
    await sheet('merge_cell', { ...file, start_row: 4, start_col: 0, end_row: 5, end_col: 1 });
    const out = await call('export_file', { file_id: file.file_id, format: 'xlsx' });
    const back = await call('import_file', { title: 'Back', content: out.data.content });
    expect(back).toMatchObject({ code: 0, data: { title: 'Back', warnings: [], sheets: [{ name: 'Sheet1' }] } });
    const again = { file_id: back.data.file_id, sheet_id: back.data.sheets[0].sheet_id };
    const cell = { start_row: 2, start_col: 1, end_row: 2, end_col: 1 };
    expect((await sheet('get_cell_data', { ...again, ...cell })).data.cells).toEqual([
      { row: 2, col: 1, value_type: 'FORMULA', number_value: 6, formula: '=B2*2' },
    ]);
    expect(
      (await sheet('get_cell_style', { ...again, start_row: 0, start_col: 0, end_row: 0, end_col: 0 })).data.cells[0]
        .background_color,
    ).toBe('FFDDEEFF');
    expect(
      (await sheet('get_merged_cells', { ...again, start_row: 0, start_col: 0, end_row: 9, end_col: 9 })).data,
    ).toEqual({ merged_cells: [`${again.sheet_id}$A5:B6`] });
    expect((await sheet('validate_file_data', { file_id: again.file_id })).data).toMatchObject({ is_valid: true });
  });

  test('[M10] exactly one of content and file_key; what the file is is read from its bytes', async () => {
    const one = 'content: send exactly one of content and file_key';
    expect(await call('import_file', { title: 'T' })).toEqual(refused(310001, one));
    expect(await call('import_file', { title: 'T', content: 'YQ==', file_key: 'imports/a/b' })).toEqual(
      refused(310001, one),
    );
    expect(await call('import_file', { title: 'T', content: base64('a,b\n'), format: 'xlsx' })).toEqual(
      refused(310001, 'format: is xlsx, but the file is not an .xlsx file'),
    );
    expect(await call('import_file', { title: 'T', content: base64('PK\u0003\u0004'), format: 'csv' })).toEqual(
      refused(310001, 'format: is csv, but the file is an archive'),
    );
    expect(await call('import_file', { title: 'T', content: '***' })).toEqual(
      refused(310001, 'content: must be base64'),
    );
    expect(
      await call('import_file', { title: 'T', content: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]).toString('base64') }),
    ).toMatchObject({ code: 310001, data: {} });
    expect(await call('import_file', { content: 'YQ==' })).toEqual(refused(310001, 'title: is required'));
  });

  test('[M10][finding X22] an OpenDocument spreadsheet comes in with values and formulas', async () => {
    const content = openDocument(
      '<table:table-cell office:value-type="float" office:value="3"/>' +
        '<table:table-cell table:formula="of:=[.A1]*2" office:value-type="float" office:value="6"/>',
    );
    const made = await call('import_file', { title: 'Open', content: Buffer.from(content).toString('base64') });
    expect(made).toMatchObject({ code: 0, data: { sheets: [{ name: 'Fruit' }] } });
    expect(made.data.warnings.join()).toMatch(/^of an \.ods file/);
    const place = { start_row: 0, start_col: 1, end_row: 0, end_col: 1 };
    const file = { file_id: made.data.file_id, sheet_id: made.data.sheets[0].sheet_id };
    expect((await sheet('get_cell_data', { ...file, ...place })).data.cells).toEqual([
      { row: 0, col: 1, value_type: 'FORMULA', number_value: 6, formula: '=A1*2' },
    ]);
    expect(
      await call('import_file', { title: 'T', content: Buffer.from(content).toString('base64'), format: 'xlsb' }),
    ).toEqual(refused(310001, 'format: is xlsb, but the file is not an .xlsb file'));
  });

  test('[M10][T26] hostile files are refused whole, with a reason', async () => {
    const me = await server().newUser();
    const bad: [string, string | Uint8Array, RegExp][] = [
      ['not an archive', 'PK\u0003\u0004 nothing', /damaged|archive/],
      ['a cell past the last column', workbook('<row r="1"><c r="XFE1"><v>1</v></c></row>'), /XFE1/],
      ['a cell past the last row', workbook('<row r="1"><c r="A1048577"><v>1</v></c></row>'), /A1048577/],
      ['a text that is not there', workbook('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'), /text 7/],
      ['a document type', workbook('', '<!DOCTYPE x [<!ENTITY a "b">]>'), /document type/],
      ['a bomb', zipSync({ 'xl/workbook.xml': new Uint8Array(40 * 2 ** 20) }), /bomb/],
    ];
    for (const [name, content, reason] of bad) {
      const answer = await call('import_file', { title: name, content: Buffer.from(content).toString('base64') }, me);
      expect({ name, code: [310001, 310006].includes(answer.code) }).toEqual({ name, code: true });
      expect(answer.msg).toMatch(reason);
    }
    expect((await call('list_files', { cursor: '', limit: 50 }, me)).data.files).toEqual([]);
  });

  test('[M10][finding X4][finding X8] what came in goes out over the product, a copy in between', async () => {
    const me = await server().newUser();
    const content = Buffer.from(fullFeatureWorkbook()).toString('base64');
    const made = await call('import_file', { title: 'All', content }, me);
    expect(made.code).toBe(0);
    expect(made.data.warnings.filter((one: string) => one.includes('macros'))).toHaveLength(1);
    const copy = await call('copy_file', { file_id: made.data.file_id }, me);
    const out = await call('export_file', { file_id: copy.data.file_id, format: 'xlsx' }, me);
    const parts = unzipSync(Buffer.from(out.data.content, 'base64'));
    const part = (name: string): string => new TextDecoder().decode(parts[name]);
    expect(part('xl/worksheets/sheet1.xml')).toContain('<conditionalFormatting sqref="B2:B12">');
    expect(part('docProps/core.xml')).toContain('Prices');
    const csv = { title: 'Days', content: base64('2024-01-01,$5\n'), value_mode: 'typed' };
    const typed = await call('import_file', csv, me);
    const back = await call('export_file', { file_id: typed.data.file_id, format: 'csv' }, me);
    expect(Buffer.from(back.data.content, 'base64').toString()).toMatch(/^2024-01-01,5\r?\n?$/);
    expect(await call('import_file', { ...csv, content }, me)).toEqual(
      refused(310001, 'value_mode: is for csv files only (the file is xlsx)'),
    );
  });
});

/** The smallest workbook with these rows. */
function workbook(rows: string, before = ''): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationships><Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/></Relationships>`;
  return zipSync({
    '_rels/.rels': strToU8(relation('a', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="b"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(relation('b', 'worksheet', 'worksheets/sheet1.xml')),
    'xl/worksheets/sheet1.xml': strToU8(
      `${before}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    ),
  });
}

function openDocument(cells: string): Uint8Array {
  const namespaces = ['office', 'table', 'text']
    .map((name) => ` xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join('');
  const table = `<table:table table:name="Fruit"><table:table-row>${cells}</table:table-row></table:table>`;
  const content =
    `<office:document-content${namespaces}><office:body><office:spreadsheet>${table}</office:spreadsheet></office:body>` +
    '</office:document-content>';
  return zipSync({ 'content.xml': strToU8(content), 'META-INF/manifest.xml': strToU8('<manifest/>') });
}

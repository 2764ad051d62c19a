import { utils, write } from '@e965/xlsx';
import { unzipSync, strFromU8 } from 'fflate';
import { expect, test } from 'vitest';
import {
  edit,
  isFailure,
  rebuild,
  loadSnapshot,
  encodeSnapshot,
  type SheetDocument,
  deleteDimension,
  insertDimension,
  moveLines,
  type Mutation,
  permuteRows,
  renameSheet,
  deleteSheet,
  setStyle,
} from '@sheaf/engine';
import { readCsvDocument } from '@sheaf/server/modules/sheet/host/csv-file.ts';
import { convertToXlsx } from '../../src/xls/convert-workbook.ts';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { features } from './conformance/features.ts';
import { examine } from './conformance/run.ts';
import { chartXml, fullFeatureWorkbook, chartSeries } from '@sheaf/tools/testing/xlsx/full-feature-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

const report = examine('everything.xlsx', fullFeatureWorkbook());

test.each(features.map(({ name }) => name))('[finding X4] %s is kept from import to export', (name) => {
  expect(report.features[name]!.lost).toEqual([]);
  expect(report.features[name]!.verdict).toBe('kept');
});

test('[finding X4] macros are left out with a warning', () => {
  expect(report.features['macros']!.verdict).toBe('warned');
  expect(report.warnings.filter((one) => one.includes('macros'))).toHaveLength(1);
});

test('[finding X4] a second import finds what the first did', () => {
  expect(report.again).toEqual([]);
});

/** The parts of the file that a document is written as. */
function written(document: SheetDocument): Record<string, string> {
  return Object.fromEntries(
    Object.entries(unzipSync(writeXlsx(document, { at: new Date(0) }))).map(([name, bytes]) => [
      name,
      strFromU8(bytes),
    ]),
  );
}

function sheetOf(document: SheetDocument, name: string): string {
  return document.byName(name)!.id;
}

/** Applies, checks that undoing gives the same bytes, applies again. */
function changed(document: SheetDocument, ...mutations: Mutation[]): void {
  const before = encodeSnapshot(document);
  const { inverse } = edit(document, mutations);
  edit(document, inverse);
  expect(Buffer.compare(encodeSnapshot(document), before)).toBe(0);
  edit(document, mutations);
}

test('[finding X4] rules, validations, comments, tables, breaks, areas and shapes follow inserted rows and columns', () => {
  const { document } = readTestWorkbook(fullFeatureWorkbook());
  const data = sheetOf(document, 'Data');
  changed(document, insertDimension.of({ sheet: data, axis: 'row', at: 1, count: 2 }));
  changed(document, insertDimension.of({ sheet: data, axis: 'col', at: 0, count: 1 }));
  const parts = written(document);
  const sheet = parts['xl/worksheets/sheet1.xml']!;
  expect(sheet).toContain('<conditionalFormatting sqref="C4:C14">');
  expect(sheet).toContain('<formula>$C4&gt;Lists!$A$2</formula>');
  expect(sheet).toContain('sqref="B4:B14"><formula1>Lists!$A$1:$A$3</formula1>');
  expect(sheet).toContain('sqref="C4:C14 F4"');
  expect(sheet).toContain('<brk id="8" max="16383" man="1"/>');
  expect(sheet).toContain('<brk id="4" max="1048575" man="1"/>');
  expect(sheet).toContain('<xm:sqref>D4:D14</xm:sqref>');
  expect(parts['xl/comments1.xml']).toContain('ref="C5"');
  expect(parts['xl/threadedComments/threadedComment1.xml']).toContain('ref="C6"');
  expect(parts['xl/tables/table1.xml']).toContain('ref="B1:D14"');
  expect(parts['xl/workbook.xml']).toContain('Data!$B$1:$D$14');
  expect(parts['xl/drawings/drawing1.xml']).toContain(
    '<xdr:col>5</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>5</xdr:row>',
  );
});

test('[finding X4] deleted, moved and sorted rows take along what is said of them', () => {
  const { document } = readTestWorkbook(fullFeatureWorkbook());
  const data = sheetOf(document, 'Data');
  changed(document, permuteRows.of({ sheet: data, region: [1, 0, 4, 2], order: [3, 2, 1, 0] }));
  expect(written(document)['xl/comments1.xml']).toContain('ref="B4"');
  changed(document, moveLines.of({ sheet: data, axis: 'row', from: 3, count: 1, to: 6 }));
  expect(written(document)['xl/comments1.xml']).toContain('ref="B6"');
  changed(document, deleteDimension.of({ sheet: data, axis: 'row', at: 5, count: 1 }));
  expect(written(document)['xl/comments1.xml']).not.toContain('too low');
  changed(document, deleteDimension.of({ sheet: data, axis: 'col', at: 1, count: 1 }));
  const sheet = written(document)['xl/worksheets/sheet1.xml']!;
  expect(sheet).not.toContain('<conditionalFormatting');
  expect(sheet).toContain('sqref="D2"');
  expect(written(document)['xl/tables/table1.xml']).toContain(
    '<tableColumns count="2"><tableColumn id="1" name="Item"/><tableColumn id="3" name="Count">',
  );
});

test('[finding X4] formulas of rules follow the sheets they speak of: edited, renamed, deleted', () => {
  const { document } = readTestWorkbook(fullFeatureWorkbook());
  const lists = sheetOf(document, 'Lists');
  changed(document, insertDimension.of({ sheet: lists, axis: 'row', at: 1, count: 5 }));
  expect(written(document)['xl/worksheets/sheet1.xml']).toContain('<formula>$B2&gt;Lists!$A$7</formula>');
  changed(document, renameSheet.of({ sheet: lists, name: 'My lists' }));
  expect(written(document)['xl/worksheets/sheet1.xml']).toContain("<formula1>'My lists'!$A$1:$A$8</formula1>");
  changed(document, deleteSheet.of({ sheet: lists }));
  expect(written(document)['xl/worksheets/sheet1.xml']).toContain('<formula>$B2&gt;#REF!</formula>');
});

test('[finding X4] what is kept is in snapshots, and a log over it rebuilds', () => {
  const { document } = readTestWorkbook(fullFeatureWorkbook());
  const bytes = encodeSnapshot(document);
  expect(Buffer.compare(encodeSnapshot(loadSnapshot(bytes)), bytes)).toBe(0);
  const mutations = [insertDimension.of({ sheet: sheetOf(document, 'Data'), axis: 'row', at: 3, count: 1 })];
  edit(document, mutations, { now: 1, seed: 1 });
  const rebuilt = rebuild({
    snapshot: { version: 0, bytes },
    revisions: [{ version: 1, mutations, now: 1, seed: 1 }],
  });
  if (isFailure(rebuilt)) throw new Error(rebuilt.message);
  expect(Buffer.compare(encodeSnapshot(rebuilt.document), encodeSnapshot(document))).toBe(0);
});

test('[finding X4] a color that is set takes the place of a pattern', () => {
  const { document } = readTestWorkbook(fullFeatureWorkbook());
  const data = sheetOf(document, 'Data');
  expect(document.style(document.byName('Data')!, 1, 0).fill).toContain('lightTrellis');
  changed(document, setStyle.of({ sheet: data, region: [1, 0, 1, 0], set: { bgColor: 'FF112233' } }));
  expect(document.style(document.byName('Data')!, 1, 0)).toEqual({ bgColor: 'FF112233' });
});

test('[finding X5] charts stay on their sheet with type, title and series, and draw the data of another', () => {
  const { document } = readTestWorkbook(fullFeatureWorkbook());
  const lists = document.byName('Lists')!;
  expect(lists.charts.map(({ type, title }) => [type, title])).toEqual([
    ['CHART_PERCENT_STACKED_BAR', 'Shares'],
    ['CHART_DOUGHNUT', 'Ring'],
  ]);
  expect(lists.charts.map((one) => one.dataSheet)).toEqual([sheetOf(document, 'Data'), sheetOf(document, 'Data')]);
  expect(report.features['charts']).toEqual({ verdict: 'kept', found: 2, lost: [] });
  changed(document, insertDimension.of({ sheet: sheetOf(document, 'Data'), axis: 'row', at: 1, count: 1 }));
  expect(document.byName('Lists')!.charts[0]!.region).toEqual([0, 0, 12, 2]);
  expect(written(document)['xl/charts/chart1.xml']).toContain('<c:f>Data!$C$3:$C$13</c:f>');
});

test('[finding X5] series that are no neighbors, or in another order, stay what they are', () => {
  const line =
    `<c:lineChart><c:grouping val="standard"/>${chartSeries(0, 'Data!$C$1', 'Data!$A$2:$A$4', 'Data!$C$2:$C$4')}` +
    `${chartSeries(1, 'Data!$B$1', 'Data!$A$2:$A$4', 'Data!$B$2:$B$4')}<c:axId val="1"/><c:axId val="2"/></c:lineChart>`;
  const { document } = readTestWorkbook(fullFeatureWorkbook({ 'xl/charts/chart2.xml': chartXml(line, 'Turned') }));
  const chart = document.byName('Lists')!.charts[1]!;
  expect(chart.series).toEqual([
    { name: [0, 2, 0, 2], labels: [1, 0, 3, 0], values: [1, 2, 3, 2] },
    { name: [0, 1, 0, 1], labels: [1, 0, 3, 0], values: [1, 1, 3, 1] },
  ]);
});

test('[finding X5] a chart that is not drawn here is kept with a warning', () => {
  const surface =
    '<c:surfaceChart><c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numRef><c:f>Data!$B$2:$B$4</c:f></c:numRef></c:val></c:ser></c:surfaceChart>';
  const changedReport = examine('surface', fullFeatureWorkbook({ 'xl/charts/chart1.xml': chartXml(surface, 'Hills') }));
  expect(changedReport.features['charts']!.found).toBe(2);
  expect(changedReport.warnings.filter((one) => one.startsWith("a chart on 'Lists'"))).toHaveLength(1);
  const { document } = readTestWorkbook(fullFeatureWorkbook({ 'xl/charts/chart1.xml': chartXml(surface, 'Hills') }));
  edit(document, [insertDimension.of({ sheet: sheetOf(document, 'Data'), axis: 'row', at: 0, count: 1 })]);
  expect(Object.values(written(document)).some((xml) => xml.includes('<c:f>Data!$B$3:$B$5</c:f>'))).toBe(true);
});

test('[finding X6] the font and the sizes of cells without a style are those of the file', () => {
  const { document } = readTestWorkbook(fullFeatureWorkbook());
  expect(document.kept?.font).toEqual({ fontFamily: 'Arial', fontSize: 10 });
  expect(document.byName('Data')!.setup).toMatchObject({ colWidth: 89, rowHeight: 18 });
  const parts = written(document);
  expect(parts['xl/styles.xml']).toMatch(/<fonts count="\d+"><font><sz val="10"\/><name val="Arial"\/><\/font>/);
  expect(parts['xl/styles.xml']).toContain('<font><b/><sz val="10"/><name val="Arial"/>');
  expect(parts['xl/worksheets/sheet1.xml']).toContain(
    '<sheetFormatPr baseColWidth="10" defaultColWidth="12.7109375" defaultRowHeight="18"',
  );
});

test('[finding X7] names of a sheet after a chart sheet belong to that sheet', () => {
  const { document } = readTestWorkbook(fullFeatureWorkbook());
  const local = document.names().find((one) => one.name === 'local');
  expect(local).toEqual({ name: 'local', sheet: sheetOf(document, 'Lists'), formula: '=Lists!$A$2' });
  expect(written(document)['xl/workbook.xml']).toContain(
    '<definedName name="local" localSheetId="2">Lists!$A$2</definedName>',
  );
});

/** A workbook of one sheet with the text of its part. */
function one(sheet: string, workbook = ''): Uint8Array {
  const parts = workbookParts({ Data: sheet });
  return zipped({
    ...parts,
    'xl/workbook.xml': (parts['xl/workbook.xml'] as string).replace('<sheets>', `${workbook}<sheets>`),
  });
}

const numbers = (hidden: readonly number[]): string =>
  ['item', 5, 20, 30, 8]
    .map((value, i) => {
      const cell =
        typeof value === 'number'
          ? `<c r="A${i + 1}"><v>${value}</v></c>`
          : `<c r="A${i + 1}" t="str"><v>${value}</v></c>`;
      return `<row r="${i + 1}"${hidden.includes(i + 1) ? ' hidden="1"' : ''}>${cell}${i === 0 ? '<c r="C1"><f>SUBTOTAL(9,A2:A5)</f><v>50</v></c>' : ''}</row>`;
    })
    .join('');

test('[finding X7] rows that a condition hides are hidden by the filter: SUBTOTAL leaves them out', () => {
  const rule = '<customFilters><customFilter operator="greaterThan" val="10"/></customFilters>';
  const sheet =
    `<worksheet><sheetData>${numbers([2, 5])}</sheetData>` +
    `<autoFilter ref="A1:A5"><filterColumn colId="0">${rule}</filterColumn></autoFilter></worksheet>`;
  const { document } = readTestWorkbook(one(sheet));
  const sub = document.subSheets[0]!;
  expect(document.value(sub, 0, 2)).toBe(50);
  expect(sub.filters[0]).toMatchObject({
    hidden: [
      [1, 1],
      [4, 4],
    ],
    columns: [{ col: 0, visible: ['20', '30'] }],
  });
  expect(sub.hiddenRows.list()).toEqual([]);
  expect(written(document)['xl/worksheets/sheet1.xml']).toContain(`<filterColumn colId="0">${rule}</filterColumn>`);
});

test('[finding X7] links to names are kept', () => {
  const sheet =
    '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>' +
    '<hyperlinks><hyperlink ref="A1" location="Totals"/></hyperlinks></worksheet>';
  const { document, warnings } = readTestWorkbook(one(sheet));
  expect(warnings).toEqual([]);
  expect(document.subSheets[0]!.links.get(0, 0)!.url).toBe('#Totals');
  expect(written(document)['xl/worksheets/sheet1.xml']).toContain('location="Totals"');
});

test('[finding X7] values under merges are kept, and formulas that read them agree', () => {
  const sheet =
    '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="D1"><f>SUM(A1:B1)</f><v>3</v></c></row></sheetData>' +
    '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells></worksheet>';
  const { document } = readTestWorkbook(one(sheet));
  expect(document.value(document.subSheets[0]!, 0, 1)).toBe(2);
  expect(document.value(document.subSheets[0]!, 0, 3)).toBe(3);
  expect(examine('merge', one(sheet)).formulas).toMatchObject({ agree: 1, differ: 0 });
});

test('[finding X7] dates counted from 1904 are the same days', () => {
  const sheet =
    '<worksheet><sheetData><row r="1"><c r="A1" s="1"><v>100</v></c><c r="B1" s="1"><f>A1+1</f><v>101</v>' +
    '</c><c r="C1"><f>YEAR(A1)</f><v>1904</v></c></row></sheetData></worksheet>';
  const parts = {
    'xl/styles.xml':
      '<styleSheet><fonts count="1"><font/></fonts><cellXfs count="2"><xf/><xf numFmtId="14"/></cellXfs></styleSheet>',
  };
  const base = workbookParts({ Data: sheet }, [['rId9', 'styles', 'styles.xml']]);
  const { document } = readTestWorkbook(
    zipped({
      ...base,
      ...parts,
      'xl/workbook.xml': (base['xl/workbook.xml'] as string).replace('<sheets>', '<workbookPr date1904="1"/><sheets>'),
    }),
  );
  const sub = document.subSheets[0]!;
  expect([document.text(sub, 0, 0), document.text(sub, 0, 1), document.value(sub, 0, 2)]).toEqual([
    '4/10/1904',
    '4/11/1904',
    1904,
  ]);
  const again = readTestWorkbook(writeXlsx(document)).document;
  expect(again.text(again.subSheets[0]!, 0, 0)).toBe('4/10/1904');
});

test('[finding X7] an .xls file is read', async () => {
  const made = utils.book_new();
  utils.book_append_sheet(
    made,
    utils.aoa_to_sheet([
      ['item', 'price'],
      ['pear', 3],
      ['plum', 4.5],
    ]),
    'Fruit',
  );
  made.Sheets['Fruit']!['B4'] = { t: 'n', v: 7.5, f: 'SUM(B2:B3)' };
  made.Sheets['Fruit']!['!ref'] = 'A1:B4';
  const bytes = write(made, { type: 'array', bookType: 'biff8' }) as ArrayBuffer;
  const { bytes: xlsx, warnings } = await convertToXlsx(new Uint8Array(bytes));
  const { document } = readTestWorkbook(xlsx);
  const sub = document.byName('Fruit')!;
  expect([document.value(sub, 1, 0), document.value(sub, 2, 1)]).toEqual(['pear', 4.5]);
  expect(document.value(sub, 3, 1)).toBe(7.5);
  expect(warnings).toEqual([]);
});

test('[finding X8] fields of a csv are read as typing reads them when asked', () => {
  const csv = 'day,share,cost\n2024-01-01,12.5%,"$1,234.50"\n';
  const raw = readCsvDocument(csv, 's1', 45_000, 1e6).document;
  expect(raw.value(raw.subSheets[0]!, 1, 0)).toBe('2024-01-01');
  const { document } = readCsvDocument(csv, 's1', 45_000, 1e6, true);
  const sub = document.subSheets[0]!;
  expect([0, 1, 2].map((col) => document.value(sub, 1, col))).toEqual([45292, 0.125, 1234.5]);
  expect([0, 1, 2].map((col) => document.text(sub, 1, col))).toEqual(['2024-01-01', '12.5%', '$1,234.50']);
});

test('a filter shows the texts that its list has in another letter case', () => {
  const text = (row: number, value: string): string =>
    `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>${value}</t></is></c></row>`;
  const values = ['Fruit', 'Apple', 'APPLE', 'pear', 'Plum'].map((value, i) => text(i + 1, value)).join('');
  const listed = '<filters><filter val="apple"/><filter val="Pear"/></filters>';
  const sheet =
    `<worksheet><sheetData>${values}</sheetData>` +
    `<autoFilter ref="A1:A5"><filterColumn colId="0">${listed}</filterColumn></autoFilter></worksheet>`;
  const { document } = readTestWorkbook(one(sheet));
  expect(document.subSheets[0]!.filters[0]!.hidden).toEqual([[4, 4]]);
  expect(written(document)['xl/worksheets/sheet1.xml']).toContain(`<filterColumn colId="0">${listed}</filterColumn>`);
});

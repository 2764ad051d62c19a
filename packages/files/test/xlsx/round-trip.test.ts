import { read as readWithSheetJs } from '@e965/xlsx';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import {
  columnName,
  addSheet,
  defineName,
  merge,
  putChart,
  putImage,
  putProtect,
  setBorder,
  setFilter,
  setFreeze,
  setLink,
  setRangeBlock,
  setSize,
  setStyle,
  setVisible,
  loadSnapshot,
  encodeSnapshot,
} from '@sheaf/engine';
import { chartTypes } from '@sheaf/charts/chart-types';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { documentOf, png, readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';

const table = setRangeBlock.of({
  sheet: 'one',
  row: 0,
  col: 0,
  rows: [
    ['name', 'price', 'count', 'total', 'ok'],
    ['pear & <plum>', 1.5, 4, { formula: '=B2*C2' }, true],
    ['  lines\nand "quotes" _x000D_ \u0007', -2e-7, 3, { formula: '=B3*C3' }, false],
    ['梨', 12345678.125, 2, { formula: '=SUM(D2:D3)' }, { error: '#N/A' }],
    [
      { formula: '="a"&"<b>"' },
      { formula: '=1/0' },
      { formula: '=B2>1' },
      { formula: '=XLOOKUP("梨",A2:A4,C2:C4)' },
      null,
    ],
  ],
});

test('values of every kind come back', () => {
  const { document, warnings } = readTestWorkbook(writeXlsx(documentOf(table)));
  const sub = document.subSheets[0]!;
  expect(warnings).toEqual([]);
  expect(sub.name).toBe('Sheet1');
  expect(document.value(sub, 1, 0)).toBe('pear & <plum>');
  expect(document.value(sub, 2, 0)).toBe('  lines\nand "quotes" _x000D_ \u0007');
  expect(document.value(sub, 3, 0)).toBe('梨');
  expect(document.value(sub, 2, 1)).toBe(-2e-7);
  expect(document.value(sub, 3, 1)).toBe(12345678.125);
  expect(document.value(sub, 1, 4)).toBe(true);
  expect(document.value(sub, 2, 4)).toBe(false);
  expect(String(document.value(sub, 3, 4))).toBe('#N/A');
  expect(document.value(sub, 4, 4)).toBe(null);
});

test('formulas come back as text and value', () => {
  const { document } = readTestWorkbook(writeXlsx(documentOf(table)));
  const sub = document.subSheets[0]!;
  expect(document.formula(sub, 1, 3)).toBe('=B2*C2');
  expect(document.value(sub, 1, 3)).toBe(6);
  expect(document.formula(sub, 4, 0)).toBe('="a"&"<b>"');
  expect(document.value(sub, 4, 0)).toBe('a<b>');
  expect(document.formula(sub, 4, 3)).toBe('=XLOOKUP("梨",A2:A4,C2:C4)');
  expect(document.value(sub, 4, 3)).toBe(2);
  expect(String(document.value(sub, 4, 1))).toBe('#DIV/0!');
});

test('an array spills again, and a formula over ranges keeps its meaning', () => {
  const made = documentOf(
    setRangeBlock.of({
      sheet: 'one',
      row: 0,
      col: 0,
      rows: [
        [1, 4, { formula: '=A1:A3*2' }, { formula: '=SUM(A1:A3*B1:B3)' }],
        [2, 5],
        [3, 6],
      ],
    }),
  );
  const { document } = readTestWorkbook(writeXlsx(made));
  const sub = document.subSheets[0]!;
  expect([0, 1, 2].map((row) => document.value(sub, row, 2))).toEqual([2, 4, 6]);
  expect(document.formula(sub, 1, 2)).toBeUndefined();
  expect(document.value(sub, 0, 3)).toBe(32);
});

test('another library reads the same values, formulas and merges', () => {
  const made = documentOf(table, merge.of({ sheet: 'one', regions: [[6, 0, 7, 2]] }));
  const book = readWithSheetJs(writeXlsx(made));
  const sheet = book.Sheets['Sheet1']!;
  expect(book.SheetNames).toEqual(['Sheet1']);
  expect(sheet['A2'].v).toBe('pear & <plum>');
  expect(sheet['A4'].v).toBe('梨');
  expect(sheet['B4'].v).toBe(12345678.125);
  expect(sheet['D2']).toMatchObject({ v: 6, f: 'B2*C2' });
  expect(sheet['E2'].v).toBe(true);
  expect(sheet['E4'].w).toBe('#N/A');
  expect(sheet['!merges']).toEqual([{ s: { r: 6, c: 0 }, e: { r: 7, c: 2 } }]);
});

test('styles, borders, number formats, also of whole columns and blank cells', () => {
  const made = documentOf(
    table,
    setStyle.of({
      sheet: 'one',
      region: [0, 0, 0, 4],
      set: {
        bold: true,
        italic: true,
        fontColor: 'FF112233',
        bgColor: 'FFDDEEFF',
        fontSize: 14,
        fontFamily: 'Arial',
        horizontalAlign: 'center',
        verticalAlign: 'top',
        wrapText: true,
        underline: 'double',
        strikeThrough: true,
      },
    }),
    setStyle.of({ sheet: 'one', region: [1, 1, 3, 1], set: { numberFormat: '#,##0.00 "€"' } }),
    setStyle.of({ sheet: 'one', region: [0, 9, 199, 9], set: { bgColor: 'FF00FF00' } }),
    setStyle.of({ sheet: 'one', region: [10, 6, 12, 6], set: { bgColor: 'FFFF0000' } }),
    setBorder.of({ sheet: 'one', region: [1, 0, 2, 1], top: 'thin:FF0000', bottom: 'double:000000' }),
  );
  const { document } = readTestWorkbook(writeXlsx(made));
  const sub = document.subSheets[0]!;
  expect(document.style(sub, 0, 0)).toEqual({
    bold: true,
    italic: true,
    fontFamily: 'Arial',
    fontSize: 14,
    fontColor: 'FF112233',
    bgColor: 'FFDDEEFF',
    horizontalAlign: 'center',
    verticalAlign: 'top',
    wrapText: true,
    strikeThrough: true,
    underline: 'double',
  });
  expect(document.style(sub, 3, 1)).toEqual({ numberFormat: '#,##0.00 "€"' });
  expect(document.text(sub, 3, 1)).toBe('12,345,678.13 €');
  expect(document.style(sub, 150, 9)).toEqual({ bgColor: 'FF00FF00' });
  expect(document.style(sub, 11, 6)).toEqual({ bgColor: 'FFFF0000' });
  expect(document.style(sub, 13, 6)).toEqual({});
  expect(document.style(sub, 1, 0)).toEqual({ borderTop: 'thin:FF0000' });
  expect(document.style(sub, 2, 1)).toEqual({ numberFormat: '#,##0.00 "€"', borderBottom: 'double:000000' });
});

test('merges, sizes, freeze, hidden rows and columns, links, names', () => {
  const made = documentOf(
    table,
    addSheet.of({ sheet: 'two', name: "It's 2" }),
    merge.of({ sheet: 'one', regions: [[6, 0, 7, 2]] }),
    setSize.of({ sheet: 'one', axis: 'row', runs: [[1, 2, 40]] }),
    setSize.of({ sheet: 'one', axis: 'col', runs: [[0, 0, 123]] }),
    setVisible.of({ sheet: 'one', axis: 'row', runs: [[8, 9, 1]] }),
    setVisible.of({ sheet: 'one', axis: 'col', runs: [[3, 3, 1]] }),
    setFreeze.of({ sheet: 'one', rows: 1, cols: 2 }),
    setLink.of({
      sheet: 'one',
      links: [
        [1, 0, { id: 'a', url: 'https://example.org/?a=1&b="2"' }],
        [2, 0, { id: 'b', url: '#two!B3' }],
      ],
    }),
    defineName.of({ name: 'rate', formula: '=Sheet1!$B$2' }),
    setRangeBlock.of({ sheet: 'two', row: 0, col: 0, rows: [[{ formula: '=rate*2' }, { formula: '=Sheet1!C2' }]] }),
  );
  const { document } = readTestWorkbook(writeXlsx(made));
  const [one, two] = document.subSheets as [(typeof document.subSheets)[number], (typeof document.subSheets)[number]];
  expect(one.merges.list()).toEqual([{ top: 6, left: 0, bottom: 7, right: 2 }]);
  expect(one.rowSizes.list()).toEqual([[1, 2, 40]]);
  expect(one.colSizes.list()).toEqual([[0, 0, 123]]);
  expect(one.hiddenRows.list()).toEqual([[8, 9, 1]]);
  expect(one.hiddenCols.list()).toEqual([[3, 3, 1]]);
  expect(one.freeze).toEqual({ rows: 1, cols: 2 });
  expect(one.links.get(1, 0)?.url).toBe('https://example.org/?a=1&b="2"');
  expect(one.links.get(2, 0)?.url).toBe(`#${two.id}!B3`);
  expect(two.name).toBe("It's 2");
  expect(document.names().map(({ name, formula }) => [name, formula])).toEqual([['rate', '=Sheet1!$B$2']]);
  expect(document.value(two, 0, 0)).toBe(3);
  expect(document.value(two, 0, 1)).toBe(4);
});

test('filters with what they hide, a second one as a table', () => {
  const made = documentOf(
    table,
    setRangeBlock.of({
      sheet: 'one',
      row: 10,
      col: 6,
      rows: [
        ['kind', 'n'],
        ['x', 1],
        ['y', 2],
        ['', 3],
      ],
    }),
    setFilter.of({
      sheet: 'one',
      filter: { id: 'f1', region: [0, 0, 3, 4], columns: [{ col: 2, visible: ['4', '2'] }], hidden: [[2, 2]] },
    }),
    setFilter.of({
      sheet: 'one',
      filter: { id: 'f2', region: [10, 6, 12, 7], columns: [{ col: 6, visible: ['y'] }], hidden: [[11, 11]] },
    }),
  );
  const { document } = readTestWorkbook(writeXlsx(made));
  const sub = document.subSheets[0]!;
  expect(sub.filters.map(({ region, columns, hidden }) => ({ region, columns, hidden }))).toEqual([
    { region: [0, 0, 3, 4], columns: [{ col: 2, visible: ['4', '2'] }], hidden: [[2, 2]] },
    { region: [10, 6, 12, 7], columns: [{ col: 6, visible: ['y'] }], hidden: [[11, 11]] },
  ]);
  expect(sub.hiddenRows.list()).toEqual([]);
});

test('protected ranges and whole sub-sheets belong to the importer', () => {
  const made = documentOf(
    table,
    addSheet.of({ sheet: 'two', name: 'Two' }),
    putProtect.of({ sheet: 'one', protection: { id: 'p1', owner: 'somebody', region: [1, 1, 3, 2] } }),
    putProtect.of({ sheet: 'two', protection: { id: 'p2', owner: 'somebody', region: null } }),
  );
  const { document } = readTestWorkbook(writeXlsx(made));
  expect(document.subSheets[0]!.protections.map(({ owner, region }) => ({ owner, region }))).toEqual([
    { owner: 'importer', region: [1, 1, 3, 2] },
  ]);
  expect(document.subSheets[1]!.protections.map(({ region }) => region)).toEqual([null]);
  expect(document.style(document.subSheets[0]!, 1, 1)).toEqual({});
});

test('images with their places', () => {
  const anchor = { row: 2, col: 3, offsetX: 4, offsetY: 5, width: 60, height: 70 };
  const made = documentOf(
    table,
    putImage.of({ sheet: 'one', image: { id: 'i', name: 'A picture', blob: 'images/x', mime: 'image/png', anchor } }),
  );
  const { document, images } = readTestWorkbook(writeXlsx(made, { images: new Map([['images/x', png]]) }));
  const [image] = document.subSheets[0]!.images;
  expect(image).toMatchObject({ name: 'A picture', mime: 'image/png', anchor });
  expect(images).toHaveLength(1);
  expect(images[0]!.key).toBe(image!.blob);
  expect(Buffer.from(images[0]!.bytes).equals(png)).toBe(true);
});

const ofOneSeries = new Set<string>(['CHART_PIE', 'CHART_TREEMAP', 'CHART_REGION_MAP']);

test.each(chartTypes)('a chart of type %s', (type) => {
  const anchor = { row: 1, col: 6, offsetX: 10, offsetY: 0, width: 480, height: 300 };
  const made = documentOf(
    setRangeBlock.of({
      sheet: 'one',
      row: 0,
      col: 0,
      rows: [
        ['x', 'high', 'low', 'close'],
        [1, 5, 2, 3],
        [2, 6, 3, 4],
        [3, 7, 4, 5],
      ],
    }),
    putChart.of({
      sheet: 'one',
      chart: {
        id: 'c1',
        type,
        title: 'A <b>title</b> & more',
        region: [0, 0, 3, 3],
        anchor,
        headerRow: true,
        categoryColumn: true,
        options: {},
      },
    }),
  );
  const { document } = readTestWorkbook(writeXlsx(made));
  const [chart] = document.subSheets[0]!.charts;
  expect(chart).toMatchObject({ type, title: 'A <b>title</b> & more', anchor });
  expect(chart!.region).toEqual([0, 0, 3, ofOneSeries.has(type) ? 1 : 3]);
});

test('what was read opens again from its snapshot, byte for byte', () => {
  const { document } = readTestWorkbook(
    writeXlsx(documentOf(table, merge.of({ sheet: 'one', regions: [[6, 0, 7, 2]] }))),
  );
  const bytes = encodeSnapshot(document);
  expect(Buffer.from(encodeSnapshot(loadSnapshot(bytes))).equals(Buffer.from(bytes))).toBe(true);
});

test('a sheet of many megabytes, read piece by piece, comes back whole', () => {
  const rows = Array.from({ length: 60_000 }, (_, row) => [row, `text ${row} 梨`, row / 7, row % 2 === 0]);
  const made = documentOf(
    setRangeBlock.of({ sheet: 'one', row: 0, col: 0, rows }),
    setRangeBlock.of({ sheet: 'one', row: 59_999, col: 5, rows: [[{ formula: '=SUM(A1:A60000)' }]] }),
    merge.of({ sheet: 'one', regions: [[60_010, 0, 60_011, 2]] }),
    setStyle.of({ sheet: 'one', region: [30_000, 0, 30_000, 3], set: { bold: true } }),
    putProtect.of({ sheet: 'one', protection: { id: 'p', owner: 'importer', region: [10, 0, 20, 3] } }),
  );
  const { document } = readTestWorkbook(writeXlsx(made));
  const sub = document.subSheets[0]!;
  for (let row = 0; row < rows.length; row++) {
    const found = [0, 1, 2, 3].map((col) => document.value(sub, row, col));
    if (found.some((value, col) => value !== rows[row]![col])) expect(found, `row ${row}`).toEqual(rows[row]);
  }
  expect(document.value(sub, 59_999, 5)).toBe(1_799_970_000);
  expect(sub.merges.list()).toEqual([{ top: 60_010, left: 0, bottom: 60_011, right: 2 }]);
  expect(document.style(sub, 30_000, 2)).toEqual({ bold: true });
  expect(sub.protections.map((one) => one.region)).toEqual([[10, 0, 20, 3]]);
});

test('a row longer than a piece, and pieces cut anywhere, are read the same', () => {
  const cells = (row: number): string =>
    Array.from(
      { length: 9000 },
      (_, i) => `<c r="${columnName(i)}${row}" t="inlineStr"><is><t>${'é'.repeat(150)}${i}</t></is></c>`,
    ).join('');
  const xml = strToU8(
    '<?xml version="1.0" encoding="UTF-8"?>' +
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">' +
      `${cells(1)}</row><row r="2">${cells(2)}</row><row r="3"/><row r="4"><c r="A4"><v>7</v></c></row>` +
      '</sheetData><mergeCells count="1"><mergeCell ref="A6:B7"/></mergeCells></worksheet>',
  );
  expect(xml.length).toBeGreaterThan(6_000_000);
  const parts = unzipSync(writeXlsx(documentOf()));
  const { document } = readTestWorkbook(zipSync({ ...parts, 'xl/worksheets/sheet1.xml': xml }, { level: 1 }), {
    limits: { maxRatio: 100_000 },
  });
  const sub = document.subSheets[0]!;
  for (const row of [0, 1])
    for (const col of [0, 4500, 8999]) expect(document.value(sub, row, col)).toBe(`${'é'.repeat(150)}${col}`);
  expect(document.value(sub, 3, 0)).toBe(7);
  expect(sub.merges.list()).toEqual([{ top: 5, left: 0, bottom: 6, right: 1 }]);
});

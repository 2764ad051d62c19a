import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { putChart, setRangeBlock } from '@sheaf/engine';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { documentOf, readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { workbookParts, zipped, type Parts } from '@sheaf/tools/testing/workbook-parts.ts';

const values = (parts: Parts): unknown[] => {
  const { document, warnings } = readTestWorkbook(zipped(parts));
  expect(warnings).toEqual([]);
  const sub = document.subSheets[0]!;
  return [0, 1, 2, 3].map((row) => document.value(sub, row, 0));
};

const usual =
  '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2" t="str"><v>a&amp;b</v></c></row><row r="3"><c r="A3"><f>A1*2</f><v>2</v></c></row>';

test.each([
  ['an empty sheet with a space', '<worksheet><sheetData /></worksheet>', [null, null, null, null]],
  ['an empty sheet with a line break', '<worksheet><sheetData\n/><mergeCells/></worksheet>', [null, null, null, null]],
  ['an empty sheet', '<worksheet><sheetData/></worksheet>', [null, null, null, null]],
  [
    'spaces and line breaks in tags',
    '<worksheet ><sheetData ><row  r = "1" ><c\nr="A1"\n><v >1</v ></c ></row ><row r="4"><c r="A4"/></row></sheetData ></worksheet >',
    [1, null, null, null],
  ],
  ['single quotes', usual.replaceAll('"', "'"), [1, 'a&b', 2, null]],
  ['other orders of attributes', usual.replace('r="A2" t="str"', 't="str" r="A2"'), [1, 'a&b', 2, null]],
  [
    'prefixes',
    `<x:worksheet xmlns:x="main"><x:sheetData>${usual.replaceAll(/<(\/?)/g, '<$1x:')}</x:sheetData></x:worksheet>`,
    [1, 'a&b', 2, null],
  ],
  [
    'comments, instructions and CDATA',
    '<worksheet><!-- <sheetData/> --><?go on?><sheetData>' +
      `${usual.replace('a&amp;b', '<![CDATA[a&]]><!-- no -->b').replace('<v>1</v>', '<v><!-- 9 -->1</v>')}` +
      '</sheetData></worksheet>',
    [1, 'a&b', 2, null],
  ],
  [
    'entities by number',
    usual.replace('r="A1"', 'r="&#65;1"').replace('a&amp;b', '&#97;&#38;&#x62;').replace('A1*2', '&#x41;1*2'),
    [1, 'a&b', 2, null],
  ],
  ['a > in an attribute', usual.replace('<row r="1">', '<row note=">" r="1">'), [1, 'a&b', 2, null]],
  [
    'elements that are not known',
    usual.replace('<v>1</v>', '<x:y><v>7</v></x:y><v>1</v><extLst><v>8</v></extLst>'),
    [1, 'a&b', 2, null],
  ],
])('[finding X1] %s', (_name, sheet, expected) => {
  expect(values(workbookParts({ Data: sheet }))).toEqual(expected);
});

test('[finding X1] formulas shared between cells are formulas whatever the quotes', () => {
  const cells =
    "<row r='1'><c r='A1'><v>2</v></c><c r='B1'><f t='shared' ref='B1:B2' si='0'>A1*10</f><v>" +
    "20</v></c></row><row r='2'><c r='A2'><v>3</v></c><c r='B2'><f t='shared' si='0'/><v>30</v>" +
    '</c></row>';
  const { document } = readTestWorkbook(zipped(workbookParts({ Data: cells })));
  const sub = document.subSheets[0]!;
  expect([document.formula(sub, 0, 1), document.formula(sub, 1, 1)]).toEqual(['=A1*10', '=A2*10']);
  expect(document.value(sub, 1, 1)).toBe(30);
});

test.each([
  ['UTF-16', 'utf16le'],
  ['UTF-8', 'utf8'],
] as const)('[finding X1] parts in %s with a byte order mark', (_name, encoding) => {
  const parts = workbookParts({ 数据: usual });
  expect(
    values(
      Object.fromEntries(
        Object.entries(parts).map(([name, text]) => [
          name,
          new Uint8Array(Buffer.from(`\ufeff${String(text)}`, encoding)),
        ]),
      ),
    ),
  ).toEqual([1, 'a&b', 2, null]);
});

test('[finding X1] a list of texts in any form', () => {
  const cells = [0, 1, 2, 3].map((i) => `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>${i}</v></c></row>`).join('');
  const parts = workbookParts({ Data: cells }, [['rId9', 'sharedStrings', '/xl/sharedStrings.xml']]);
  parts['xl/sharedStrings.xml'] =
    "<s:sst xmlns:s='m'><s:si ><s:t xml:space='preserve'> one </s:t></s:si><s:si><s:t>HR </s:t>" +
    '</s:si><s:si /><s:si><s:r><s:rPr><s:b /></s:rPr><s:t>bo</s:t></s:r><s:r><s:t><![CDATA[<ld>]]></s:t>' +
    '</s:r><s:rPh><s:t>no</s:t></s:rPh></s:si></s:sst>';
  expect(values(parts)).toEqual([' one ', 'HR ', '', 'bo<ld>']);
});

test('[finding X1] spaces at the ends of a sheet name stay, and formulas find the sheet', () => {
  const { document, warnings } = readTestWorkbook(
    zipped(
      workbookParts({
        'HR ': '<row r="1"><c r="A1"><v>5</v></c></row>',
        ' x': '<row r="1"><c r="A1"><f>\'HR \'!A1*2</f></c></row>',
      }),
    ),
  );
  expect(warnings).toEqual([]);
  expect(document.subSheets.map(({ name }) => name)).toEqual(['HR ', ' x']);
  expect(document.value(document.subSheets[1]!, 0, 0)).toBe(10);
  const again = readTestWorkbook(writeXlsx(document)).document;
  expect(again.subSheets.map(({ name }) => name)).toEqual(['HR ', ' x']);
  expect(again.value(again.subSheets[1]!, 0, 0)).toBe(10);
});

test('[finding X1] parts are found whatever the case of their names, and charts with them', () => {
  const anchor = { row: 5, col: 5, offsetX: 0, offsetY: 0, width: 300, height: 200 };
  const file = writeXlsx(
    documentOf(
      setRangeBlock.of({
        sheet: 'one',
        row: 0,
        col: 0,
        rows: [
          ['a', 'b'],
          ['x', 1],
          ['y', 2],
        ],
      }),
      putChart.of({
        sheet: 'one',
        chart: {
          id: 'c',
          type: 'CHART_LINE',
          title: 'T',
          region: [0, 0, 2, 1],
          anchor,
          columnSeries: true,
          headerRow: true,
          categoryColumn: true,
          options: {},
        },
      }),
    ),
  );
  const mixed = Object.fromEntries(
    Object.entries(unzipSync(file)).map(([name, bytes]) => [
      name.replace(/(drawing|chart|sheet)(\d)/g, (word) => word.toUpperCase()).replace('_rels', '_Rels'),
      bytes,
    ]),
  );
  expect(Object.keys(mixed)).toContain('xl/charts/CHART1.xml');
  expect(readTestWorkbook(zipped(mixed)).document.subSheets[0]!.charts.map(({ title, type }) => [title, type])).toEqual(
    [['T', 'CHART_LINE']],
  );
  expect(strFromU8(mixed['xl/worksheets/_Rels/SHEET1.xml.rels']!)).toContain('drawing1.xml');
});

test('filters and panes of custom views are not those of the sheet', () => {
  const views =
    '<customSheetViews><customSheetView><pane xSplit="3" state="frozen"/><autoFilter ref="A1:B9"/></customSheetView></customSheetViews>';
  const { document } = readTestWorkbook(
    zipped(workbookParts({ Data: `<worksheet><sheetData/>${views}<autoFilter ref="C1:D2"/></worksheet>` })),
  );
  const sub = document.subSheets[0]!;
  expect(sub.freeze).toEqual({ rows: 0, cols: 0 });
  expect(sub.filters.map(({ region }) => region)).toEqual([[0, 2, 1, 3]]);
});

test.each([
  ['<worksheet><sheetData><row r="1"><c r="A1"><v>1</v>', 'is truncated'],
  ['<worksheet><sheetData></sheetData>', 'is truncated'],
  ['<worksheet></worksheet>', 'has no cells'],
  ['<worksheet><sheetData><row r="0"/></sheetData></worksheet>', 'names the row 0'],
  ['<worksheet><sheetData><row r="1"><c r="A"/></row></sheetData></worksheet>', 'the cell "A"'],
  ['<worksheet><sheetData><row r="1"><c r="XFE1"/></row></sheetData></worksheet>', 'the cell "XFE1"'],
  ['<worksheet><sheetData><row r="1"><c r="\u01411"/></row></sheetData></worksheet>', 'the cell "\u01411"'],
])('%s is refused', (sheet, message) => {
  expect(() => readTestWorkbook(zipped(workbookParts({ Data: sheet })))).toThrow(message);
});

test('indexed colors are those of the palette that a file brings along', () => {
  const text = (runs: string): string => `<c r="A1" s="1" t="inlineStr"><is>${runs}</is></c>`;
  const parts = workbookParts(
    { Data: `<row r="1">${text('<r><rPr><color indexed="1"/></rPr><t>a</t></r><r><t>b</t></r>')}</row>` },
    [['rId9', 'styles', 'styles.xml']],
  );
  const colors = ['00112233', '00445566', 'FF778899'].map((rgb) => `<rgbColor rgb="${rgb}"/>`).join('');
  parts['xl/styles.xml'] =
    '<styleSheet><fonts count="2"><font/><font><color indexed="0"/></font></fonts><fills count="2"><fill/><fill>' +
    '<patternFill patternType="solid"><fgColor indexed="2"/></patternFill></fill></fills>' +
    '<borders count="2"><border/><border><left style="thin"><color indexed="10"/></left></border></borders>' +
    '<cellXfs count="2"><xf/><xf fontId="1" fillId="1" borderId="1"/></cellXfs>' +
    `<colors><indexedColors>${colors}</indexedColors></colors></styleSheet>`;
  const { document } = readTestWorkbook(zipped(parts));
  const sub = document.subSheets[0]!;
  expect(document.style(sub, 0, 0)).toMatchObject({
    fontColor: 'FF112233',
    bgColor: 'FF778899',
    // A color that the palette does not have is the usual one.
    borderLeft: 'thin:FF0000',
  });
  expect(JSON.stringify(sub.rich.get(0, 0))).toContain('"fontColor":"FF445566"');
});

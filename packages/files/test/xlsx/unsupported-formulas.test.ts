import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import {
  type SheetDocument,
  edit,
  loadSnapshot,
  encodeSnapshot,
  deleteDimension,
  insertDimension,
  type Mutation,
  setRangeBlock,
} from '@sheaf/engine';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { relationships, workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

/** Formulas of column B with what the file last saw of them; A1 is 2 and A2 is 3. */
function fileOf(formulas: readonly string[], cell: (formula: string, row: number) => string): Uint8Array {
  const rows = formulas.map(
    (formula, i) =>
      `<row r="${i + 1}">${i < 2 ? `<c r="A${i + 1}"><v>${i + 2}</v></c>` : ''}${cell(formula, i + 1)}</row>`,
  );
  return zipped(workbookParts({ Data: rows.join('') }, [['rId9', 'sheetMetadata', 'metadata.xml']]));
}

function exported(document: SheetDocument): string {
  return strFromU8(unzipSync(writeXlsx(document, { at: new Date(0) }))['xl/worksheets/sheet1.xml']!);
}

const unknown = [
  'MYVBA(A1)',
  '_xll.PLUGIN(A1,A2)',
  '_FV(A1,"Price")',
  'DISPIMG("ID_1",1)',
  'EVALUATE("1+1")',
  'CUBEVALUE("c","[m]")',
  '_xlfn.WEBSERVICE("http://x")',
  'IFERROR(MYVBA(A1),0)',
  '_xlfn.SOMETHINGNEW(A1)',
  'SUM(MYVBA(A1),A2)',
];
const kept = (): ReturnType<typeof readTestWorkbook> =>
  readTestWorkbook(
    fileOf(
      unknown,
      (formula, row) => `<c r="B${row}"><f>${formula.replaceAll('"', '&quot;')}</f><v>${row * 100}</v></c>`,
    ),
  );
const valuesOf = (document: SheetDocument, from = 0): unknown[] =>
  unknown.map((_, i) => document.value(document.subSheets[0]!, i + from, 1));
const hundreds = unknown.map((_, i) => (i + 1) * 100);

test('[finding X14] formulas with functions that are not known here keep the values of the file, and warnings name them', () => {
  const { document, warnings } = kept();
  expect(valuesOf(document)).toEqual(hundreds);
  expect(document.formula(document.subSheets[0]!, 0, 1)).toBe('=MYVBA(A1)');
  for (const name of [
    'MYVBA',
    '_xll.PLUGIN',
    '_FV',
    'DISPIMG',
    'EVALUATE',
    'CUBEVALUE',
    'WEBSERVICE',
    '_xlfn.SOMETHINGNEW',
  ])
    expect(warnings.join('\n')).toContain(
      `calls the function ${name}, which is not computed here; its last value was kept`,
    );
  expect(warnings[0]).toMatch(/^'Data' B1, B8, B10: the formula calls the function MYVBA/);
});

test('[finding X14] the values go out again with their formulas', () => {
  const xml = exported(kept().document);
  unknown.forEach((formula, i) => {
    const text = formula.replaceAll('"', '&quot;');
    expect(xml.replaceAll('"', '&quot;')).toContain(
      `<c r=&quot;B${i + 1}&quot;><f>${text}</f><v>${(i + 1) * 100}</v></c>`,
    );
  });
});

test('[finding X14] the values survive a snapshot, edits of what the formulas read, and shifts with their undoing', () => {
  const first = kept().document;
  const document = loadSnapshot(encodeSnapshot(first));
  const sheet = document.subSheets[0]!.id;
  expect(valuesOf(document)).toEqual(hundreds);
  edit(document, [setRangeBlock.of({ sheet, row: 0, col: 0, rows: [[7], [8]] })]);
  expect(valuesOf(document)).toEqual(hundreds);
  const shifted = edit(document, [insertDimension.of({ sheet, axis: 'row', at: 0, count: 2 })]);
  expect(valuesOf(document, 2)).toEqual(hundreds);
  expect(document.formula(document.subSheets[0]!, 2, 1)).toBe('=MYVBA(A3)');
  edit(document, shifted.inverse);
  const taken = edit(document, [deleteDimension.of({ sheet, axis: 'row', at: 0, count: 2 })]);
  expect(document.value(document.subSheets[0]!, 0, 1)).toBe(300);
  edit(document, taken.inverse);
  expect(valuesOf(document)).toEqual(hundreds);
  expect(valuesOf(loadSnapshot(encodeSnapshot(document)))).toEqual(hundreds);
});

test('[finding X14] replaying the log gives the same values', () => {
  const bytes = encodeSnapshot(kept().document);
  const one = loadSnapshot(bytes);
  const other = loadSnapshot(bytes);
  const sheet = one.subSheets[0]!.id;
  const log: Mutation[][] = [
    [setRangeBlock.of({ sheet, row: 0, col: 0, rows: [[1]] })],
    [insertDimension.of({ sheet, axis: 'row', at: 1, count: 1 })],
    [setRangeBlock.of({ sheet, row: 0, col: 1, rows: [[{ formula: '=MYVBA(A1)*2' }]] })],
  ];
  for (const mutations of log) edit(one, mutations);
  for (const mutations of log) edit(other, JSON.parse(JSON.stringify(mutations)) as Mutation[]);
  expect(Buffer.compare(encodeSnapshot(one), encodeSnapshot(other))).toBe(0);
});

test('[finding X14] a formula becomes an error when somebody edits it, and comes back when that is undone', () => {
  const { document } = kept();
  const sub = document.subSheets[0]!;
  const write = (row: number, formula: string): readonly Mutation[] =>
    edit(document, [setRangeBlock.of({ sheet: sub.id, row, col: 1, rows: [[{ formula }]] })]).inverse;
  const undo = write(0, '=MYVBA(A2)');
  expect(String(document.value(sub, 0, 1))).toBe('#NAME?');
  edit(document, undo);
  expect(document.value(sub, 0, 1)).toBe(100);
  write(5, '=CUBEVALUE("c","n")');
  expect(String(document.value(sub, 5, 1))).toBe('#BLOCKED!');
  write(7, '=IFERROR(MYVBA(A1),A1)');
  expect(document.value(sub, 7, 1)).toBe(2);
  edit(document, [setRangeBlock.of({ sheet: sub.id, row: 0, col: 0, rows: [[9]] })]);
  expect(document.value(sub, 7, 1)).toBe(9);
});

const dynamic = [
  '_xlfn.ANCHORARRAY(B9)',
  '_xlfn.SINGLE(A1:A2)',
  'SUM(A1:A2)',
  'ABS(A1)',
  '_xlfn._xlws.SORT(A1:A2)',
  '_xlfn.LET(_xlpm.x,A1,_xlpm.x*2)',
  '_xlfn.LAMBDA(_xlpm.a,_xlpm.a+A1)(1)',
  'Prices*2',
  'SUM(_xlfn.ANCHORARRAY(B5))',
  '_xlfn.UNIQUE(A1:A1)',
];

test('[finding X12] what a file marks as dynamic goes out with the mark and as it was written', () => {
  const { document } = readTestWorkbook(
    fileOf(dynamic, (formula, row) => `<c r="B${row}" cm="1"><f t="array" ref="B${row}">${formula}</f><v>1</v></c>`),
  );
  const xml = exported(document);
  dynamic.forEach((formula, i) => {
    expect(xml).toMatch(new RegExp(`<c r="B${i + 1}"[^>]* cm="1"><f t="array" ref="B${i + 1}(:B\\d+)?">`));
    expect(xml).toContain(`>${formula}</f>`);
  });
  const again = exported(loadSnapshot(encodeSnapshot(document)));
  expect(again).toBe(xml);
});

test.each([
  ['=D1#', '_xlfn.ANCHORARRAY(D1)'],
  ['=SUM(D1#)*2', 'SUM(_xlfn.ANCHORARRAY(D1))*2'],
  ["=SUM('My sheet'!$D$1#,1)", "SUM(_xlfn.ANCHORARRAY('My sheet'!$D$1),1)"],
  ['=@A1:A3', '_xlfn.SINGLE(A1:A3)'],
  ['=1+@A1:A3+@A1:A3', '1+_xlfn.SINGLE(A1:A3)+_xlfn.SINGLE(A1:A3)'],
  ['=SUM(@Sheet1!A1:A3,@INDEX(A1:A3,2))', 'SUM(_xlfn.SINGLE(Sheet1!A1:A3),_xlfn.SINGLE(INDEX(A1:A3,2)))'],
  ['=@D1#', '_xlfn.SINGLE(_xlfn.ANCHORARRAY(D1))'],
  ['=IF(A1=#N/A,#REF!,"a#@b")', 'IF(A1=#N/A,#REF!,"a#@b")'],
  ['=Table1[[#This Row],[x]]+1', 'Table1[[#This Row],[x]]+1'],
  ['=Sheet1!#REF!+1', 'Sheet1!#REF!+1'],
  ['=ANCHORARRAY(B1)+SINGLE(A1:A2)', '_xlfn.ANCHORARRAY(B1)+_xlfn.SINGLE(A1:A2)'],
  ['=FILTER(A1:A3,A1:A3>1.5)', '_xlfn._xlws.FILTER(A1:A3,A1:A3>1.5)'],
])('[finding X12] %s is written as files have it', async (formula, expected) => {
  const { toFileSyntax } = await import('../../src/xlsx/formula-file-syntax.ts');
  expect(toFileSyntax(formula)).toBe(expected);
});

test('[finding X14] functions that the compiler implements are computed, not kept', () => {
  const formulas = ['IF(A1>0,A1*10,0)', '_xlfn.LET(_xlpm.x,A1,_xlpm.x+A2)', '_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1)(A2)'];
  const file = fileOf(formulas, (formula, row) => `<c r="B${row}"><f>${formula}</f><v>-1</v></c>`);
  const { document, warnings } = readTestWorkbook(file);
  const { sheet } = document.subSheets[0]!;
  expect(warnings).toEqual([]);
  expect([0, 1, 2].map((row) => sheet.read(row, 1))).toEqual([20, 5, 4]);
});

test('a defined name or a table that is called like a function goes out without the prefix of a function', () => {
  const cells = (row: number, formula: string): string =>
    `<row r="${row}"><c r="A${row}"><v>${row}</v></c><c r="B${row}">${formula}<v>0</v></c></row>`;
  const parts = workbookParts({
    Data:
      cells(1, '<f t="shared" ref="B1:B2" si="0">PMT(Rate,A1,-100)</f>') +
      cells(2, '<f t="shared" si="0"/>') +
      '<row r="3"><c r="D3" t="inlineStr"><is><t>Sum</t></is></c></row><row r="4"><c r="D4"><v>7</v></c></row>',
    Other: '<row r="1"><c r="A1"><v>1</v></c></row>',
  });
  parts['xl/workbook.xml'] = String(parts['xl/workbook.xml']).replace(
    '</sheets>',
    '</sheets><definedNames><definedName name="Cost">PMT(Rate,12, -100)</definedName>' +
      '<definedName name="N" localSheetId="1">2</definedName><definedName name="Rate">0.01</definedName></definedNames>',
  );
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(['rId1', 'table', '../tables/table1.xml']);
  parts['xl/tables/table1.xml'] =
    '<table id="1" name="Price" displayName="Price" ref="D3:D4"><tableColumns count="1">' +
    '<tableColumn id="1" name="Sum"/></tableColumns></table>';
  const { document } = readTestWorkbook(zipped(parts));
  const [data, other] = document.subSheets;
  const typed = ['=PMT(Rate,12,-100)', '=SUM(Price)', '=BYROW(A1:A2,N)'];
  edit(document, [
    setRangeBlock.of({ sheet: data!.id, row: 0, col: 2, rows: typed.map((formula) => [{ formula }]) }),
    setRangeBlock.of({ sheet: other!.id, row: 0, col: 2, rows: [[{ formula: '=ROUND(1.234,N)' }]] }),
  ]);
  const files = unzipSync(writeXlsx(loadSnapshot(encodeSnapshot(document))));
  const formulas = (part: string): (string | undefined)[] =>
    [...strFromU8(files[part]!).matchAll(/<(?:f|definedName)[ >][^<]*?>?([^<>]*)<\/(?:f|definedName)>/g)].map(
      ([, formula]) => formula,
    );
  expect(formulas('xl/worksheets/sheet1.xml')).toEqual([
    'PMT(Rate,A1,-100)',
    'PMT(Rate,12,-100)',
    'PMT(Rate,A2,-100)',
    'SUM(Price)',
    '_xlfn.BYROW(A1:A2,_xleta.N)',
  ]);
  expect(formulas('xl/worksheets/sheet2.xml')).toEqual(['ROUND(1.234,N)']);
  expect(formulas('xl/workbook.xml')).toContain('PMT(Rate,12, -100)');
});

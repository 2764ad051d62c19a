import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type SheetDocument, edit, loadSnapshot, encodeSnapshot } from '@sheaf/engine';
import { insertDimension } from '@sheaf/engine/internal/mutations';
import { externalWorkbooksIn } from '../../src/xlsx/external-references.ts';
import { TableReferences } from '../../src/xlsx/table-references.ts';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { relationships, workbookParts, zipped, type Parts } from '@sheaf/tools/testing/workbook-parts.ts';

const tablePart =
  '<table xmlns="m" displayName="T" ref="A1:C3"><autoFilter ref="A1:C3"/><tableColumns count="3">' +
  '<tableColumn id="1" name="G/L Code"/><tableColumn id="2" name="Net_x000d__x000a_price"/>' +
  `<tableColumn id="3" name="It's [kg] #1"/></tableColumns><tableStyleInfo name="TableStyleMedium2"/>` +
  '<extLst><ext uri="{504A1905-F514-4f6f-8877-14C23A59335A}" xmlns:x14="x">' +
  '<x14:table altText="Sales" altTextSummary="of the year"/></ext></extLst></table>';

function withTable(cells: string): Parts {
  const parts = workbookParts({ Data: cells });
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(['rId1', 'table', '../tables/table1.xml']);
  parts['xl/tables/table1.xml'] = tablePart;
  return parts;
}

const row = (number: number, ...formulas: string[]): string =>
  `<row r="${number}"><c r="A${number}"><v>${number}</v></c><c r="B${number}"><v>10</v></c>` +
  `<c r="C${number}"><v>100</v></c>` +
  `${formulas.map((formula, i) => `<c r="${'DEFG'[i]}${number}"><f>${formula}</f><v>77</v></c>`).join('')}` +
  '</row>';

test('[finding X2] references to a table with an alternative text, and to columns with any characters in their names', () => {
  const { document, warnings } = readTestWorkbook(
    zipped(
      withTable(
        row(
          2,
          'T[[#This Row],[G/L Code]]*2',
          'SUM(T[G/L Code])',
          'T[[#This Row],[Net\r\nprice]]',
          "SUM(T[It''s '[kg'] '#1])",
        ) +
          row(
            3,
            'T[@[G/L Code]]',
            'T[[#This Row],[Net price]]',
            "T[@[It''s '[kg'] '#1]]",
            'SUM(T[[G/L Code]:[Net&#10;price]])',
          ),
      ),
    ),
  );
  const sub = document.subSheets[0]!;
  expect(warnings).toEqual([]);
  expect([1, 2].map((at) => [3, 4, 5, 6].map((col) => document.value(sub, at, col)))).toEqual([
    [4, 5, 10, 200],
    [3, 10, 100, 25],
  ]);
});

test('a column whose name ends with a space keeps brackets of its own, without which the space would be lost', () => {
  const parts = withTable(row(2, 'SUM(T[[Code ]])', '[1]!T[gone]+1'));
  parts['xl/tables/table1.xml'] = tablePart.replace('G/L Code', 'Code ');
  const { document } = readTestWorkbook(zipped(parts));
  const sub = document.subSheets[0]!;
  expect([3, 4].map((col) => document.value(sub, 1, col))).toEqual([2, 77]);
  expect(document.formula(sub, 1, 3)).toBe('=SUM(T[[Code ]])');
  const sheet = strFromU8(unzipSync(writeXlsx(document))['xl/worksheets/sheet1.xml']!);
  expect(sheet).toContain('<f>SUM(T[[Code ]])</f>');
  // A table of another workbook may have the name of one here.
  expect(sheet).toContain('<f>[1]!T[gone]+1</f>');
});

test('[finding X2] a reference that is not understood keeps its value, and the warning names the cell', () => {
  const { document, warnings } = readTestWorkbook(
    zipped(withTable(row(2, 'T[Gone]*2', 'SUM(T[#REF!])', 'Other[x]', 'T[#Sum]') + row(3, 'T[Gone]*2'))),
  );
  const sub = document.subSheets[0]!;
  expect([3, 5, 6].map((col) => document.value(sub, 1, col))).toEqual([77, 77, 77]);
  expect(String(document.value(sub, 1, 4))).toBe('#REF!');
  expect(warnings).toEqual([
    "'Data' D2, D3: the formula names the column [gone], which the table T does not have; its last value was kept",
    "'Data' F2: the formula names the table Other, which the file does not have; its last value was kept",
    "'Data' G2: the formula uses the part #sum of a table, which is not known; its last value was kept",
  ]);
});

test('[finding X2] a table is its definition and not what its extensions hold', () => {
  const tables = new TableReferences();
  tables.add(tablePart, 'table1', 'Data');
  expect(tables.replace('ROWS(T)', { sheet: 'Data', row: 9, col: 9 })).toBe('ROWS($A$2:$C$3)');
});

test.each([
  ['[1]Sheet1!A1*2', ['1']],
  ["SUM('[2]My sheet'!A1:B2)", ['2']],
  ["'C:\\books\\[plan.xlsx]Q1'!A1", ['plan.xlsx']],
  ['[3]!Rate+[12]Sheet!A1', ['3', '12']],
  ['[0]!Rate', []],
  ['T[1]+T[[#This Row],[2]]+[@1]', []],
  ['"[1]Sheet!A1"&\'a [b] c\'', []],
  ['A1+{1,2}', []],
])('[finding X3] %s names the workbooks %j', (formula, books) => {
  expect(externalWorkbooksIn(formula)).toEqual(books);
});

test('[finding X3] what comes from another workbook keeps its last value, with a warning that names the cell and the workbook', () => {
  const cells = [
    '<row r="1"><c r="A1"><f>[1]Prices!$B$2*2</f><v>84</v></c><c r="B1" t="str"><f>\'[1]My texts\'!A1</f>' +
      '<v>from there</v></c><c r="C1"><f>A1+1</f><v>85</v></c></row>',
    '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">[1]Prices!B2</f><v>1</v></c><c r="B2"><f>' +
      'Rate*2</f><v>9</v></c><c r="C2"><f>[0]!Own*2</f><v>0</v></c></row>',
    '<row r="3"><c r="A3"><f t="shared" si="0"/><v>2</v></c><c r="B3" t="e"><f>[2]X!A1</f><v>#N/A</v></c></row>',
  ].join('');
  const parts = workbookParts({ Data: cells }, [['rId8', 'externalLink', 'externalLinks/externalLink1.xml']]);
  const references = '<externalReferences><externalReference r:id="rId8"/></externalReferences>';
  const names =
    '<definedNames><definedName name="Rate">[1]Prices!$A$1</definedName><definedName name="Own">Data!$C$1</definedName></definedNames>';
  parts['xl/workbook.xml'] = String(parts['xl/workbook.xml']).replace('</sheets>', `</sheets>${references}${names}`);
  parts['xl/externalLinks/externalLink1.xml'] =
    '<externalLink><externalBook r:id="rId1"><sheetNames><sheetName val="Prices"/></sheetNames></externalBook></externalLink>';
  parts['xl/externalLinks/_rels/externalLink1.xml.rels'] = relationships([
    'rId1',
    'externalLinkPath',
    'file:///C:/books/price%20list.xlsx',
    'External',
  ]);
  const { document, warnings } = readTestWorkbook(zipped(parts));
  const sub = document.subSheets[0]!;
  expect(
    [0, 1, 2].map((at) =>
      [0, 1, 2].map((col) => {
        const value = document.value(sub, at, col);
        return value !== null && typeof value === 'object' ? String(value) : value;
      }),
    ),
  ).toEqual([
    [84, 'from there', 85],
    [1, 9, 170],
    [2, '#N/A', null],
  ]);
  expect(document.formula(sub, 0, 2)).toBe('=A1+1');
  expect(warnings).toEqual([
    "the name 'Rate' refers to price list.xlsx, another workbook: it is kept for export, and formulas cannot use it",
    "'Data' A1, B1, A2, A3: the formula refers to price list.xlsx, another workbook; its last value was kept",
    "'Data' B2: the formula uses the name 'Rate', which cannot be computed here; its last value was kept",
    "'Data' B3: the formula refers to 2, another workbook; its last value was kept",
  ]);
  const again = readTestWorkbook(writeXlsx(document)).document;
  expect(again.value(again.subSheets[0]!, 0, 0)).toBe(84);
  // The formula with the name goes out again; only its value cannot be computed.
  expect(again.formula(again.subSheets[0]!, 1, 1)).toContain('Rate');
  expect(again.value(again.subSheets[0]!, 1, 1)).toBe(9);
});

test('formulas with names, tables and items of another workbook, or cells it has no values of, go out as they came', () => {
  const formulas = [
    '[1]!Rate',
    "SUM([1]!'ES #F',D1)",
    '[1]Prices!Local',
    'D2+SUM([1]!Table1[c])',
    '[1]Gone!A1',
    "'[1]Very gone'!A1:B2",
    '[7]!Absent',
  ];
  const cells = formulas.map(
    (formula, at) => `<row r="${at + 1}"><c r="A${at + 1}"><f>${formula}</f><v>${at + 20}</v></c></row>`,
  );
  const parts = workbookParts({ Data: cells.join('') }, [['rId8', 'externalLink', 'externalLinks/externalLink1.xml']]);
  const references = '<externalReferences><externalReference r:id="rId8"/></externalReferences>';
  parts['xl/workbook.xml'] = String(parts['xl/workbook.xml']).replace('</sheets>', `</sheets>${references}`);
  parts['xl/externalLinks/externalLink1.xml'] =
    '<externalLink><externalBook r:id="rId1"><sheetNames><sheetName val="Prices"/><sheetName val="Gone"/>' +
    '<sheetName val="Very gone"/></sheetNames></externalBook></externalLink>';
  parts['xl/externalLinks/_rels/externalLink1.xml.rels'] = relationships([
    'rId1',
    'externalLinkPath',
    'prices.xlsx',
    'External',
  ]);
  const { document, warnings } = readTestWorkbook(zipped(parts));
  const sub = document.subSheets[0]!;
  const values = (): unknown[] => formulas.map((_, row) => document.value(sub, row, 0));
  const expected = formulas.map((_, at) => at + 20);
  expect(values()).toEqual(expected);
  expect(warnings).toEqual([
    "'Data' A1, A2, A3, A4, A5 and 1 more: the formula refers to prices.xlsx, another workbook; its last value was kept",
    "'Data' A7: the formula refers to 7, another workbook; its last value was kept",
  ]);
  document.workbook.recalcAll();
  expect(values()).toEqual(expected);
  const written = (): string => strFromU8(unzipSync(writeXlsx(document))['xl/worksheets/sheet1.xml']!);
  for (const formula of formulas) expect(written()).toContain(`<f>${formula}</f>`);
  // References of the own workbook move with their cells; those to the other one stay.
  edit(document, [insertDimension.of({ sheet: sub.id, axis: 'row', at: 0, count: 1 })]);
  expect(written()).toContain('<f>D3+SUM([1]!Table1[c])</f>');
  expect(written()).toContain("<f>SUM([1]!'ES #F',D2)</f>");
  expect(document.value(sub, 4, 0)).toBe(23);
});

test('formulas that refer to another workbook stay formulas, are computed from its last values and go out as they came', () => {
  const cells = [
    '<row r="1"><c r="A1"><f>[1]Prices!$B$2*2</f><v>84</v></c><c r="B1" t="str"><f>\'[1]Bob\'\'s texts\'!A1</f>' +
      '<v>from there</v></c><c r="C1"><f>SUM([1]Prices!B:B)</f><v>45</v></c></row>',
    '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">[1]Prices!B2</f><v>42</v></c><c r="B2"><f>Rate*2</f><v>2</v></c>' +
      '<c r="C2"><f>[1]Gone!A1</f><v>7</v></c></row>',
    '<row r="3"><c r="A3"><f t="shared" si="0"/><v>3</v></c><c r="B3" t="b"><f>[1]Prices!A2</f><v>1</v></c></row>',
  ].join('');
  const parts = workbookParts({ Data: cells }, [['rId8', 'externalLink', 'externalLinks/externalLink1.xml']]);
  const references = '<externalReferences><externalReference r:id="rId8"/></externalReferences>';
  const names = '<definedNames><definedName name="Rate">[1]Prices!$A$1</definedName></definedNames>';
  parts['xl/workbook.xml'] = String(parts['xl/workbook.xml']).replace('</sheets>', `</sheets>${references}${names}`);
  parts['xl/externalLinks/externalLink1.xml'] =
    '<externalLink><externalBook r:id="rId1"><sheetNames><sheetName val="Prices"/><sheetName val="Bob\'s texts"/>' +
    '<sheetName val="Gone"/></sheetNames><sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1"><v>1</v></cell></row>' +
    '<row r="2"><cell r="A2" t="b"><v>1</v></cell><cell r="B2"><v>42</v></cell></row><row r="3"><cell r="B3"><v>3</v></cell>' +
    '</row></sheetData><sheetData sheetId="1"><row r="1"><cell r="A1" t="str"><v>from there</v></cell></row></sheetData>' +
    '<sheetData sheetId="2" refreshError="1"/></sheetDataSet></externalBook></externalLink>';
  parts['xl/externalLinks/_rels/externalLink1.xml.rels'] = relationships([
    'rId1',
    'externalLinkPath',
    'file:///C:/books/price%20list.xlsx',
    'External',
  ]);
  const { document, warnings } = readTestWorkbook(zipped(parts));
  const shown = (one: SheetDocument): unknown[][] =>
    [0, 1, 2].map((row) => [0, 1, 2].map((col) => one.value(one.subSheets[0]!, row, col)));
  const expected = [
    [84, 'from there', 45],
    [42, 2, 7],
    [3, true, null],
  ];
  expect(shown(document)).toEqual(expected);
  const sub = document.subSheets[0]!;
  expect([document.formula(sub, 0, 0), document.formula(sub, 0, 1), document.formula(sub, 2, 0)]).toEqual([
    "='[price list.xlsx]Prices'!$B$2*2",
    "='[price list.xlsx]Bob''s texts'!A1",
    "='[price list.xlsx]Prices'!B3",
  ]);
  expect(warnings).toEqual([
    "'Data' C2: the formula refers to price list.xlsx, another workbook; its last value was kept",
    "'Data' A1, B1, C1, A2, A3 and 1 more: the formula refers to price list.xlsx, another workbook; it is computed from the " +
      'last values that the file has of it',
  ]);
  // What they refer to stays where it is.
  const { inverse } = edit(document, [insertDimension.of({ sheet: sub.id, axis: 'row', at: 0, count: 2 })]);
  expect([document.formula(sub, 4, 0), document.value(sub, 4, 0)]).toEqual(["='[price list.xlsx]Prices'!B3", 3]);
  edit(document, inverse);
  expect(shown(loadSnapshot(encodeSnapshot(document)))).toEqual(expected);
  document.workbook.recalcAll();
  expect(shown(document)).toEqual(expected);
  const bytes = writeXlsx(document);
  const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!);
  for (const text of ['[1]Prices!$B$2*2', "'[1]Bob''s texts'!A1", 'SUM([1]Prices!B:B)'])
    expect(sheet).toContain(`<f>${text}</f>`);
  const again = readTestWorkbook(bytes);
  expect(shown(again.document)).toEqual(expected);
  expect(again.document.formula(again.document.subSheets[0]!, 0, 1)).toBe("='[price list.xlsx]Bob''s texts'!A1");
  expect(again.document.names()).toEqual([
    { name: 'Rate', sheet: undefined, formula: "='[price list.xlsx]Prices'!$A$1" },
  ]);
});

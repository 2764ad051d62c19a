import { expect, test } from 'vitest';
import { TableReferences } from '../../src/xlsx/table-references.ts';
import { ZipWriter } from '../../src/zip/writer.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';

const tables = new TableReferences();
tables.add(
  '<table displayName="Sales" ref="B2:E6" totalsRowCount="1"><tableColumns><tableColumn name="Region"/>' +
    '<tableColumn name="Net price"/><tableColumn name="Units [kg]"/><tableColumn name="Due_x000a_date"/>' +
    '</tableColumns></table>',
  'table1',
  'Data',
);
tables.add(
  '<table displayName="Bare" ref="A1:A3" headerRowCount="0"><tableColumns><tableColumn name="Column1"/></tableColumns></table>',
  'table2',
  'My data',
);

test.each([
  ['SUM(Sales[Net price])', 'SUM($C$3:$C$5)'],
  ['sum(sales[NET PRICE])', 'sum($C$3:$C$5)'],
  ['ROWS(Sales)', 'ROWS($B$3:$E$5)'],
  ['ROWS(Sales[])', 'ROWS($B$3:$E$5)'],
  ['Sales[[#Headers],[Region]]', '$B$2'],
  ['Sales[#Totals]', '$B$6:$E$6'],
  ['Sales[#All]', '$B$2:$E$6'],
  ['Sales[[#Headers],[#Data],[Region]]', '$B$2:$B$5'],
  ['Sales[[#Data],[#Totals],[Region]:[Net price]]', '$B$3:$C$6'],
  ['Sales[[Region]:[Net price]]', '$B$3:$C$5'],
  ['Sales[@Region]', '$B4'],
  ['Sales[@[Net price]]*2', '$C4*2'],
  ['Sales[[#This Row],[Region]:[Net price]]', '$B4:$C4'],
  ['[@Region]&[Net price]', '$B4&$C$3:$C$5'],
  ["SUM(Sales[Units '[kg']])", 'SUM($D$3:$D$5)'],
  ['Sales[Due\ndate]', '$E$3:$E$5'],
  ['Sales[#REF!]', '#REF!'],
  ['SUM(Bare)', "SUM('My data'!$A$1:$A$3)"],
  ['Bare[#Headers]', '#REF!'],
  ['"Sales[Region]"&Sales!A1&Sales2', '"Sales[Region]"&Sales!A1&Sales2'],
  ["'Sales'!A1+[1]Other!B2+$A$1+1E5", "'Sales'!A1+[1]Other!B2+$A$1+1E5"],
])('%s stands for %s', (text, expected) => {
  expect(tables.replace(text, { sheet: 'Data', row: 3, col: 2 })).toBe(expected);
});

test('this row outside the rows of a table is an error, and other sub-sheets are named', () => {
  expect(tables.replace('Sales[@Region]', { sheet: 'Data', row: 9, col: 0 })).toBe('#VALUE!');
  expect(tables.replace('Sales[Region]', { sheet: 'Other', row: 0, col: 0 })).toBe('Data!$B$3:$B$5');
});

test('formulas of a file that name its tables compute on their cells', () => {
  const zip = new ZipWriter(new Date(0));
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
  zip.add('_rels/.rels', `<Relationships>${relation('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`);
  zip.add(
    'xl/workbook.xml',
    '<workbook xmlns:r="r"><sheets><sheet name="Data" r:id="r1"/></sheets><definedNames>' +
      '<definedName name="Prices">Sales[Price]</definedName></definedNames></workbook>',
  );
  zip.add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}</Relationships>`,
  );
  zip.add(
    'xl/worksheets/_rels/sheet1.xml.rels',
    `<Relationships>${relation('r1', 'table', '../tables/table1.xml')}</Relationships>`,
  );
  zip.add(
    'xl/tables/table1.xml',
    '<table displayName="Sales" ref="A1:B3"><tableColumns><tableColumn name="Price"/><tableColumn name="Double"/></tableColumns></table>',
  );
  const cells = [
    '<c r="A1" t="str"><v>Price</v></c><c r="B1" t="str"><v>Double</v></c>',
    '<c r="A2"><v>3</v></c><c r="B2"><f>Sales[[#This Row],[Price]]*2</f></c><c r="D2"><f>SUM(Sales[Double])</f></c>',
    '<c r="A3"><v>4</v></c><c r="B3"><f>Sales[[#This Row],[Price]]*2</f></c><c r="D3"><f>SUM(Prices)</f></c>',
  ];
  zip.add(
    'xl/worksheets/sheet1.xml',
    `<worksheet><sheetData>${cells.map((row, i) => `<row r="${i + 1}">${row}</row>`).join('')}</sheetData></worksheet>`,
  );
  const { document, warnings } = readTestWorkbook(zip.finish());
  const sub = document.subSheets[0]!;
  expect(warnings).toEqual([]);
  expect(document.formula(sub, 2, 1)).toBe('=Sales[@Price]*2');
  expect(document.value(sub, 1, 3)).toBe(14);
  expect(document.value(sub, 2, 3)).toBe(7);
});

import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { edit, loadSnapshot, encodeSnapshot, type Mutation, type SheetDocument } from '@sheaf/engine';
import { deleteDimension, insertDimension, putMark, setFilter, setValues } from '@sheaf/engine/internal/mutations';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { relationships, workbookParts, zipped, type Parts } from '@sheaf/tools/testing/workbook-parts.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const text = (ref: string, value: string): string => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (ref: string, value: number): string => `<c r="${ref}"><v>${value}</v></c>`;
const formula = (ref: string, value: string): string => `<c r="${ref}"><f>${value}</f><v>0</v></c>`;

const columns = [
  '<tableColumn id="3" name="Item" totalsRowLabel="Total" headerRowDxfId="1"/>',
  '<tableColumn id="5" name="Price" totalsRowFunction="sum" dataDxfId="0" totalsRowDxfId="1"/>',
  '<tableColumn id="8" name="Kilos" totalsRowFunction="custom" dataDxfId="1"><totalsRowFormula>MAX(Sales[Kilos])+1</totalsRowFormula></tableColumn>',
  '<tableColumn id="9" name="Sum" totalsRowFunction="average" dataCellStyle="Comma">' +
    '<calculatedColumnFormula>Sales[[#This Row],[Price]]*2</calculatedColumnFormula></tableColumn>',
];
const filter =
  '<filterColumn colId="0" hiddenButton="1"/><filterColumn colId="1"><customFilters>' +
  '<customFilter operator="greaterThan" val="1"/></customFilters></filterColumn>';

const autoFilter = `<autoFilter ref="B2:E5">${filter}</autoFilter>`;
const tableStyle = '<tableStyleInfo name="TableStyleMedium2" showRowStripes="1"/>';

/** Sales in B2:E6 with totals in row 6. The cells of its last column have different formulas. */
function imported(): Parts {
  const styles =
    `<styleSheet xmlns="${main}"><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders>` +
    '<cellXfs><xf/></cellXfs><dxfs count="2"><dxf><numFmt numFmtId="4" formatCode="#,##0.00"/></dxf><dxf><font><b/></font></dxf></dxfs></styleSheet>';
  const parts = workbookParts(
    {
      Data:
        `<row r="2">${text('B2', 'Item')}${text('C2', 'Price')}${text('D2', 'Kilos')}${text('E2', 'Sum')}</row>` +
        `<row r="3">${text('B3', 'a')}${number('C3', 3)}${number('D3', 1)}${number('E3', 7)}</row>` +
        `<row r="4">${text('B4', 'b')}${number('C4', 4)}${number('D4', 2)}${formula('E4', 'Sales[[#This Row],[Price]]*3')}</row>` +
        `<row r="5">${text('B5', 'c')}${number('C5', 5)}${number('D5', 3)}${formula('E5', 'Sales[[#This Row],[Price]]*2')}</row>` +
        `<row r="6">${text('B6', 'Total')}${formula('C6', 'SUBTOTAL(109,Sales[Price])')}${formula('D6', 'MAX(Sales[Kilos])+1')}` +
        `${formula('E6', 'SUBTOTAL(101,Sales[Sum])')}</row>`,
    },
    [['rId9', 'styles', 'styles.xml']],
  );
  parts['xl/styles.xml'] = styles;
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(['rId1', 'table', '../tables/table1.xml']);
  parts['xl/tables/table1.xml'] =
    `<table xmlns="${main}" id="7" name="Sales" displayName="Sales" ref="B2:E6" totalsRowCount="1" headerRowDxfId="0" headerRowCellStyle="Normal">` +
    `${autoFilter}<sortState ref="B3:E5"><sortCondition descending="1" ref="C3:C5"/></sortState>` +
    `<tableColumns count="4">${columns.join('')}</tableColumns>${tableStyle}<extLst><ext uri="{1}"/></extLst></table>`;
  return parts;
}

/** The same without a filter and without a style. */
function plain(): Parts {
  const parts = imported();
  const table = parts['xl/tables/table1.xml'] as string;
  return { ...parts, 'xl/tables/table1.xml': table.replace(autoFilter, '').replace(tableStyle, '') };
}

function exported(
  change: (sheet: string, document: SheetDocument) => Mutation[] = () => [],
  parts = imported(),
): { table: string; sheet: string } {
  const document = loadSnapshot(encodeSnapshot(readTestWorkbook(zipped(parts)).document));
  const mutations = change(document.subSheets[0]!.id, document);
  if (mutations.length > 0) edit(document, mutations);
  const files = unzipSync(writeXlsx(document, { images: new Map(), at: new Date(0) }));
  return {
    table: strFromU8(files['xl/tables/table1.xml']!),
    sheet: strFromU8(files['xl/worksheets/sheet1.xml']!),
  };
}

const columnsOf = (table: string): string[] =>
  [...table.matchAll(/<tableColumn [^>]*?(?:\/>|>.*?<\/tableColumn>)/g)].map(([xml]) => xml);

test('[finding X20] a table goes out as it came: totals, formats, filters, hidden buttons, sort order, formulas', () => {
  const { table, sheet } = exported();
  expect(columnsOf(table)).toEqual(columns);
  expect(table).toContain(`<autoFilter ref="B2:E5">${filter}</autoFilter>`);
  expect(table).toContain('<sortState ref="B3:E5"><sortCondition descending="1" ref="C3:C5"/></sortState>');
  expect(table).toContain(' headerRowDxfId="0" headerRowCellStyle="Normal"');
  expect(sheet).toContain('<f>SUBTOTAL(109,Sales[Price])</f>');
});

test('[finding X20] rows that are inserted change the ranges alone', () => {
  const { table } = exported((sheet) => [insertDimension.of({ sheet, axis: 'row', at: 3, count: 2 })]);
  expect(table).toContain(' ref="B2:E8" totalsRowCount="1" headerRowDxfId="0" headerRowCellStyle="Normal"');
  expect(columnsOf(table)).toEqual(columns);
  expect(table).toContain(`<autoFilter ref="B2:E7">${filter}</autoFilter>`);
  expect(table).toContain('<sortState ref="B3:E7"><sortCondition descending="1" ref="C3:C7"/></sortState>');
});

test('[finding X20] a heading that is renamed changes its name alone', () => {
  const { table } = exported((sheet) => [setValues.of({ sheet, values: [[1, 1, ['Article']]] })]);
  expect(columnsOf(table)).toEqual([columns[0]!.replace('"Item"', '"Article"'), ...columns.slice(1)]);
  expect(table).toContain(`<autoFilter ref="B2:E5">${filter}</autoFilter>`);
});

test('[finding X20] a total that is changed changes its function alone', () => {
  const { table } = exported((sheet) => [
    setValues.of({ sheet, formulas: [[5, 2, 1, '=SUBTOTAL(104,Sales[Price])']] }),
  ]);
  expect(columnsOf(table)).toEqual([
    columns[0],
    columns[1]!.replace('totalsRowFunction="sum"', 'totalsRowFunction="max"'),
    ...columns.slice(2),
  ]);
});

test('[finding X20] columns that are inserted and deleted leave the others as they are', () => {
  const deleted = exported((sheet) => [deleteDimension.of({ sheet, axis: 'col', at: 3, count: 1 })]).table;
  expect(columnsOf(deleted)).toEqual([columns[0], columns[1], columns[3]]);
  const { table } = exported((sheet) => [insertDimension.of({ sheet, axis: 'col', at: 2, count: 1 })]);
  const now = columnsOf(table);
  expect([now[0], ...now.slice(2)]).toEqual(columns);
  expect(now[1]).toMatch(/^<tableColumn id="10" name="Column\d"/);
  expect(table).toContain('<sortState ref="B3:F5"><sortCondition descending="1" ref="D3:D5"/></sortState>');
});

test('a filter and a style that a table did not have go out in their places', () => {
  const { table } = exported((sheet, document) => {
    const [one] = document.subSheets[0]!.tables;
    const criteria = [{ col: 1, visible: ['a'] }];
    return [
      setFilter.of({ sheet, filter: { id: 'f', region: [1, 1, 4, 4], columns: criteria, hidden: [[3, 4]] } }),
      putMark.of({ sheet, list: 'tables', mark: { ...one!, style: { name: 'TableStyleLight1', rowStripes: true } } }),
    ];
  }, plain());
  const elements = [...table.matchAll(/<(autoFilter|sortState|tableColumns|tableStyleInfo|extLst)\b/g)];
  expect(elements.map(([, tag]) => tag)).toEqual([
    'autoFilter',
    'sortState',
    'tableColumns',
    'tableStyleInfo',
    'extLst',
  ]);
  expect(table).toMatch(/<autoFilter [^>]*ref="B2:E5"[^>]*><filterColumn colId="0"><filters><filter val="a"\/>/);
  expect(table).toMatch(/<tableStyleInfo [^>]*name="TableStyleLight1"[^>]* showRowStripes="1"/);
  expect(columnsOf(table)).toEqual(columns);
});

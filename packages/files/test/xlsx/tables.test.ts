import { expect, test } from 'vitest';
import { unzipSync, strFromU8 } from 'fflate';
import { type SheetDocument, edit, loadSnapshot, encodeSnapshot } from '@sheaf/engine';
import { deleteDimension, insertDimension, permuteRows, setValues } from '@sheaf/engine/internal/mutations';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { relationships, workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

const text = (ref: string, value: string): string => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (ref: string, value: number): string => `<c r="${ref}"><v>${value}</v></c>`;
const formula = (ref: string, value: string): string => `<c r="${ref}"><f>${value}</f><v>0</v></c>`;

/** Sales in B2:E6: item, unit price, It's [kg], sum; headings in row 2, totals in row 6. G1 to G6 refer to it. */
function imported(): SheetDocument {
  const parts = workbookParts({
    Data:
      `<row r="1">${formula('G1', 'SUM(Sales[sum])')}</row>` +
      `<row r="2">${text('B2', 'item')}${text('C2', 'unit price')}${text('D2', "It's [kg]")}${text('E2', 'sum')}` +
      `${formula('G2', 'COUNTA(Sales[#Headers])')}</row>` +
      [3, 4, 5]
        .map(
          (row) =>
            `<row r="${row}">${text(`B${row}`, `i${row}`)}${number(`C${row}`, row)}${number(`D${row}`, 10)}` +
            `${formula(`E${row}`, "Sales[[#This Row],[unit price]]*Sales[[#This Row],[It''s '[kg']]]")}` +
            `${formula(`G${row}`, ['Sales[[#Totals],[sum]]', 'ROWS(Sales[#All])', 'SUM(Sales[[unit price]:[sum]])'][row - 3]!)}</row>`,
        )
        .join('') +
      `<row r="6">${text('B6', 'Total')}${formula('E6', 'SUBTOTAL(109,Sales[sum])')}${formula('G6', 'COUNTA(Sales)')}</row>`,
  });
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(['rId1', 'table', '../tables/table1.xml']);
  parts['xl/tables/table1.xml'] =
    '<table xmlns="m" id="1" name="Sales" displayName="Sales" ref="B2:E6" totalsRowCount="1"><autoFilter ref="B2:E5"/>' +
    '<tableColumns count="4"><tableColumn id="1" name="item"/><tableColumn id="2" name="unit price"/>' +
    `<tableColumn id="3" name="It's [kg]"/><tableColumn id="4" name="sum"/></tableColumns>` +
    '<tableStyleInfo name="TableStyleMedium2" showRowStripes="1"/></table>';
  return readTestWorkbook(zipped(parts)).document;
}

const formulas = (document: SheetDocument): (string | undefined)[] =>
  [0, 1, 2, 3, 4, 5].map((row) => document.formula(document.subSheets[0]!, row, 6));
const values = (document: SheetDocument): unknown[] =>
  [0, 1, 2, 3, 4, 5].map((row) => document.value(document.subSheets[0]!, row, 6));

test('references into tables are formulas of their own, by the names of the table and its headings', () => {
  const document = imported();
  const sub = document.subSheets[0]!;
  expect(formulas(document)).toEqual([
    '=SUM(Sales[sum])',
    '=COUNTA(Sales[#Headers])',
    '=Sales[[#Totals],[sum]]',
    '=ROWS(Sales[#All])',
    '=SUM(Sales[[unit price]:[sum]])',
    '=COUNTA(Sales)',
  ]);
  expect(document.formula(sub, 3, 4)).toBe("=Sales[@[unit price]]*Sales[@[It''s '[kg']]]");
  expect([2, 3, 4, 5].map((row) => document.value(sub, row, 4))).toEqual([30, 40, 50, 120]);
  expect(values(document)).toEqual([120, 4, 120, 5, 162, 12]);
});

test('they follow headings, rows and columns, and come back', () => {
  const document = imported();
  const sub = document.subSheets[0]!;
  const sheet = sub.id;
  const before = encodeSnapshot(document);
  const steps: [Parameters<typeof edit>[1], (now: SheetDocument) => void][] = [
    [
      [setValues.of({ sheet, values: [[1, 4, ['amount']]] })],
      (now) => expect(formulas(now)[0]).toBe('=SUM(Sales[amount])'),
    ],
    [[setValues.of({ sheet, values: [[3, 2, [100]]] })], (now) => expect(values(now)[0]).toBe(1080)],
    [
      [insertDimension.of({ sheet, axis: 'row', at: 3, count: 1 }), setValues.of({ sheet, values: [[3, 4, [5]]] })],
      (now) => expect([now.value(sub, 0, 6), now.value(sub, 4, 6)]).toEqual([125, 6]),
    ],
    [
      [insertDimension.of({ sheet, axis: 'col', at: 0, count: 2 })],
      (now) => expect([now.formula(sub, 0, 8), now.value(sub, 0, 8)]).toEqual(['=SUM(Sales[sum])', 120]),
    ],
    [
      [deleteDimension.of({ sheet, axis: 'col', at: 2, count: 1 })],
      (now) => {
        expect(now.formula(sub, 3, 3)).toBe("=Sales[@[#REF!]]*Sales[@[It''s '[kg']]]");
        expect(String(now.value(sub, 3, 3))).toBe('#REF!');
      },
    ],
    [
      [permuteRows.of({ sheet, region: [2, 1, 4, 4], order: [2, 1, 0] })],
      (now) => expect([now.value(sub, 2, 4), values(now)[0]]).toEqual([50, 120]),
    ],
  ];
  for (const [mutations, check] of steps) {
    const { inverse } = edit(document, mutations);
    check(document);
    const kept = loadSnapshot(encodeSnapshot(document));
    edit(document, inverse);
    expect(encodeSnapshot(document)).toEqual(before);
    edit(kept, inverse);
    expect(encodeSnapshot(kept)).toEqual(before);
  }
});

test('a formula that is typed into a table may leave its name out; one of a table that is not there waits for it', () => {
  const document = imported();
  const sub = document.subSheets[0]!;
  edit(document, [
    setValues.of({
      sheet: sub.id,
      formulas: [
        [2, 4, 3, '=[@[unit price]]+SUM([unit price])'],
        [9, 0, 1, '=SUM(Nope[x])'],
        [10, 0, 1, '=sales[@item]'],
      ],
    }),
  ]);
  expect(document.formula(sub, 3, 4)).toBe('=Sales[@[unit price]]+SUM(Sales[unit price])');
  expect([2, 3, 4].map((row) => document.value(sub, row, 4))).toEqual([15, 16, 17]);
  expect(document.formula(sub, 9, 0)).toBe('=SUM(Nope[x])');
  expect(String(document.value(sub, 9, 0))).toBe('#REF!');
  expect(String(document.value(sub, 10, 0))).toBe('#VALUE!');
});

test('they go out as files have them, and come in again', () => {
  const document = imported();
  edit(document, [setValues.of({ sheet: document.subSheets[0]!.id, values: [[1, 2, ['net price']]] })]);
  const bytes = writeXlsx(document, { images: new Map(), at: new Date(0) });
  const files = unzipSync(bytes);
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml']!);
  expect(sheet).toContain("<f>Sales[[#This Row],[net price]]*Sales[[#This Row],[It''s '[kg']]]</f>");
  expect(strFromU8(files['xl/tables/table1.xml']!)).toContain('name="net price"');
  const again = readTestWorkbook(bytes);
  expect(again.warnings).toEqual([]);
  expect(formulas(again.document)).toEqual(formulas(document));
  expect(values(again.document)).toEqual([120, 4, 120, 5, 162, 12]);
});

test('INDIRECT reads references into tables', () => {
  const document = imported();
  const sub = document.subSheets[0]!;
  const sheet = sub.id;
  const texts = [
    'SUM(INDIRECT("Sales[sum]"))',
    'ROWS(INDIRECT("sales"))',
    'INDIRECT("Sales[none]")',
    'INDIRECT("T[a]")',
  ];
  edit(document, [setValues.of({ sheet, formulas: texts.map((text, i) => [i, 8, 1, `=${text}`]) })]);
  const results = (): string[] => texts.map((_, i) => document.text(sub, i, 8));
  expect(results()).toEqual(['120', '3', '#REF!', '#REF!']);
  edit(document, [setValues.of({ sheet, values: [[3, 2, [100]]] })]);
  expect(results()[0]).toBe('1080');
});

import { expect, test } from 'vitest';
import { type SheetDocument, BudgetExceeded, edit, loadSnapshot, encodeSnapshot } from '@sheaf/engine';
import { setValues } from '@sheaf/engine/internal/mutations';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

/** Interest on the mean of a balance that holds the interest: A1 = 1000, A2 = A1 + A3, A3 = (A1+A2)/2 * 10 %. */
function imported(attributes: string): SheetDocument {
  const parts = workbookParts({
    Loan:
      '<row r="1"><c r="A1"><v>1000</v></c><c r="B1"><f>A3*2</f><v>7</v></c></row>' +
      '<row r="2"><c r="A2"><f>A1+A3</f><v>7</v></c><c r="B2"><f>B2+1</f><v>7</v></c></row>' +
      '<row r="3"><c r="A3"><f>(A1+A2)/2*0.1</f><v>7</v></c><c r="B3"><f>IF(TRUE,5,B3)</f><v>7</v></c></row>',
  });
  parts['xl/workbook.xml'] = String(parts['xl/workbook.xml']).replace(
    '</workbook>',
    `<calcPr${attributes}/></workbook>`,
  );
  return readTestWorkbook(zipped(parts)).document;
}

const column = (document: SheetDocument, col: number): unknown[] =>
  [0, 1, 2].map((row) => document.value(document.subSheets[0]!, row, col));

test('circles are iterated where the workbook asks for it, and only there', () => {
  const iterated = imported(' iterate="1" iterateCount="100" iterateDelta="1E-9"');
  expect(column(iterated, 0).map((value) => Number(value).toFixed(6))).toEqual([
    '1000.000000',
    '1105.263158',
    '105.263158',
  ]);
  expect(column(iterated, 1).map((value) => Number(Number(value).toFixed(6)))).toEqual([210.526316, 100, 5]);
  const plain = imported('');
  expect(column(plain, 0).map(String)).toEqual(['1000', '#CIRC!', '#CIRC!']);
  expect(column(plain, 1).map(String)).toEqual(['#CIRC!', '#CIRC!', '5']);
});

test('what a circle shows follows from the contents: not from what it showed before', () => {
  const document = imported(' iterate="1" iterateCount="10" iterateDelta="0.001"');
  const sheet = document.subSheets[0]!.id;
  const before = encodeSnapshot(document);
  expect(column(document, 1)[1]).toBe(10);
  const { inverse } = edit(document, [setValues.of({ sheet, values: [[0, 0, [2000]]] })]);
  expect(Number(column(document, 0)[1]).toFixed(3)).toBe('2210.526');
  edit(document, inverse);
  expect(encodeSnapshot(document)).toEqual(before);
  const opened = loadSnapshot(before);
  edit(opened, [setValues.of({ sheet, values: [[0, 0, [2000]]] })]);
  expect(Number(column(opened, 0)[1]).toFixed(3)).toBe('2210.526');
  const again = readTestWorkbook(writeXlsx(opened, { images: new Map(), at: new Date(0) })).document;
  expect(column(again, 1)[1]).toBe(10);
});

test('iterating is counted: a circle of many rounds ends with its budget, and nothing is changed', () => {
  const document = imported(' iterate="1" iterateCount="32767" iterateDelta="0"');
  const sheet = document.subSheets[0]!.id;
  const before = encodeSnapshot(document);
  expect(() => edit(document, [setValues.of({ sheet, formulas: [[4, 2, 1, '=C5+1']] })], { limit: 5000 })).toThrow(
    BudgetExceeded,
  );
  expect(encodeSnapshot(document)).toEqual(before);
});

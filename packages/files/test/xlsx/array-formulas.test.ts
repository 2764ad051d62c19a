import { expect, test } from 'vitest';
import { type SheetDocument, edit, loadSnapshot, encodeSnapshot } from '@sheaf/engine';
import {
  clearContents,
  deleteDimension,
  insertDimension,
  insertRange,
  merge,
  permuteRows,
  setValues,
} from '@sheaf/engine/internal/mutations';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

const cell = (ref: string, value: number, formula = ''): string => `<c r="${ref}">${formula}<v>${value}</v></c>`;
const array = (ref: string, text: string): string => `<f t="array" ref="${ref}">${text}</f>`;

/** `{=123}` in C2:C5, `{=A2:A3*B1:C1}` in E2:G4 (its result is smaller), `{=SUM(A2:A3*2)}` in I2. */
function imported(): SheetDocument {
  return readTestWorkbook(
    zipped(
      workbookParts({
        Data:
          `<row r="1">${cell('B1', 10)}${cell('C1', 100)}</row>` +
          `<row r="2">${cell('A2', 2)}${cell('C2', 123, array('C2:C5', '123'))}` +
          `${cell('E2', 20, array('E2:G4', 'A2:A3*B1:C1'))}${cell('F2', 200)}${cell('G2', 7)}` +
          `${cell('I2', 10, array('I2', 'SUM(A2:A3*2)'))}${cell('J2', 3, array('J2', 'A2:A3+1'))}</row>` +
          `<row r="3">${cell('A3', 3)}${cell('C3', 123)}</row>`,
      }),
    ),
  ).document;
}

const shown = (document: SheetDocument, top: number, left: number, bottom: number, right: number): unknown[][] =>
  Array.from({ length: bottom - top + 1 }, (_, r) =>
    Array.from({ length: right - left + 1 }, (_c, c) => document.text(document.subSheets[0]!, top + r, left + c)),
  );

const expected = [
  ['20', '200', '#N/A'],
  ['30', '300', '#N/A'],
  ['#N/A', '#N/A', '#N/A'],
];

test('[finding T7] array formulas of the old kind fill the range they name, no more and no less', () => {
  const document = imported();
  expect(shown(document, 1, 2, 5, 2)).toEqual([['123'], ['123'], ['123'], ['123'], ['']]);
  expect(shown(document, 1, 4, 3, 6)).toEqual(expected);
  expect(shown(document, 1, 8, 2, 9)).toEqual([
    ['10', '3'],
    ['', ''],
  ]);
});

test('they keep their range when what they read changes, in snapshots and in files', () => {
  const document = imported();
  const sheet = document.subSheets[0]!.id;
  edit(document, [setValues.of({ sheet, values: [[1, 0, [5]]] })]);
  const after = [['50', '500', '#N/A'], ...expected.slice(1)];
  expect(shown(document, 1, 4, 3, 6)).toEqual(after);
  const opened = loadSnapshot(encodeSnapshot(document));
  expect(shown(opened, 1, 4, 3, 6)).toEqual(after);
  expect(() => edit(opened, [setValues.of({ sheet, values: [[2, 5, [1]]] })])).toThrow('E2:G4');
  const again = readTestWorkbook(writeXlsx(opened, { images: new Map(), at: new Date(0) })).document;
  expect(shown(again, 1, 4, 3, 6)).toEqual(after);
  expect(shown(again, 1, 8, 2, 9)).toEqual([
    ['16', '6'],
    ['', ''],
  ]);
});

test('a part of an array formula cannot be changed; all of it can', () => {
  const document = imported();
  const sheet = document.subSheets[0]!.id;
  const before = encodeSnapshot(document);
  for (const change of [
    setValues.of({ sheet, values: [[2, 5, [1]]] }),
    setValues.of({ sheet, values: [[1, 4, [1]]] }),
    clearContents.of({ sheet, region: [1, 4, 2, 6] }),
    insertDimension.of({ sheet, axis: 'row', at: 2, count: 1 }),
    deleteDimension.of({ sheet, axis: 'col', at: 5, count: 1 }),
    insertRange.of({ sheet, region: [2, 5, 2, 5], axis: 'row' }),
    merge.of({ sheet, regions: [[2, 5, 2, 6]] }),
    permuteRows.of({ sheet, region: [1, 4, 2, 4], order: [1, 0] }),
  ])
    expect(() => edit(document, [change]), JSON.stringify(change)).toThrow('a part of the array formula');
  expect(encodeSnapshot(document)).toEqual(before);
  for (const change of [
    clearContents.of({ sheet, region: [0, 3, 9, 6] }),
    setValues.of({ sheet, values: [4, 5, 6].map((col) => [1, col, [1, 2, 3]] as const) }),
    deleteDimension.of({ sheet, axis: 'col', at: 4, count: 3 }),
    insertDimension.of({ sheet, axis: 'row', at: 0, count: 2 }),
    deleteDimension.of({ sheet, axis: 'row', at: 1, count: 5 }),
  ]) {
    const { inverse } = edit(document, [change]);
    expect(encodeSnapshot(document)).not.toEqual(before);
    edit(document, inverse);
    expect(encodeSnapshot(document), JSON.stringify(change)).toEqual(before);
  }
});

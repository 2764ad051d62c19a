import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runWithoutYielding } from '../../../src/lib/event-loop.ts';
import { parseBySchema } from '../../../src/kernel/parse-input.ts';
import {
  cellValue,
  groupIntoRuns,
  acceptValidCellsSteps,
  type CellValue,
} from '../../../src/modules/sheet/cells/cell-input.ts';

const anything = fc.oneof(
  fc.integer({ min: -2, max: 1_048_577 }),
  fc.double(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.constant('7'),
);
const cell = fc.record(
  {
    row: fc.oneof({ weight: 4, arbitrary: fc.nat(1_048_575) }, anything),
    col: fc.oneof({ weight: 4, arbitrary: fc.nat(16_383) }, anything),
    value_type: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('NUMBER', 'STRING', 'BOOL', 'FORMULA') }, anything),
    number_value: fc.oneof(fc.double(), anything),
    string_value: fc.oneof(fc.string(), anything),
    bool_value: fc.oneof(fc.boolean(), anything),
    formula: fc.oneof(fc.constant('=A1'), anything),
    extra: fc.string(),
  },
  { requiredKeys: [] },
);

const accept = (values: unknown): CellValue[] | undefined => runWithoutYielding(acceptValidCellsSteps(values));

/** What cells mean, or why they mean nothing. */
function outcome(cells: readonly CellValue[]): unknown {
  try {
    return groupIntoRuns(cells, (index) => `values[${index}].`);
  } catch (error) {
    return (error as Error).message;
  }
}

test('cells taken without the schema are exactly what the schema gives', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 3 }), (values) => {
      const plain = accept(values);
      if (plain === undefined) return;
      taken++;
      expect(outcome(plain)).toEqual(outcome(parseBySchema(z.array(cellValue), values)));
    }),
    { numRuns: 5000 },
  );
  expect(taken).toBeGreaterThan(0);
});

test('[finding T13] a cell whose unused fields are null is taken without the schema', () => {
  const unset = { number_value: null, string_value: null, bool_value: null, formula: null };
  const values = [
    { ...unset, row: 0, col: 0, value_type: 'NUMBER', number_value: 1 },
    { ...unset, row: 1, col: 0, value_type: 'STRING', string_value: 'x' },
    { ...unset, row: 2, col: 0, value_type: 'BOOL', bool_value: true },
    { ...unset, row: 0, col: 1, value_type: 'FORMULA', formula: 'A1' },
  ];
  expect(outcome(accept(values)!)).toEqual({
    values: [[0, 0, [1, 'x', true]]],
    formulas: [[0, 1, 1, '=A1']],
  });
  expect(accept([{ ...unset, row: 0, col: 0, value_type: 'NUMBER' }])).toBeUndefined();
  expect(accept([{ ...unset, row: null, col: 0, value_type: 'NUMBER', number_value: 1 }])).toBeUndefined();
});

test('[S3] cells in any order are runs down columns, and a cell given twice has its last value', () => {
  const number = (row: number, col: number, number_value: number): CellValue => ({
    row,
    col,
    value_type: 'NUMBER',
    number_value,
  });
  const text = (row: number, col: number, string_value: string): CellValue => ({
    row,
    col,
    value_type: 'STRING',
    string_value,
  });
  const formula = (row: number, col: number, text: string): CellValue => ({
    row,
    col,
    value_type: 'FORMULA',
    formula: text,
  });
  expect(
    groupIntoRuns(
      [
        number(1, 0, 11),
        number(0, 1, 2),
        number(0, 0, 1),
        text(2, 0, 'x'),
        number(1, 0, 12),
        formula(4, 1, 'A1'),
        text(5, 0, ''),
        number(1_048_575, 16_383, 9),
      ],
      String,
    ),
  ).toEqual({
    values: [
      [0, 0, [1, 12, 'x']],
      [5, 0, [null]],
      [0, 1, [2]],
      [1_048_575, 16_383, [9]],
    ],
    formulas: [[4, 1, 1, '=A1']],
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cellValue, plainCells } from '../../src/sheet/cell-values.ts';

const anything = fc.oneof(fc.integer({ min: -2, max: 1_048_577 }), fc.double(), fc.string(), fc.boolean(), fc.constant(null), fc.constant(undefined), fc.constant('7'));
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

test('cells taken without the schema are exactly what the schema gives', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 3 }), (values) => {
      const plain = plainCells(values);
      if (plain === undefined) return;
      taken++;
      expect(plain).toEqual(z.array(cellValue).parse(values));
    }),
    { numRuns: 5000 },
  );
  expect(taken).toBeGreaterThan(0);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseBySchema } from '../../../src/kernel/parse-input.ts';
import { runWithoutYielding } from '../../../src/lib/event-loop.ts';
import { cellValue, groupIntoRuns } from '../../../src/modules/sheet/cells/cell-input.ts';
import { unpackContents } from '../../../src/modules/sheet/cells/packed-contents.ts';
import { type ScannedCells, scanRequestCellsSteps } from '../../../src/modules/sheet/cells/request-cell-scanner.ts';

const maxCells = 1000;

/** What a body means by way of its bytes. */
function scanned(body: string | Uint8Array): unknown {
  const found = runWithoutYielding(
    scanRequestCellsSteps(typeof body === 'string' ? Buffer.from(body) : body, maxCells),
  );
  if (!found) return undefined;
  const { values, ...around } = found;
  return { around, ...unpackContents((values as ScannedCells).contents) };
}

/** The same by way of the JSON parser and the schema. */
function parsed(body: string): unknown {
  const { values, ...around } = JSON.parse(body) as Record<string, unknown>;
  return { around, ...groupIntoRuns(parseBySchema(z.array(cellValue).max(maxCells), values), String) };
}

const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.integer().map(String),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat({ max: 10 ** 9 }))
    .map(([whole, part]) => `${whole}.${part}`),
  fc.constantFrom(
    '0',
    '-0',
    '0.1',
    '1e3',
    '1E+3',
    '5e-324',
    '1e400',
    '-',
    '1.',
    '.5',
    '01',
    '-01',
    '1e',
    '0x1',
    '9007199254740993',
    '123456789012345',
    '1234567890123456',
    '0.000000000000001',
    '4.35',
    'NaN',
    'null',
  ),
);
const textText = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value)),
  fc.constantFrom('"a\\u0041\\n"', '"\\u0000"', '"\\x"', '"\\ud800"', '"a\tb"', '"unclosed', '""', '"\\\\"', '"\\""'),
);
const entries = fc.oneof(
  { weight: 6, arbitrary: numberText.map((value) => ['"value_type":"NUMBER"', `"number_value":${value}`]) },
  { weight: 6, arbitrary: textText.map((value) => ['"value_type":"STRING"', `"string_value":${value}`]) },
  { weight: 3, arbitrary: textText.map((value) => ['"value_type":"FORMULA"', `"formula":${value}`]) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('true', 'false', 'null', '1')
      .map((value) => ['"value_type":"BOOL"', `"bool_value":${value}`]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ['"value_type":"NUMBER"'],
      ['"value_type":"DATE"', '"number_value":1'],
      ['"value_type":"BOOL"', '"number_value":1'],
      ['"number_value":1'],
      ['"__proto__":{}', '"value_type":"NUMBER"', '"number_value":1'],
    ),
  },
);
const place = (name: string, past: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 12, arbitrary: fc.nat(5) },
      fc.constantFrom(past - 1, past, -1, '1.0', '00', '"1"', 'null', 99_999_999_999),
    )
    .map((value) => `"${name}":${value}`);
const space = fc.oneof({ weight: 8, arbitrary: fc.constant('') }, fc.constantFrom(' ', '\n\t', '\r\n  '));
const cell = fc
  .tuple(
    place('row', 1_048_576),
    place('col', 16_384),
    entries,
    fc.oneof(
      { weight: 12, arbitrary: fc.constant([] as string[]) },
      fc.constantFrom(
        ['"row":2'],
        ['"note":"x"'],
        ['"number_value":null'],
        ['"formula":null', '"bool_value": null'],
        ['"string_value":nul'],
      ),
    ),
  )
  .chain(([row, col, rest, more]) =>
    fc.tuple(
      fc.shuffledSubarray([row, col, ...rest, ...more], { minLength: 2 + rest.length + more.length }),
      fc.boolean(),
      space,
      space,
    ),
  )
  .map(
    ([fields, isKept, before, after]) =>
      `{${before}${(isKept ? fields : fields.toSorted()).join(`${after},${before}`)}${after}}`,
  );
const body = fc
  .tuple(
    fc.array(cell, { minLength: 1, maxLength: 6 }),
    space,
    fc.constantFrom(
      '',
      ',"return_changes":true',
      ',"values":[]',
      ',"x":{"values":[1]}',
      ',"x":"\\u0076alues"',
      '}',
      ',"more":1e3 ',
    ),
    fc.constantFrom(
      '{"file_id":"d","sheet_id":"s",',
      '{',
      ' {',
      '{"a":{',
      '{"a":[],',
      '{"a":"\\"",',
      '\u{feff}{',
      '{"名":"表",',
    ),
  )
  .map(
    ([cells, between, after, before]) =>
      `${before}"values":[${between}${cells.join(`${between},${between}`)}${between}]${after}}`,
  );

test('what is read straight from the bytes is exactly what the parser and the schema give', () => {
  let taken = 0;
  fc.assert(
    fc.property(body, (text) => {
      const straight = scanned(text);
      if (straight === undefined) return;
      taken++;
      expect(straight).toEqual(parsed(text));
    }),
    { numRuns: 20_000 },
  );
  expect(taken).toBeGreaterThan(300);
});

test('a damaged body is never taken for what it is not', () => {
  const whole = Buffer.from(
    '{"file_id":"d","sheet_id":"s","values":[{"row":1,"col":2,"value_type":"NUMBER",' +
      '"number_value":-1.25},{"row":1,"col":3,"value_type":"STRING","string_value":"né"}],' +
      '"return_changes":true}',
  );
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
      const damaged = Uint8Array.prototype.slice.call(whole, 0, length);
      if (at < damaged.length) damaged[at] = byte;
      const straight = scanned(damaged);
      if (straight !== undefined) expect(straight).toEqual(parsed(Buffer.from(damaged).toString('utf8')));
    }),
    { numRuns: 20_000 },
  );
});

test('bodies as clients write them are taken', () => {
  const values = [
    { row: 0, col: 0, value_type: 'STRING', string_value: '名前 "x"' },
    { row: 0, col: 1, value_type: 'NUMBER', number_value: 0.1 },
    { row: 1, col: 1, value_type: 'NUMBER', number_value: 1e21 },
    { col: 0, row: 1, value_type: 'BOOL', bool_value: true },
    { row: 2, col: 1, value_type: 'FORMULA', formula: 'B1+B2' },
    { row: 1, col: 1, value_type: 'NUMBER', number_value: 7 },
  ];
  const expected = {
    around: { file_id: 'd', sheet_id: 's' },
    values: [
      [0, 0, ['名前 "x"', true]],
      [0, 1, [0.1, 7]],
    ],
    formulas: [[2, 1, 1, '=B1+B2']],
  };
  for (const text of [
    JSON.stringify({ file_id: 'd', sheet_id: 's', values }),
    JSON.stringify({ values, file_id: 'd', sheet_id: 's' }),
  ])
    expect(scanned(text)).toEqual(expected);
});

test('[finding T13] cells whose unused fields are null are taken; a null that counts is left to the schema', () => {
  const unset = { number_value: null, string_value: null, bool_value: null, formula: null };
  const values = [
    { ...unset, row: 0, col: 0, value_type: 'STRING', string_value: 'x' },
    { row: 1, col: 0, value_type: 'NUMBER', ...unset, number_value: 2 },
    { ...unset, row: 2, col: 0, value_type: 'BOOL', bool_value: false },
    { ...unset, row: 0, col: 1, value_type: 'FORMULA', formula: '=A2' },
  ];
  const expected = { around: {}, values: [[0, 0, ['x', 2, false]]], formulas: [[0, 1, 1, '=A2']] };
  expect(scanned(JSON.stringify({ values }))).toEqual(expected);
  expect(scanned(JSON.stringify({ values }, undefined, 2).replace('"values": [', '"values":['))).toEqual(expected);
  for (const field of ['row', 'col', 'value_type', 'string_value']) {
    expect([field, scanned(JSON.stringify({ values: [{ ...values[0], [field]: null }] }))]).toEqual([field, undefined]);
  }
});

test('a list that is empty or longer than allowed is left to the schema', () => {
  expect(scanned('{"values":[]}')).toBeUndefined();
  const cells = (count: number): string =>
    JSON.stringify({
      values: Array.from({ length: count }, (_, row) => ({ row, col: 0, value_type: 'BOOL', bool_value: true })),
    });
  expect(scanned(cells(maxCells))).toBeDefined();
  expect(scanned(cells(maxCells + 1))).toBeUndefined();
});

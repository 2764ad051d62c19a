/**
 * Builds request bodies of the maximum size that are as expensive as possible to parse. Tests check that the server
 * stays responsive when it receives them.
 */
import type { JsonSchema } from '@sheaf/server/kernel/describe-operation.ts';

export const bodyBytes = 16 * 2 ** 20;

/**
 * Description of a large JSON value: `open`, then `piece` as often as the size given to `bytesOf` allows, then `close`.
 */
export interface Shape {
  readonly name: string;
  readonly open: string;
  readonly piece: string | ((index: number) => string);
  readonly close: string;
  /** Maximum number of repetitions of `piece`, even if the size allows more. */
  readonly most?: number;
}

const textOf = (name: string, piece: string, most?: number): Shape => ({ name, open: '"', piece, close: '"', most });
const listOf = (name: string, piece: Shape['piece'], most?: number): Shape => ({
  name,
  open: '[',
  piece: typeof piece === 'string' ? `,${piece}` : (index) => `${index === 0 ? '' : ','}${piece(index)}`,
  close: ']',
  most,
});

/** JSON strings, one per kind of character with a different cost to parse or copy. */
export const texts: readonly Shape[] = [
  textOf('line breaks', '\\n'),
  textOf('escaped characters', '\\u4e2d'),
  textOf('letters', 'a'),
  textOf('surrogate pairs', '\\ud83d\\ude00'),
  textOf('characters', '中'),
  textOf('quotes', '\\"'),
  textOf('spaces and commas', ' ,'),
  textOf('digits', '1'),
];

/**
 * JSON values that are expensive to parse. The server rejects most of them by their number of values or names, before
 * it validates them against a schema.
 */
export const structures: readonly Shape[] = [
  { name: 'a long number', open: '1', piece: '1', close: '' },
  listOf('many numbers', '1'),
  listOf('long numbers', '123456789.123456789'),
  listOf('short texts', '"a"'),
  listOf('empty objects', '{}'),
  listOf('short keys', '{"a":1}'),
  listOf('nested lists', `${'['.repeat(150)}${']'.repeat(150)}`),
  listOf('nested objects', `${'{"a":'.repeat(150)}1${'}'.repeat(150)}`),
  listOf('escapes in many texts', '"\\n\\u4e2d"'),
  listOf('NUL at the end of many texts', (index) => (index === 1_400_000 ? '"\\u0000"' : '"\\n\\u0030"')),
  listOf('texts of 100 kB', `"${'\\n'.repeat(50_000)}"`),
  listOf('texts of 3 kB', `"${'\\n'.repeat(1_500)}"`),
  { name: 'one name over and over', open: '{', piece: '"a":"\\n",', close: '"a":1}' },
  { name: 'different names', open: '{', piece: (index) => `"name${index}":"\\n",`, close: '"a":1}' },
];

const built = new Map<string, Buffer>();

/**
 * Returns JSON text made of the shape's opening, as many repetitions of its piece as fit into `bytes`, and its closing.
 */
export function bytesOf(shape: Shape, bytes: number): Buffer {
  const key = `${shape.open} ${typeof shape.piece === 'string' ? shape.piece : shape.name} ${shape.most} ${bytes}`;
  let whole = built.get(key);
  if (!whole) {
    const room = bytes - shape.open.length - shape.close.length;
    const middle =
      typeof shape.piece === 'string'
        ? repeated(shape.piece, room, shape.most)
        : generated(shape.piece, room, shape.most);
    const isList = shape.open === '[' && middle[0] === 0x2c;
    whole = Buffer.concat([Buffer.from(shape.open), isList ? middle.subarray(1) : middle, Buffer.from(shape.close)]);
    // Limit the cache, because some values are as large as a whole request body.
    if (built.size > 30) built.clear();
    built.set(key, whole);
  }
  return whole;
}

function repeated(piece: string, room: number, most = Infinity): Buffer {
  const size = Buffer.byteLength(piece);
  return Buffer.alloc(Math.min(most, Math.floor(room / size)) * size, piece);
}

function generated(piece: (index: number) => string, room: number, most = Infinity): Buffer {
  const pieces: string[] = [];
  let left = room;
  for (let index = 0; index < most; index++) {
    const one = piece(index);
    left -= Buffer.byteLength(one);
    if (left < 0) break;
    pieces.push(one);
  }
  return Buffer.from(pieces.join(''));
}

/** Text in an example request that a test replaces by a large value. */
export const mark = '<large value>';

export interface LargeInput {
  readonly input: unknown;
  readonly shape: Shape;
}

/**
 * Returns example requests for an operation. In each, one field is large: a text or list of the maximum length that the
 * schema accepts, or a text that fills the whole request body. One of them may exceed the schema's limit for its field.
 * `turn` selects the kinds of text, so that they vary between operations.
 */
export function largestInputs(schema: JsonSchema, example: Record<string, unknown>, turn: number): LargeInput[] {
  const found: LargeInput[] = [];
  const tooLong: LargeInput[] = [];
  const walk = (inner: JsonSchema, given: unknown, path: string, around: (value: unknown) => unknown): void => {
    const type = inner['type'];
    const put = (shape: Shape): LargeInput => ({
      input: around(mark),
      shape: { ...shape, name: `${path}: ${shape.name}` },
    });
    if (Array.isArray(inner['anyOf'])) {
      for (const one of inner['anyOf'] as JsonSchema[]) walk(one, given, path, around);
    } else if (type === 'string' && inner['enum'] === undefined) {
      const shape = texts[(turn + found.length) % texts.length]!;
      const max = inner['maxLength'] as number | undefined;
      if (max === undefined) found.push(put(shape));
      else {
        found.push(
          put({
            ...shape,
            name: `${max} characters, ${shape.name}`,
            most: shape.name === 'spaces and commas' ? max / 2 : max,
          }),
        );
        tooLong.push(put(shape));
      }
    } else if (type === 'array') {
      const max = inner['maxItems'] as number | undefined;
      const items = (inner['items'] ?? {}) as JsonSchema;
      const one = Array.isArray(given) && given.length > 0 ? (given as unknown[])[0] : sampleOf(items);
      found.push(put(listOf('short entries', JSON.stringify(one), max)));
      walk(items, one, `${path}[0]`, (value) => around([value]));
      const long = longest(items);
      if (long !== undefined) found.push(put(listOf('long entries', JSON.stringify(long), max)));
    } else if (type === 'object' || inner.properties !== undefined) {
      const values = inner['additionalProperties'];
      if (typeof values === 'object' && values !== null) {
        const value = JSON.stringify(sampleOf(values as JsonSchema));
        const piece = (index: number): string => `${index === 0 ? '' : ','}"A${index + 1}":${value}`;
        found.push(put({ name: 'many names', open: '{', piece, close: '}', most: 9_000 }));
      }
      const whole = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
      for (const [name, field] of Object.entries(inner.properties ?? {}))
        walk(field, whole[name], path === '' ? name : `${path}.${name}`, (value) =>
          around({ ...whole, [name]: value }),
        );
    } else if (type === 'integer' || type === 'number') tooLong.push(put(texts.at(-1)!));
  };
  walk(schema, example, '', (value) => value);
  return tooLong.length === 0 ? found : [...found, tooLong[turn % tooLong.length]!];
}

/** Returns a small value that the schema accepts. */
function sampleOf(schema: JsonSchema): unknown {
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (Array.isArray(schema['anyOf'])) return sampleOf(schema['anyOf'][0] as JsonSchema);
  switch (schema['type']) {
    case 'string':
      return 'a';
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [sampleOf((schema['items'] ?? {}) as JsonSchema)];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sampleOf(field)]),
      );
    default:
      return 1;
  }
}

/**
 * Returns a value whose texts have the maximum length that the schema accepts, but at most 50,000 characters. Returns
 * undefined if the schema contains no texts.
 */
function longest(schema: JsonSchema): unknown {
  let hasText = false;
  const fill = (inner: JsonSchema): unknown => {
    if (inner['type'] === 'string' && inner['enum'] === undefined) {
      hasText = true;
      return 'a\n'.repeat(Math.min((inner['maxLength'] as number | undefined) ?? 50_000, 50_000) / 2);
    }
    if (inner['type'] === 'object')
      return Object.fromEntries(Object.entries(inner.properties ?? {}).map(([name, field]) => [name, fill(field)]));
    return sampleOf(inner);
  };
  const filled = fill(schema);
  return hasText ? filled : undefined;
}

const cell = (rest: string) => (index: number) => `{"row":${Math.floor(index / 100)},"col":${index % 100},${rest}}`;
const textCell = cell('"value_type":"STRING","string_value":"a\\n"');
const textCells = (count: number): string => Array.from({ length: count }, (_, index) => textCell(index)).join(',');

/**
 * Large values that operations accept and that are especially expensive for them, by operation and field. A test puts
 * the value into that field of an example request.
 */
export const accepted: Readonly<Record<string, Readonly<Record<string, readonly Shape[]>>>> = {
  'sheet.set_range_value': {
    values: [
      listOf('cells of numbers', cell('"value_type":"NUMBER","number_value":1.5'), 200_000),
      listOf('cells of texts', cell('"value_type":"STRING","string_value":"a\\n中"'), 170_000),
      listOf('cells of long texts', cell(`"value_type":"STRING","string_value":"${'\\n'.repeat(16_000)}"`)),
      listOf('cells of formulas', cell('"value_type":"FORMULA","formula":"=A1+1"'), 190_000),
      listOf('cells with spaces', cell(' "value_type": "NUMBER", "number_value": 1'), 200_000),
      listOf(
        'cells from the last to the first',
        (index) => cell('"value_type":"NUMBER","number_value":1')(199_999 - index),
        200_000,
      ),
    ],
  },
  'sheet.set_range_value_by_csv': {
    csv_data: [
      textOf('short cells', 'a,1\\n'),
      textOf('quoted cells', '\\"a\\n\\",'),
      textOf('quotes', '\\"\\"'),
      textOf('formulas', '=A1\\n'),
    ],
  },
  'sheet.write': {
    rows: [
      listOf('rows of four', '["a\\n",1,true,"=A1"]', 200_000),
      listOf('rows of long texts', `["${'\\n'.repeat(16_000)}"]`),
      listOf('rows of one', '[1]', 1_000_000),
      listOf('one row', `[${'1,'.repeat(16_000)}1]`, 12),
    ],
  },
  'sheet.append_rows': {
    rows: [
      listOf('rows of four', '["a\\n",1,true,"=A1"]', 20_000),
      listOf('wide rows', `[${'"a",'.repeat(99)}1]`, 900),
    ],
  },
  'sheet.enter_cells': {
    rows: [listOf('rows of four', '["a\\n","1","2026-05-01","=A1"]', 24_000), listOf('rows of one', '["1"]', 95_000)],
  },
  'sheet.batch': {
    calls: [
      listOf(
        'many cells in each',
        `{"tool":"set_range_value","arguments":{"sheet_id":"1","values":[${textCells(200)}]}}`,
        60,
      ),
      listOf(
        'long CSV in each',
        `{"tool":"set_range_value_by_csv","arguments":{"sheet_id":"1","start_row":0,"start_col":0,"csv_data":"${'a,\\n'.repeat(30_000)}"}}`,
        100,
      ),
    ],
  },
  'note.import_doc': {
    content: ['# a\\n', '[a](b) ', '*a ', '| a | b |\\n', '![](a) ', '> ', '- a\\n', '`', '<b>', '&amp;'].map((piece) =>
      textOf(piece, piece),
    ),
  },
  'note.append_doc': { content: ['| a | b |\\n', '[a](b) ', '\\r\\n'].map((piece) => textOf(piece, piece)) },
  'note.update_note': { content: ['| a | b |\\n', '![](a) ', '\\t'].map((piece) => textOf(piece, piece)) },
  'wiki.upload_knowledge': { content: ['# a\\n', 'a b ', '<p>'].map((piece) => textOf(piece, piece)) },
  'manage.import_file': {
    content: ['a,b\\n', '# a\\n'].map((piece) => textOf(piece, piece)),
    file_base64: [textOf('zeros', 'AAAA'), textOf('spaced', 'AA\\n')],
  },
  'manage.upload_image': { content: [textOf('zeros', 'AAAA')], image_base64: [textOf('zeros', 'AAAA')] },
  'sheet.insert_image': { content: [textOf('zeros', 'AAAA'), textOf('spaced', 'AA\\n')] },
};

/**
 * Generates inputs of API calls from the JSON Schema of each operation, for fuzz tests: mostly valid ones, so that
 * calls succeed, and some at or beyond the limits.
 */
import type { SeededRandom } from '../../testing/seeded-random.ts';
import type { KnownIds } from './known-ids.ts';

export type Schema = Record<string, any>;

/**
 * Probabilities for the generated calls: that a call may contain invalid values, that a value in such a call is
 * invalid, that an optional field is sent, and that a call is based on the documented example.
 */
const wrongCalls = 0.35;
const hostileShare = 0.08;
const optionalShare = 0.2;
const exampleShare = 0.4;
/**
 * Optional fields that generated calls rarely set. With user_id, for example, most operations are allowed only for the
 * server's owner.
 */
const rareFields = new Set(['user_id', 'file_url', 'dry_run', 'assert']);
const maxDepth = 6;

const words = ['pear', 'Größe', '数据 报告', 'שלום', '😀👩‍👩‍👧', 'a b c', '2024年报', 'GPT-4', 'x'];
const texts = [
  '# Title\n\nSome *text* with a [link](note:1) and `code`.',
  '=SUM(A1:B2)',
  '=A1*2+IF(B1>1,"x",1/0)',
  '=LET(x,1,LAMBDA(y,y+x)(2))',
  '12%',
  '2026-05-01',
  'A1:C3',
  'Sheet1!A1',
  'SELECT A, SUM(B) GROUP BY A',
  'item,price\npen,1.5\n"a ""b""",=B2',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  'note.md',
  '#,##0.00',
  'FF00AA',
  '{"a":1}',
  'aGVsbG8=',
];
const hostileTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\u0000b',
  '\u202Eabc',
  '../../../etc/passwd',
  "'; DROP TABLE note; --",
  '%',
  '_',
  '\\',
  '__proto__',
  'constructor',
  '${7*7}',
  '<script>alert(1)</script>',
  'x'.repeat(5000),
  '𝒳'.repeat(300),
  '='.repeat(200),
  '('.repeat(2000),
  '=' + '('.repeat(400) + '1',
  '[['.repeat(500),
  '> '.repeat(300),
  '1e999',
  'NaN',
  'XFD1048577',
  'A0',
  '(a+)+$',
  'http://127.0.0.1:1/x',
  'http://[::1]:1/',
  'file:///etc/passwd',
];
const hostileNumbers = [
  -1,
  0,
  -0,
  0.5,
  1e308,
  -1e308,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  -(2 ** 53),
  1e-300,
  1048576,
  16384,
];
const hostileValues: readonly unknown[] = [
  null,
  true,
  [],
  {},
  [[]],
  { a: { b: { c: [] } } },
  JSON.parse('{"__proto__":{"polluted":1}}'),
  ...hostileNumbers,
  ...hostileTexts,
];

export class SchemaValues {
  readonly #chance: SeededRandom;
  readonly #knownIds: KnownIds;
  #isWrong = false;

  constructor(chance: SeededRandom, learned: KnownIds) {
    this.#chance = chance;
    this.#knownIds = learned;
  }

  /** Generates the input of a call. Often it is the example from the API documentation, with existing ids. */
  input(schema: Schema, example?: Record<string, unknown>): Record<string, unknown> {
    this.#isWrong = this.#chance.happens(wrongCalls);
    const input = this.#object(schema, 0);
    if (example && this.#chance.happens(exampleShare)) {
      const required = new Set((schema['required'] as string[] | undefined) ?? []);
      for (const name of Object.keys(input)) if (!required.has(name)) delete input[name];
      Object.assign(input, this.#real(example, ''));
    }
    const place = this.#knownIds.sheet(this.#chance);
    if (place && 'file_id' in (schema['properties'] ?? {}) && this.#chance.happens(0.85)) {
      input['file_id'] = place.file_id;
      delete input['file_url'];
      if ('sheet_id' in schema['properties'] && this.#chance.happens(0.95)) input['sheet_id'] = place.sheet_id;
    }
    if (this.#isWrong && this.#chance.happens(0.03)) input[this.#chance.oneOf(hostileTexts)] = this.#hostile();
    return input;
  }

  /** Replaces ids such as "kb_..." in an example by existing ids. */
  #real(value: unknown, field: string): unknown {
    if (typeof value === 'string')
      return value.endsWith('...') ? (this.#knownIds.text(field, this.#chance) ?? value) : value;
    if (Array.isArray(value)) return value.map((one) => this.#real(one, field));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#real(one, name)]));
  }

  #hostile(): unknown {
    return this.#chance.oneOf(hostileValues);
  }

  #value(schema: Schema, name: string, depth: number): unknown {
    if (this.#isWrong && this.#chance.happens(hostileShare)) return this.#hostile();
    const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
    if (choices)
      return this.#value(
        { ...schema, anyOf: undefined, oneOf: undefined, ...this.#chance.oneOf(choices) },
        name,
        depth,
      );
    if ('const' in schema) return schema['const'];
    if (Array.isArray(schema['enum'])) return this.#chance.oneOf(schema['enum']);
    const type: unknown = Array.isArray(schema['type']) ? this.#chance.oneOf(schema['type']) : schema['type'];
    switch (type) {
      case 'string':
        return this.#text(schema, name);
      case 'integer':
      case 'number':
        return this.#number(schema, type === 'integer');
      case 'boolean':
        return this.#chance.happens(0.5);
      case 'array':
        return this.#list(schema, name, depth);
      case 'object':
        return this.#object(schema, depth);
      case 'null':
        return null;
      default:
        return this.#chance.oneOf<unknown>([1, 'x', true, [], {}, null]);
    }
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    if (depth > maxDepth) return made;
    const required = new Set((schema['required'] as string[] | undefined) ?? []);
    for (const [name, field] of Object.entries((schema['properties'] as Record<string, Schema> | undefined) ?? {})) {
      const share = required.has(name) ? (this.#isWrong ? 0.97 : 1) : rareFields.has(name) ? 0.03 : optionalShare;
      if (this.#chance.happens(share)) made[name] = this.#value(field, name, depth + 1);
    }
    if (!this.#isWrong) orderEnds(made);
    const other = schema['additionalProperties'] as Schema | boolean | undefined;
    if (typeof other === 'object')
      for (let n = this.#chance.below(3); n > 0; n--)
        made[this.#chance.oneOf(['A1', 'B2:C3', '1', '2', 'x', ...words])] = this.#value(other, '', depth + 1);
    return made;
  }

  #list(schema: Schema, name: string, depth: number): unknown[] {
    const least = Number(schema['minItems'] ?? 0);
    const most = Number(schema['maxItems'] ?? 4);
    const wanted =
      this.#isWrong && this.#chance.happens(0.02)
        ? this.#chance.oneOf([least - 1, most + 1, 300])
        : least + this.#chance.below(3);
    const length = Math.max(0, Math.min(wanted, 300));
    if (depth > maxDepth) return [];
    return Array.from({ length }, () =>
      this.#value((schema['items'] as Schema) ?? {}, name.replace(/s$/, ''), depth + 1),
    );
  }

  #number(schema: Schema, isWhole: boolean): number {
    const least = Number(schema['minimum'] ?? 0);
    const most = Number(schema['maximum'] ?? least + 1000);
    const kind = this.#chance.fraction();
    if (this.#isWrong && kind < 0.05) return this.#chance.oneOf([least, most, least - 1, most + 1]);
    const number =
      kind < 0.9 ? least + this.#chance.fraction() * Math.min(12, most - least) : this.#chance.between(least, most);
    return isWhole ? Math.round(number) : number;
  }

  #text(schema: Schema, name: string): string {
    if (name === 'cursor' && this.#chance.happens(0.7)) return '';
    const known = this.#knownIds.text(name, this.#chance);
    if (known !== undefined && this.#chance.happens(0.9)) return known;
    const most = Number(schema['maxLength'] ?? 100_000);
    const kind = this.#chance.fraction();
    if (this.#isWrong && kind < 0.03 && most <= 20_000) return 'y'.repeat(most + this.#chance.oneOf([-1, 0, 1]));
    if (/url/i.test(name))
      return this.#chance.oneOf(['http://127.0.0.1:1/a', 'http://[::1]:1/b', 'nowhere', 'ftp://x']);
    if (this.#isWrong && kind < 0.15) return this.#chance.oneOf(hostileTexts);
    return this.#chance.oneOf(kind < 0.5 ? words : texts).slice(0, most);
  }
}

/** Swaps the generated start and end values of a region if the end is smaller, so that the region is valid. */
function orderEnds(made: Record<string, unknown>): void {
  for (const name of Object.keys(made)) {
    const end = name.replace(/^start/, 'end');
    const [first, last] = [made[name], made[end]];
    if (end !== name && typeof first === 'number' && typeof last === 'number' && last < first)
      [made[name], made[end]] = [last, first];
  }
}

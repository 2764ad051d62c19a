/**
 * Tests that need no author: for every operation, read from its published schema, each required field missing, each
 * enumeration's wrong value, each limit at its edge and past it. A module's examples.ts gives one valid input each.
 */
import { expect, test } from 'vitest';
import { inputSchema, type JsonSchema } from '../../src/kernel/describe-operation.ts';
import type { Module } from '../../src/kernel/module.ts';
import { allPairs } from '@sheaf/tools/testing/surface-database-pairs.ts';
import { onSurface, type TestServer } from '@sheaf/tools/testing/test-server.ts';

export type Examples = Record<string, (server: TestServer) => Promise<Record<string, unknown>>>;

export interface GeneratedCase {
  name: string;
  /** Path into the input, e.g. ['params', 0, 'media_type']. */
  path: (string | number)[];
  /** undefined = leave the field out. */
  value: unknown;
  /** Left out, it is what this stands for: published as required, optional for the server. */
  same?: unknown;
  /** At the edge the schema must accept; whatever the operation then says, it must not be about this field's rule. */
  good: boolean;
}

/** Every case the schema speaks of, for fields that the example input holds. */
function casesOf(schema: JsonSchema, example: unknown, path: (string | number)[] = []): GeneratedCase[] {
  const cases: GeneratedCase[] = [];
  const label = path.join('.');
  const bad = (name: string, value: unknown): void =>
    void cases.push({ name: `${label} ${name}`, path, value, good: false });
  const edge = (name: string, value: unknown): void =>
    void cases.push({ name: `${label} ${name}`, path, value, good: true });
  const values = schema['enum'] as unknown[] | undefined;
  if (values) bad('outside its enumeration', typeof values[0] === 'number' ? 987_654 : 'no-such-value');
  const limit = (key: string): number | undefined => schema[key] as number | undefined;
  const type = schema['type'];
  if (type === 'integer' && !values) {
    if (limit('minimum') !== undefined) bad('below its minimum', limit('minimum')! - 1);
    if (limit('maximum') !== undefined) bad('above its maximum', limit('maximum')! + 1);
    if (limit('minimum') !== undefined) edge('at its minimum', limit('minimum'));
    if (limit('maximum') !== undefined) edge('at its maximum', limit('maximum'));
    bad('not a number', 'abc');
  }
  if (type === 'string' && !values) {
    if (limit('minLength')) bad('too short', 'x'.repeat(limit('minLength')! - 1));
    if (limit('maxLength') !== undefined && limit('maxLength')! <= 100_000) {
      bad('too long', '字'.repeat(limit('maxLength')! + 1));
      if (!schema['pattern']) edge('at its longest', '字'.repeat(limit('maxLength')!));
    }
    bad('not a string', 12.5);
  }
  if (type === 'boolean') bad('not a boolean', 'maybe');
  if (type === 'array') {
    const one = Array.isArray(example) ? example[0] : undefined;
    if (limit('minItems')) bad('with too few entries', []);
    if (limit('maxItems') !== undefined && one !== undefined && limit('maxItems')! <= 20_000)
      bad('with too many entries', Array(limit('maxItems')! + 1).fill(one));
    bad('not an array', 'abc');
    if (one !== undefined) cases.push(...casesOf(schema['items'] as JsonSchema, one, [...path, 0]));
  }
  if (schema.properties && typeof example === 'object' && example !== null) {
    for (const [name, field] of Object.entries(schema.properties)) {
      const here = [...path, name];
      const isRequired = schema.required?.includes(name);
      if (isRequired && isForgiven(here, schema))
        cases.push({ name: `${here.join('.')} missing`, path: here, value: undefined, good: true, same: '' });
      else if (isRequired) cases.push({ name: `${here.join('.')} missing`, path: here, value: undefined, good: false });
      if (isRequired) cases.push({ name: `${here.join('.')} null`, path: here, value: null, good: false });
      else if (!takesNull(field)) cases.push({ name: `${here.join('.')} null`, path: here, value: null, good: true });
      if (name in example) cases.push(...casesOf(field, (example as Record<string, unknown>)[name], [...path, name]));
    }
  }
  return cases;
}

/** [finding C1] [finding C2] A cursor of the first page and the root folder of import_urls may be missing. */
function isForgiven(path: readonly (string | number)[], { properties }: JsonSchema): boolean {
  if (path.length > 1) return false;
  return path[0] === 'cursor' || (path[0] === 'folder_id' && properties!['urls'] !== undefined);
}

function takesNull(field: JsonSchema): boolean {
  return ((field['anyOf'] as JsonSchema[] | undefined) ?? []).some((one) => one['type'] === 'null');
}

export function withValue(input: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy: any = Array.isArray(input) ? [...input] : { ...(input as object) };
  if (rest.length === 0 && value === undefined) delete copy[key];
  else copy[key] = withValue(copy[key], rest, value);
  return copy;
}

export function generatedTests(module: Module, examples: Examples): void {
  onSurface(
    module.name,
    `${module.name}, generated`,
    (call, server) => {
      for (const operation of Object.values(module.operations)) {
        test(`${operation.name}: missing fields, wrong values, limits`, { timeout: 120_000 }, async () => {
          const make = examples[operation.name];
          expect(
            make,
            `packages/server/test/spec/${module.name}/examples.ts has no example for ${operation.name}`,
          ).toBeDefined();
          const example = await make!(server());
          const invalid = module.errors.invalid_parameter.code;
          for (const { name, path, value, good, same } of casesOf(inputSchema(operation), example)) {
            const answer = await call(operation.name, withValue(example, path, value));
            const field = path.filter((part) => typeof part === 'string').at(-1);
            if (same !== undefined) {
              const expected = await call(operation.name, withValue(example, path, same));
              expect([operation.name, name, answer.code]).toEqual([operation.name, name, 0]);
              if (operation.effect === 'read')
                expect([operation.name, name, answer]).toEqual([operation.name, name, expected]);
            } else if (good && value === null) {
              // [finding T13] As if it were left out: whatever is said then, it is not about the null.
              expect(`${operation.name}: ${name}: ${answer.msg}`).not.toMatch(/\(got null\)/);
            } else if (good) {
              // The document at hand may allow less than the schema (a grid has so many rows); then it names another number.
              const limit = typeof value === 'string' ? [...value].length : value;
              const refused =
                answer.code === invalid &&
                new RegExp(`(^|[.\\]])${field}: must (be|have) at (most|least) ${limit} `).test(answer.msg);
              expect(refused, `${operation.name}: ${name} must pass the schema, got ${answer.code} ${answer.msg}`).toBe(
                false,
              );
            } else {
              expect(answer.code, `${operation.name}: ${name}: ${answer.msg}`).toBe(invalid);
              expect(answer.msg, `${operation.name}: ${name}`).toContain(String(field));
              expect(answer.data).toEqual({});
            }
          }
        });
      }
    },
    { pairs: allPairs },
  );
}

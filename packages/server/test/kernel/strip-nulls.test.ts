import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { modules } from '../../src/modules.ts';
import { inputSchema, type JsonSchema } from '../../src/kernel/describe-operation.ts';
import { Registry } from '../../src/kernel/module.ts';
import { stripNulls } from '../../src/kernel/strip-nulls.ts';
import { parseInput } from '../../src/kernel/parse-input.ts';

const entries = new Registry(Object.values(modules)).entries();

interface Place {
  /** From the input to the field; '[]' is an entry of a list. */
  path: string[];
  isOptional: boolean;
  takesNull: boolean;
}

/** Every field that an operation publishes, nested ones too. */
function* places(schema: JsonSchema, path: string[] = []): Generator<Place> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const here = [...path, name];
    yield { path: here, isOptional: !schema.required?.includes(name), takesNull: takesNull(field) };
    yield* places(field, here);
    const items = field['items'] as JsonSchema | undefined;
    if (!items) continue;
    yield { path: [...here, '[]'], isOptional: false, takesNull: takesNull(items) };
    yield* places(items, [...here, '[]']);
  }
}

function takesNull(field: JsonSchema): boolean {
  const kinds = (field['anyOf'] as JsonSchema[] | undefined) ?? [field];
  return kinds.some(({ type }) => type === 'null' || (Array.isArray(type) && type.includes('null')));
}

/** An input with nothing but what leads to the place. */
function inputWith([first, ...rest]: string[], value: unknown): unknown {
  if (first === undefined) return value;
  const inside = inputWith(rest, value);
  if (first === '[]') return [inside];
  return inside === undefined ? {} : { [first]: inside };
}

/** All that the schema says of it, not only the first fault: a refused null would be one more. */
function outcome(schema: z.ZodType, input: unknown): unknown {
  const parsed = schema.safeParse(stripNulls(schema, input));
  return parsed.success ? parsed.data : parsed.error.issues;
}

describe('[finding T13] null for an optional field', () => {
  test.each(entries)('$name: is the field left out, at any depth', ({ operation }) => {
    for (const { path, isOptional, takesNull: isMeant } of places(inputSchema(operation))) {
      if (!isOptional || isMeant) continue;
      const label = path.join('.');
      const withNull = inputWith(path, null);
      expect([label, withNull]).not.toEqual([label, inputWith(path, undefined)]);
      expect([label, outcome(operation.input, withNull)]).toEqual([
        label,
        outcome(operation.input, inputWith(path, undefined)),
      ]);
    }
  });

  test.each(entries)('$name: for a required field and an entry of a list it is refused', ({ operation }) => {
    for (const { path, isOptional, takesNull: isMeant } of places(inputSchema(operation))) {
      if (isOptional || isMeant) continue;
      const at = path.map((part) => (part === '[]' ? 0 : part));
      const issues = outcome(operation.input, inputWith(path, null)) as z.core.$ZodIssue[];
      expect([
        at,
        (Array.isArray(issues) ? issues : []).filter((issue) => issue.path.join() === at.join()).length,
      ]).toEqual([at, 1]);
    }
  });

  test('the registry has enough of both to mean something', () => {
    const all = entries.flatMap(({ operation }) => [...places(inputSchema(operation))]);
    expect(all.filter(({ isOptional }) => isOptional).length).toBeGreaterThan(200);
    expect(all.filter(({ isOptional, path }) => isOptional && path.length > 1).length).toBeGreaterThan(30);
    expect(all.filter(({ isOptional }) => !isOptional).length).toBeGreaterThan(200);
  });

  test('what a schema takes null for keeps its meaning', () => {
    const schema = z.object({
      limit: z.number().nullable().optional(),
      rows: z.array(z.array(z.string().nullable())),
      any: z.unknown().optional(),
      given: z.string().default('x'),
    });
    const raw = { limit: null, rows: [[null, 'a']], any: null, given: null, unknown: null };
    expect(stripNulls(schema, raw)).toEqual({ limit: null, rows: [[null, 'a']], any: null, unknown: null });
    expect(raw.given).toBeNull();
  });

  test('an input without nulls is not copied', () => {
    const schema = z.object({
      a: z.object({ b: z.string().optional() }).optional(),
      list: z.array(z.object({ c: z.int().optional() })),
    });
    const raw = { a: { b: 'x' }, list: [{ c: 1 }, {}] };
    expect(stripNulls(schema, raw)).toBe(raw);
  });

  test('operations that read their input by ways of their own forgive as much', () => {
    const parse = (name: string, raw: unknown): unknown =>
      parseInput(entries.find((entry) => entry.name === name)!.operation, raw);
    const file = { file_id: 'f', sheet_id: 's' };
    const cell = { row: 1, col: 2, value_type: 'NUMBER', number_value: 3 };
    const unset = { string_value: null, bool_value: null, formula: null };
    const nullFile = { ...file, file_url: null, return_changes: null };
    expect(parse('sheet.set_range_value', { ...nullFile, values: [{ ...cell, ...unset }] })).toMatchObject({
      ...file,
      values: [cell],
    });
    expect(
      parse('sheet.set_cell_value', { ...nullFile, cell: { ...cell, ...unset }, row: null, col: null }),
    ).toMatchObject({ ...file, cell });
    expect(parse('sheet.set_cell_value', { ...nullFile, cell: null, ...cell, ...unset })).toMatchObject({
      ...file,
      ...cell,
    });
    expect(parse('note.append_doc', { doc_id: 'n', content_format: 1, content: 'x' })).toMatchObject({ note_id: 'n' });
    expect(parse('note.append_doc', { note_id: 'n', doc_id: null, content_format: 1, content: 'x' })).toMatchObject({
      note_id: 'n',
    });
    expect(() => parse('note.append_doc', { doc_id: null, content_format: 1, content: 'x' })).toThrow(
      'note_id: is required',
    );
    expect(() => parse('sheet.set_range_value', { ...file, values: [{ ...cell, row: null }] })).toThrow(
      'values[0].row: must be a number (got null)',
    );
    expect(() => parse('sheet.set_range_value', { ...file, values: [null] })).toThrow(
      'values[0]: must be an object (got null)',
    );
  });
});

import type { z } from 'zod';
import { createSchemaConverter } from './schema-visitor.ts';

/**
 * Removes nulls of optional fields from a call's input, at any depth, because many serializers write an unset field as
 * null. A null that the schema accepts remains as a value. A null in a required field or list entry also remains, and
 * the validation of the input refuses it.
 */
export function stripNulls(schema: z.ZodType, raw: unknown): unknown {
  const clean = cleanerOf(schema);
  return clean ? clean(raw) : raw;
}

type Cleaner = (value: unknown) => unknown;

/**
 * Returns the function that removes nulls of optional fields from input for a schema, or undefined if the schema has no
 * optional field that refuses null.
 */
const cleanerOf = createSchemaConverter<Cleaner>({
  object(fields) {
    const optional = fields.filter(([, field]) => isOptional(field) && !acceptsNull(field)).map(([name]) => name);
    const nested = fields.flatMap(([name, field]) => {
      const clean = cleanerOf(field);
      return clean ? [{ name, clean }] : [];
    });
    if (optional.length === 0 && nested.length === 0) return undefined;
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const given = value as Record<string, unknown>;
      let copy: Record<string, unknown> | undefined;
      for (const name of optional) {
        if (given[name] !== null) continue;
        copy ??= { ...given };
        delete copy[name];
      }
      for (const { name, clean } of nested) {
        const inside = given[name];
        if (typeof inside !== 'object' || inside === null) continue;
        const cleaned = clean(inside);
        if (cleaned === inside) continue;
        copy ??= { ...given };
        copy[name] = cleaned;
      }
      return copy ?? given;
    };
  },
  list: (clean) => (value) => {
    if (!Array.isArray(value)) return value;
    const list = value as unknown[];
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const cleaned = clean(list[index]);
      if (cleaned === list[index]) continue;
      copy ??= [...list];
      copy[index] = cleaned;
    }
    return copy ?? list;
  },
});

/**
 * Returns whether the JSON Schema that clients see shows the field as optional. Zod's own check is not used, because it
 * treats every preprocessed field as optional.
 */
function isOptional(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'readonly' || def.type === 'nullable') return isOptional(def.innerType);
  return def.type === 'optional' || def.type === 'default' || def.type === 'prefault';
}

function acceptsNull(schema: z.core.$ZodType): boolean {
  return (schema as z.ZodType).safeParse(null).success;
}

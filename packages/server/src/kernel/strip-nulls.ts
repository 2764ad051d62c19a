import type { z } from 'zod';

/**
 * Removes nulls from optional fields at any depth, because many serializers write an unset field as null. A null in a
 * required field or list entry stays and is refused; where the schema accepts null, it stays as a value.
 */
export function stripNulls(schema: z.ZodType, raw: unknown): unknown {
  const clean = cleanerOf(schema);
  return clean ? clean(raw) : raw;
}

type Cleaner = (value: unknown) => unknown;

/** Built once per schema; undefined if the schema has no optional fields. */
const cleaners = new WeakMap<z.core.$ZodType, { readonly clean: Cleaner | undefined }>();

function cleanerOf(schema: z.core.$ZodType): Cleaner | undefined {
  let known = cleaners.get(schema);
  if (!known) {
    known = { clean: makeCleaner(schema) };
    cleaners.set(schema, known);
  }
  return known.clean;
}

function makeCleaner(schema: z.core.$ZodType): Cleaner | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectCleaner(def.shape);
    case 'array':
      return listCleaner(cleanerOf(def.element));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return cleanerOf(def.innerType);
    case 'pipe':
      // In a preprocessed schema, the second half describes the accepted input.
      return cleanerOf((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in);
    default:
      return undefined;
  }
}

function objectCleaner(shape: Readonly<Record<string, z.core.$ZodType>>): Cleaner | undefined {
  const fields = Object.entries(shape);
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
}

function listCleaner(clean: Cleaner | undefined): Cleaner | undefined {
  if (!clean) return undefined;
  return (value) => {
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
  };
}

/**
 * True if the schema is published as optional. The parser's own test would not do: it treats every preprocessed field
 * as optional.
 */
function isOptional(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'readonly' || def.type === 'nullable') return isOptional(def.innerType);
  return def.type === 'optional' || def.type === 'default' || def.type === 'prefault';
}

function acceptsNull(schema: z.core.$ZodType): boolean {
  return (schema as z.ZodType).safeParse(null).success;
}

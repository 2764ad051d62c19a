import { z } from 'zod';

/**
 * The functions in this file build the schemas of the fields of all operations, so that all operations are equally
 * tolerant of input: integers may be sent as numeric strings, and the cursor of the first page as "0". Maximum lengths
 * of texts are counted in Unicode code points.
 */

/**
 * Type of a field that accepts more than its declared type, such as a number sent as text. Typed callers must send the
 * declared type.
 */
export type Field<Value> = z.ZodType<Value, Value>;

const decimal = /^-?\d{1,16}$/;

function fromNumericString(value: unknown): unknown {
  if (typeof value === 'string' && decimal.test(value)) return Number(value);
  return value;
}

export interface IntegerLimits {
  min?: number;
  max?: number;
}

export function integer(
  description: string,
  { min = -Number.MAX_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: IntegerLimits = {},
): Field<number> {
  const schema = z.preprocess(fromNumericString, z.int().min(min).max(max));
  const limits: Record<string, number> = {};
  if (min !== -Number.MAX_SAFE_INTEGER) limits['minimum'] = min;
  if (max !== Number.MAX_SAFE_INTEGER) limits['maximum'] = max;
  return schema.meta({ type: 'integer', ...limits, description }) as unknown as Field<number>;
}

const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Makes a field for a point in time, in ISO 8601 or as Unix milliseconds. A time without a zone is UTC. */
export function pointInTime(description: string): z.ZodType<number, string> {
  const schema = z.preprocess(
    (value) => {
      if (typeof value !== 'string' || !isoDate.test(value)) return fromNumericString(value);
      const time = Date.parse(/T.*(?:Z|[+-]\d\d:\d\d)$/.test(value) || !value.includes('T') ? value : `${value}Z`);
      return Number.isNaN(time) ? value : time;
    },
    z.custom<number>(
      (value) => Number.isSafeInteger(value) && (value as number) >= 0,
      'must be a time such as 2026-05-01T08:00:00Z, or Unix milliseconds',
    ),
  );
  return schema.meta({ type: 'string', description }) as unknown as z.ZodType<number, string>;
}

/** Makes a field that accepts only the given numbers. They may also be sent as numeric strings. */
export function integerEnum<const Values extends readonly number[]>(
  description: string,
  values: Values,
): Field<Values[number]> {
  const schema = z.preprocess(fromNumericString, z.literal([...values] as Values[number][]));
  return schema.meta({ type: 'integer', enum: [...values], description }) as unknown as Field<Values[number]>;
}

/** Maximum length in characters of a string that is accepted as a number. No double is longer in decimal notation. */
const maxNumberLength = 1100;

export function double(description: string): Field<number> {
  const schema = z.preprocess(
    (value) =>
      typeof value === 'string' &&
      value.length <= maxNumberLength &&
      value.trim() !== '' &&
      Number.isFinite(Number(value))
        ? Number(value)
        : value,
    z.number(),
  );
  return schema.meta({ type: 'number', description }) as unknown as Field<number>;
}

export interface TextLimits {
  /** Minimum length in UTF-16 code units. `max`, in contrast, counts Unicode code points. */
  min?: number;
  max?: number;
}

export function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    // Count a surrogate pair as one code point: skip a low surrogate that follows a high surrogate.
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

/** Maximum number of characters that are counted to give the exact length of a text in an error message. */
const maxCounted = 1_000_000;

/**
 * Returns the number of characters of a text for an error message, or `more than N` if counting all of them would take
 * long.
 */
export function describeLength(text: string): string {
  return text.length <= maxCounted
    ? String(countCodePoints(text))
    : `more than ${countCodePoints(text.slice(0, maxCounted))}`;
}

export function text(description: string, { min = 0, max }: TextLimits = {}) {
  const limits: Record<string, number> = {};
  let schema = z.string();
  if (min > 0) {
    limits['minLength'] = min;
    // Use Zod's own check only for a minimum of 1. Zod counts UTF-16 code units instead of characters (code points),
    // which makes no difference for this minimum.
    schema =
      min === 1
        ? schema.min(1)
        : schema.refine((value) => value.length >= 2 * min || countCodePoints(value) >= min, {
            error: (issue) => `must be at least ${min} characters (got ${describeLength(String(issue.input))})`,
          });
  }
  if (max !== undefined) {
    limits['maxLength'] = max;
    // Compare the number of UTF-16 code units first, because that is cheap. A code point has one or two code units.
    schema = schema.refine(
      (value) => value.length <= max || (value.length <= 2 * max && countCodePoints(value) <= max),
      {
        error: (issue) => `must be at most ${max} characters (got ${describeLength(String(issue.input))})`,
        // Skip the remaining checks of a text that is too long, to save time.
        abort: true,
      },
    );
  }
  return schema.meta({ ...limits, description });
}

export function flag(description: string) {
  return z.boolean().meta({ description });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(description: string, values: Values) {
  return z.enum(values).meta({ description });
}

export function list<Item extends z.ZodType>(
  description: string,
  item: Item,
  { min, max }: { min?: number; max?: number } = {},
) {
  let schema = z.array(item);
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return stopAtFirstIssue(schema.meta({ description }), max);
}

/**
 * Makes an array schema stop at the first invalid entry, and refuse an array with more than `max` entries without
 * checking them. Otherwise an array of a hundred thousand invalid entries would produce as many errors, although only
 * the first is reported.
 */
function stopAtFirstIssue<Schema extends z.ZodArray>(schema: Schema, max = Number.POSITIVE_INFINITY): Schema {
  const { element } = schema._zod.def;
  const whole = schema._zod.parse;
  schema._zod.parse = (payload, context) => {
    const given = payload.value as unknown;
    if (!Array.isArray(given) || given.length <= smallListLength) return whole(payload, context);
    if (given.length > max) {
      payload.issues.push({
        code: 'too_big',
        origin: 'array',
        maximum: max,
        inclusive: true,
        input: given,
        inst: schema,
      } as never);
      return payload;
    }
    const parsed: unknown[] = [];
    for (const [index, value] of given.entries()) {
      const result = (element as z.ZodType)._zod.run({ value, issues: [] }, context);
      // Let Zod parse the whole array if the schema of its entries is asynchronous, which no schema of this project is.
      if (result instanceof Promise) return whole(payload, context);
      if (result.issues.length > 0) {
        for (const issue of result.issues) payload.issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
        return payload;
      }
      parsed.push(result.value);
    }
    payload.value = parsed as never;
    return payload;
  };
  if (schema._zod.def.checks === undefined || schema._zod.def.checks.length === 0) schema._zod.run = schema._zod.parse;
  return schema;
}

const smallListLength = 100;

/** Makes a field that is documented as required but defaults to `missing`, because some clients omit it. */
export function withDefault<Value>(field: Field<Value>, missing: Value): Field<Value> {
  const schema = z.preprocess((value) => (value === undefined ? missing : value), field);
  return schema.meta(field.meta() ?? {}) as unknown as Field<Value>;
}

/**
 * Marks a field as required in the documentation, as the API specification says, although the operation also accepts
 * other fields instead of it.
 */
export function documentedAsRequired<Schema extends z.ZodType>(field: Schema): Schema {
  return field.meta({ ...field.meta(), 'x-required': true });
}

/**
 * Marks a field so that tool lists show it with all its limits, because the API specification names them. Without the
 * mark, tool lists may omit limits.
 */
export function withListedLimits<Schema extends z.ZodType>(field: Schema): Schema {
  return field.meta({ ...field.meta(), 'x-told': true });
}

/**
 * Maximum length of a cursor in characters. The cursor of a semantic search is long, because it holds the ids of all
 * results returned so far.
 */
const maxCursorLength = 8192;

/** Makes the field for a page cursor. For the first page, the cursor is "", "0" or omitted. */
export function cursor(): Field<string> {
  return z
    .preprocess(
      (value) => (value === 0 || value === '0' || value === undefined ? '' : value),
      z.string().max(maxCursorLength),
    )
    .meta({
      type: 'string',
      description: 'Empty at first, then next_cursor.',
    }) as unknown as Field<string>;
}

/**
 * Marks a field as an alternative to the regular fields, for clients that use the field names of other or older
 * services. Such fields are accepted and documented, but omitted from tool lists.
 */
export function aliasField<Schema extends z.ZodType>(field: Schema): Schema {
  return field.meta({ ...field.meta(), deprecated: true });
}

export const emptyObject = z.object({});

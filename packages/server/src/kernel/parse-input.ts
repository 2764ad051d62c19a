import type { z } from 'zod';
import { inputSchema } from './describe-operation.ts';
import { fail, Failure } from './errors.ts';
import { stripNulls } from './strip-nulls.ts';
import type { AnyOperation } from './operation.ts';
import { suggestField, findUnknownFields } from './unknown-fields.ts';

/**
 * Parses an operation's input. Returns a promise if the operation's own parser does so for a large input. Throws a
 * failure that names the field, the rule and the value. With `isStrict`, unknown fields are refused, because the caller
 * expects them to have an effect.
 */
export function parseInput(operation: AnyOperation, raw: unknown, isStrict = false): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw fail('invalid_parameter', `the request body must be a JSON object (got ${formatValue(raw)})`);
  }
  if (isStrict) refuseUnknownFields(operation, raw as Record<string, unknown>);
  else if (operation.effect !== 'read') refuseUnsupportedGuards(operation, raw as Record<string, unknown>);
  const given = operation.aliases ? withOwnNames(operation.aliases, raw as Record<string, unknown>) : raw;
  try {
    if (operation.parse) return operation.parse(given as Record<string, unknown>);
    return parseBySchema(operation.input, given);
  } catch (error) {
    throw isStrict ? error : withUnknownField(operation, given, error);
  }
}

/**
 * Adds a hint to the error about a missing field if the caller sent an unknown field, which may be the missing one
 * misspelled. Returns any other error unchanged.
 */
function withUnknownField(operation: AnyOperation, given: unknown, error: unknown): unknown {
  if (!(error instanceof Failure) || !/: is required($|[; (])/.test(error.message)) return error;
  const [first] = findUnknownFields(operation.input, given, 1);
  if (!first) return error;
  const hint = `${first.path} is not a field of ${operation.name}, ${suggestField(first)}`;
  return fail(error.word, `${error.message}; ${hint}`);
}

/**
 * Names of the input fields that are safety options, such as a dry run. Ignoring them silently could cause unintended
 * changes.
 */
const guards = ['base_version', 'assert', 'dry_run', 'return_changes', 'idempotency_key'];

/**
 * Throws if the caller sent a safety option, such as `dry_run`, that the operation does not support. Ignoring it would
 * cause an unprotected write. Empty values are accepted.
 */
function refuseUnsupportedGuards(operation: AnyOperation, raw: Record<string, unknown>): void {
  for (const guard of guards) {
    const value = raw[guard];
    if (value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0))
      continue;
    if (Object.hasOwn(inputSchema(operation).properties ?? {}, guard)) continue;
    const instead = guard === 'idempotency_key' ? 'send the header Idempotency-Key' : 'nothing was changed';
    throw fail(
      'invalid_parameter',
      `${guard}: ${operation.name} does not support it; ${instead} (got ${formatValue(value)})`,
    );
  }
}

export function parseBySchema<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  return validateBySchema(schema, raw, (reason) => fail('invalid_parameter', reason));
}

/**
 * Throws if the input has fields that the operation does not have. `place` is the path prefix for the message, such as
 * `calls[0].arguments.`.
 */
export function refuseUnknownFields(operation: AnyOperation, raw: Record<string, unknown>, place = ''): void {
  const others = Object.keys(operation.aliases ?? {});
  const [first] = findUnknownFields(operation.input, raw, others.length + 1).filter(
    ({ path }) => !others.includes(path),
  );
  if (first)
    throw fail(
      'invalid_parameter',
      `${place}${first.path}: is not a field of ${operation.name}; ${suggestField(first)}`,
    );
}

/**
 * Copies values that were sent under an alias to the actual field. If a caller sent both, the value under the actual
 * name is used.
 */
export function withOwnNames(
  aliases: Readonly<Record<string, string>>,
  raw: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = { ...raw };
  for (const [alias, own] of Object.entries(aliases))
    if (given[own] === undefined && raw[alias] !== null) given[own] = raw[alias];
  return given;
}

/**
 * Validates a caller's values against a schema and returns the parsed values. A null in an optional field counts as
 * omitted. If the values are invalid, throws the error that `refusal` makes from the first problem.
 */
export function validateBySchema<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
  refusal: (reason: string, issue: z.core.$ZodIssue) => Error,
): z.output<Schema> {
  const given = stripNulls(schema, raw);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw refusal(explainIssue(issue, given), issue);
}

export function explainIssue(issue: z.core.$ZodIssue, raw: unknown): string {
  const path = issue.path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`))
    .join('');
  const value = issue.path.reduce<unknown>(
    (inside, key) => (inside as Record<PropertyKey, unknown> | undefined)?.[key as PropertyKey],
    raw,
  );
  const field = path === '' ? 'the request' : path;
  if (value === undefined && issue.code === 'invalid_value') return `${field}: is required; ${describeRule(issue)}`;
  if (value === undefined && issue.code !== 'custom') return `${field}: is required`;
  return `${field}: ${describeRule(issue)}${/\(got /.test(issue.message) ? '' : ` (got ${formatValue(value)})`}`;
}

function describeRule(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? 'must not be empty' : `must be at least ${issue.minimum} characters`;
      if (issue.origin === 'array')
        return `must have at least ${issue.minimum} ${issue.minimum === 1 ? 'entry' : 'entries'}`;
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `must be at most ${issue.maximum} characters`;
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => (value === '' ? '""' : String(value))).join(', ')}`;
    case 'invalid_type':
      return `must be ${describeExpectedType(issue.expected)}`;
    default:
      return issue.message;
  }
}

function describeExpectedType(expected: string): string {
  const names: Record<string, string> = {
    int: 'an integer',
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
    array: 'an array',
    object: 'an object',
  };
  return names[expected] ?? `of type ${expected}`;
}

/** Formats a value for an error message: short, without nested structures. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

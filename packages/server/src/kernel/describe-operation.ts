import { z } from 'zod';
import { commonFields } from './common-fields.ts';
import type { OperationEntry } from './module.ts';
import { viewUri, type AnyOperation, type ObjectSchema } from './operation.ts';

/** JSON Schema of an operation's input or output. */
export type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

const cache = new WeakMap<ObjectSchema, { input?: JsonSchema; output?: JsonSchema }>();

function schemaOf(schema: ObjectSchema, io: 'input' | 'output'): JsonSchema {
  const known = cache.get(schema) ?? {};
  if (!known[io]) {
    const made = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      target: 'draft-2020-12',
      override: ({ jsonSchema }) => dropSafeLimits(jsonSchema),
    }) as JsonSchema;
    delete made['$schema'];
    delete made['additionalProperties'];
    known[io] = { type: 'object', properties: {}, ...made };
    cache.set(schema, known);
  }
  return known[io]!;
}

/**
 * Deletes limits that equal those of a safe integer. Zod gives them to every integer field, so they would only lengthen
 * the schema.
 */
function dropSafeLimits(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

export function inputSchema(operation: AnyOperation): JsonSchema {
  return schemaOf(operation.input, 'input');
}

/** Schema properties that mark fields for internal use. They are removed from published schemas. */
const marks: ReadonlySet<string> = new Set(['x-told', 'x-required', 'x-unlisted', 'x-synonyms']);

/**
 * Returns the input schema for documentation: fields marked `x-required` are listed as required, and the internal `x-`
 * marks are removed.
 */
export function publishedInputSchema(operation: AnyOperation): JsonSchema {
  const schema = inputSchema(operation);
  const fields = Object.entries(schema.properties ?? {});
  const required = fields
    .filter(([name, field]) => field['x-required'] === true || schema.required?.includes(name))
    .map(([name]) => name);
  const marked = { ...schema, ...(required.length > 0 ? { required } : {}) };
  return JSON.parse(
    JSON.stringify(marked, (key, value: unknown) => (marks.has(key) ? undefined : value)),
  ) as JsonSchema;
}

export function outputSchema(operation: AnyOperation): JsonSchema {
  return schemaOf(operation.output, 'output');
}

export function toolName(entry: OperationEntry, dotted = false): string {
  return `${entry.module.name}${dotted ? '.' : '_'}${entry.operation.name}`;
}

/**
 * Returns an operation as an entry of the MCP tool list. With `dotted`, its name is `module.operation` instead of
 * `module_operation`. Without `hasExample`, the example is omitted, as in long lists; the tool find_tools returns it.
 */
export function mcpTool(entry: OperationEntry, { dotted = false, hasExample = true } = {}): Record<string, unknown> {
  const { operation } = entry;
  const description = {
    name: toolName(entry, dotted),
    title: titleOf(operation),
    annotations: annotationsOf(operation),
    ...(operation.view === undefined ? {} : { _meta: { ui: { resourceUri: viewUri(operation.view) } } }),
  };
  // Omit the schemas of a deprecated tool, because clients that still call the tool know its parameters.
  if (operation.deprecated)
    return {
      ...description,
      description: `Deprecated: ${operation.deprecated.replace(/[,;].*$/, '.')}`,
      inputSchema: { type: 'object' },
    };
  return {
    ...description,
    description: hasExample ? operation.summary : operation.summary.replace(/\nExample[^]*$/, ''),
    inputSchema: listedInputSchema(entry),
    outputSchema: listedOutputSchema(operation),
  };
}

function titleOf({ name }: AnyOperation): string {
  const words = name.replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}

function listedInputSchema({ module, operation }: OperationEntry): JsonSchema {
  const isSpecified = module.specified?.includes(operation.name) ?? false;
  const { required } = publishedInputSchema(operation);
  const whole = { ...inputSchema(operation), ...(required === undefined ? {} : { required }) };
  const schema = abbreviateSchema(
    withListedFields(whole, module.explainedOnce ?? []),
    isSpecified,
  ) as Required<JsonSchema>;
  if (operation.effect !== 'read') for (const name of commonFields) schema.properties[name] = { type: 'string' };
  return schema;
}

const listedOutputs = new WeakMap<AnyOperation, unknown>();

/**
 * Returns the schema of an operation's answer for tool lists. It contains types only, without descriptions and limits,
 * because clients use it to validate answers and do not show it to models.
 */
function listedOutputSchema(operation: AnyOperation): unknown {
  let known = listedOutputs.get(operation);
  if (!known) {
    known = typesOnly(outputSchema(operation));
    listedOutputs.set(operation, known);
  }
  return known;
}

const typeKeywords = new Set(['type', 'properties', 'required', 'items', 'prefixItems', 'anyOf', 'enum', 'const']);

function typesOnly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(typesOnly);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => typeKeywords.has(key))
      .map(([key, value]) => {
        if (key === 'properties')
          return [
            key,
            Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, typesOnly(one)])),
          ];
        return [key, key === 'required' || key === 'enum' ? value : typesOnly(value)];
      }),
  );
}

/**
 * Returns the MCP annotations of an operation, which are hints for clients: whether the tool only reads, whether it
 * deletes data, and whether it can be repeated without further effect. A read-only tool needs no other hint.
 */
function annotationsOf({ effect, idempotent, deprecated }: AnyOperation): Record<string, boolean> {
  if (effect === 'read') return { readOnlyHint: true };
  if (deprecated) return { destructiveHint: effect === 'destroy' };
  return {
    destructiveHint: effect === 'destroy',
    ...(idempotent ? { idempotentHint: true } : {}),
  };
}

/**
 * Options that many operations have in common. Tool lists give only their names and types. They cannot be left out,
 * because clients send only fields that the schema names.
 */
const commonOptions: ReadonlySet<string> = new Set(['assert', 'dry_run', 'mode', 'return_changes']);

/**
 * Shortens an input schema for tool lists. Removes deprecated fields, fields marked `x-unlisted`, and most fields in
 * `explained`, because the module's summary describes them. Of the fields in `explained`, those marked `x-told` stay
 * unchanged, and those in `commonOptions` keep only their types.
 */
function withListedFields(schema: JsonSchema, explained: readonly string[]): JsonSchema {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, JsonSchema][] => {
    if (field['deprecated'] === true || field['x-unlisted'] === true) return [];
    if (!explained.includes(name) || field['x-told'] === true) return [[name, field]];
    if (!commonOptions.has(name)) return [];
    const listed = field['x-listed'];
    return [[name, (typeof listed === 'string' ? { type: listed } : typesOnly(field)) as JsonSchema]];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/**
 * A tool list names only low limits, because an agent may exceed those by accident: `maximum` up to `listedMaximum`,
 * `maxLength` up to `listedLength`. Higher limits are omitted to save tokens; error messages name them.
 */
const listedMaximum = 1000;
const listedLength = 50;
const sizes = new Set(['minItems', 'maxItems']);
const omittedKeywords = new Set(['additionalProperties', 'propertyNames', ...marks]);
const listedItems = 2000;

/**
 * Shortens an input schema for tool lists, to save tokens. A field with `x-listed` is listed with that type only, even
 * if it accepts several forms. A description is omitted if it equals `told`, the description of the enclosing schema.
 * More limits are kept if `isSpecified` is true, that is, if a published specification defines the operation.
 */
function abbreviateSchema(schema: unknown, isSpecified: boolean, told?: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => abbreviateSchema(one, isSpecified));
  if (typeof schema !== 'object' || schema === null) return schema;
  const listed = (schema as JsonSchema)['x-listed'];
  if (typeof listed === 'string') {
    const { description: words } = schema as JsonSchema;
    return { ...(listed === '' ? {} : { type: listed }), description: words };
  }
  const short: Record<string, unknown> = {};
  const description = (schema as JsonSchema)['description'];
  const isWhole = (schema as JsonSchema)['x-told'] === true;
  for (const [key, value] of Object.entries(schema)) {
    if (omittedKeywords.has(key) || (key === 'description' && value === told)) continue;
    if (!isWhole && isOmittedLimit(key, value, isSpecified)) continue;
    if (key === 'properties') short[key] = abbreviateFields(value as Record<string, unknown>, isSpecified, description);
    else if (key === 'items') short[key] = abbreviateItem(value as JsonSchema, isSpecified);
    else short[key] = key === 'enum' || key === 'required' ? value : abbreviateSchema(value, isSpecified);
  }
  return short;
}

/**
 * Shortens the schema of a list item. Omits the description of a non-object item, because the description of the list
 * covers it.
 */
function abbreviateItem(item: JsonSchema, isSpecified: boolean): unknown {
  const { description: _, ...rest } = item;
  return abbreviateSchema(item.properties ? item : rest, isSpecified);
}

function isOmittedLimit(key: string, value: unknown, isSpecified: boolean): boolean {
  return (
    key === 'minLength' ||
    (sizes.has(key) && (!isSpecified || (value as number) > listedItems)) ||
    (key === 'minimum' && (value as number) <= (isSpecified ? 0 : 1)) ||
    (key === 'maximum' && (value as number) > listedMaximum) ||
    (key === 'maxLength' && (value as number) > listedLength)
  );
}

function abbreviateFields(
  fields: Record<string, unknown>,
  isSpecified: boolean,
  told: unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => (field as JsonSchema)['deprecated'] !== true)
      .map(([name, field]) => [name, abbreviateSchema(field, isSpecified, told)]),
  );
}

export function describeType(field: JsonSchema): string {
  const values = field['enum'] as unknown[] | undefined;
  const places = field['prefixItems'] as JsonSchema[] | undefined;
  if (places) return `[${[...places.map(describeType), ...(field['items'] ? ['...'] : [])].join(', ')}]`;
  const items = field['items'] as JsonSchema | undefined;
  const item = items && describeType(items);
  const type =
    item === undefined
      ? String(field['type'] ?? 'any')
      : item.includes(',') && !item.startsWith('[')
        ? `(${item})[]`
        : `${item}[]`;
  const limits = [
    describeRange(field['minimum'], field['maximum'], ''),
    describeRange(field['minLength'], field['maxLength'], ' characters'),
    describeRange(field['minItems'], field['maxItems'], ' entries'),
    field['default'] !== undefined && `default ${JSON.stringify(field['default'])}`,
    values && `one of ${values.map(String).join(', ')}`,
  ].filter(Boolean);
  return limits.length > 0 ? `${type}, ${limits.join(', ')}` : type;
}

function describeRange(low: unknown, high: unknown, unit: string): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (high === undefined) return `at least ${String(low)}${unit}`;
  return low === undefined ? `at most ${String(high)}${unit}` : `${String(low)} to ${String(high)}${unit}`;
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}

export function commandUsage(entry: OperationEntry): string {
  const schema = inputSchema(entry.operation);
  const flags = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const need = schema.required?.includes(name) ? '' : ' (optional)';
    return `  --${name.padEnd(24)}${describeType(field)}${need}. ${String(field['description'] ?? '')}`;
  });
  return [
    `sheaf call ${toolName(entry, true)} [--json '{...}' | --field value ...]`,
    '',
    entry.operation.summary,
    ...(flags.length > 0 ? ['', ...flags] : []),
  ].join('\n');
}

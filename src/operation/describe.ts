import { z } from 'zod';
import { basePath, type Entry, type Module } from './module.ts';
import type { AnyOperation, ObjectSchema } from './operation.ts';

/** Every description of an operation is derived here from its definition: JSON Schema, MCP tool, Markdown, usage; OpenAPI in openapi.ts. */

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

/** That a number is exactly representable goes without saying. */
function dropSafeLimits(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

export function inputSchema(operation: AnyOperation): JsonSchema {
  return schemaOf(operation.input, 'input');
}

export function outputSchema(operation: AnyOperation): JsonSchema {
  return schemaOf(operation.output, 'output');
}

export function toolName(entry: Entry, dotted = false): string {
  return `${entry.module.name}${dotted ? '.' : '_'}${entry.operation.name}`;
}

export function mcpTool(entry: Entry, dotted = false): Record<string, unknown> {
  const { operation } = entry;
  return {
    name: toolName(entry, dotted),
    description: operation.summary,
    inputSchema: brief(inputSchema(operation), new Set(entry.module.common)),
    // A module of many tools keeps its list short: its answers are described in /docs and OpenAPI.
    ...(entry.module.common ? {} : { outputSchema: outputSchema(operation) }),
    annotations: {
      readOnlyHint: operation.effect === 'read',
      destructiveHint: operation.effect === 'destroy',
      idempotentHint: operation.effect === 'read' || operation.idempotent === true,
      openWorldHint: false,
    },
  };
}

/** Bounds an agent can run into by chance are told; the others would only cost tokens, and errors name them. */
const tellingMaximum = 1000;
const tellingLength = 50;
const silent = new Set(['additionalProperties', 'minLength', 'maxItems']);

/**
 * An input schema as tool lists carry it: agents pay for every character. Answers explain themselves; the whole schemas,
 * answers included, are in the OpenAPI page.
 */
function brief(schema: unknown, common: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => brief(one, common));
  if (typeof schema !== 'object' || schema === null) return schema;
  const short: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (silent.has(key) || isUnlikely(key, value)) continue;
    if (key === 'properties') short[key] = briefFields(value as Record<string, unknown>, common);
    else short[key] = key === 'enum' || key === 'required' ? value : brief(value, common);
  }
  return short;
}

function isUnlikely(key: string, value: unknown): boolean {
  return (
    (key === 'minimum' && (value as number) <= 0) ||
    (key === 'maximum' && (value as number) > tellingMaximum) ||
    (key === 'maxLength' && (value as number) > tellingLength)
  );
}

function briefFields(fields: Record<string, unknown>, common: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const short = brief(field, common) as Record<string, unknown>;
      if (common.has(name)) delete short['description'];
      return [name, short];
    }),
  );
}

/** A Markdown page for each module: docs/operations/<module>.md and GET /docs. */
export function markdownPage(module: Module): string {
  const lines = [`# ${module.title}`, '', module.summary, ''];
  for (const operation of Object.values(module.operations)) {
    lines.push(`## ${operation.name}`, '', operation.summary, '');
    lines.push(
      `\`POST ${basePath(module)}/${operation.name}\` · MCP \`${module.name}_${operation.name}\` · ${effectWords(operation)}`,
      '',
    );
    lines.push(...fieldTable('Request', inputSchema(operation)), ...fieldTable('Answer', outputSchema(operation)));
  }
  lines.push('## Errors', '', '| code | word | meaning |', '|---|---|---|');
  const rows = Object.entries(module.errors).sort(([, a], [, b]) => a.code - b.code);
  for (const [word, error] of rows)
    lines.push(
      `| ${error.code} | ${word} | ${cell(error.meaning)}${error.never ? ` Never returned: ${cell(error.never)}` : ''} |`,
    );
  return `${lines.join('\n')}\n`;
}

function effectWords(operation: AnyOperation): string {
  const words = { read: 'reads', write: 'writes', destroy: 'deletes' }[operation.effect];
  return operation.ownerOnly ? `${words} · owner only` : words;
}

function fieldTable(heading: string, schema: JsonSchema): string[] {
  const rows = [...fieldRows(schema, '')];
  if (rows.length === 0) return [`${heading}: empty.`, ''];
  return [`| ${heading} field | type | | meaning |`, '|---|---|---|---|', ...rows, ''];
}

function* fieldRows(schema: JsonSchema, prefix: string): Generator<string> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const need = schema.required?.includes(name) ? 'required' : '';
    yield `| \`${prefix}${name}\` | ${typeWords(field)} | ${need} | ${cell(String(field['description'] ?? ''))} |`;
    const items = field['items'] as JsonSchema | undefined;
    if (field.properties) yield* fieldRows(field, `${prefix}${name}.`);
    else if (items?.properties) yield* fieldRows(items, `${prefix}${name}[].`);
  }
}

function typeWords(field: JsonSchema): string {
  const values = field['enum'] as unknown[] | undefined;
  const places = field['prefixItems'] as JsonSchema[] | undefined;
  if (places) return `[${[...places.map(typeWords), ...(field['items'] ? ['...'] : [])].join(', ')}]`;
  const items = field['items'] as JsonSchema | undefined;
  const item = items && typeWords(items);
  const type =
    item === undefined
      ? String(field['type'] ?? 'any')
      : item.includes(',') && !item.startsWith('[')
        ? `(${item})[]`
        : `${item}[]`;
  const limits = [
    between(field['minimum'], field['maximum'], ''),
    between(field['minLength'], field['maxLength'], ' characters'),
    between(field['minItems'], field['maxItems'], ' entries'),
    field['default'] !== undefined && `default ${JSON.stringify(field['default'])}`,
    values && `one of ${values.map(String).join(', ')}`,
  ].filter(Boolean);
  return cell(limits.length > 0 ? `${type}, ${limits.join(', ')}` : type);
}

function between(low: unknown, high: unknown, unit: string): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (high === undefined) return `at least ${String(low)}${unit}`;
  return low === undefined ? `at most ${String(high)}${unit}` : `${String(low)} to ${String(high)}${unit}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}

/** How to call it from the command line. */
export function usage(entry: Entry): string {
  const schema = inputSchema(entry.operation);
  const flags = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const need = schema.required?.includes(name) ? '' : ' (optional)';
    return `  --${name.padEnd(24)}${typeWords(field).replaceAll('\\|', '|')}${need}. ${String(field['description'] ?? '')}`;
  });
  return [
    `sheaf call ${toolName(entry, true)} [--json '{...}' | --field value ...]`,
    '',
    entry.operation.summary,
    ...(flags.length > 0 ? ['', ...flags] : []),
  ].join('\n');
}

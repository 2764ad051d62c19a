import { mcpTool, toolName, type JsonSchema } from '../../kernel/describe-operation.ts';
import { fail } from '../../kernel/errors.ts';
import type { OperationEntry, Registry } from '../../kernel/module.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import { firstSentence, rankTools } from './tool-search/rank-tools.ts';

/**
 * Maximum number of tools that `find_tools` returns. `find_tools` is one of the meta tools, by which agents find and
 * call tools that are not in the tool list.
 */
const maxFound = 20;
const usuallyFound = 5;
const maxQueryLength = 256;

const target = {
  name: { type: 'string', description: 'As find_tools returns it.' },
  arguments: { type: 'object', description: 'Its arguments.' },
};

export const metaTools = [
  {
    name: 'find_tools',
    title: 'Find tools',
    description:
      "Finds further tools by what they do. A tool's name as query returns its whole schema; no query lists " +
      'all.\nExample: {"query":"share a spreadsheet with somebody"}',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What is to be done, or the name of a tool.' },
        limit: {
          type: 'integer',
          maximum: maxFound,
          description: `Maximum number of tools. Default: ${usuallyFound}.`,
        },
      },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'call_read_tool',
    title: 'Call a reading tool',
    description: 'Calls a tool of find_tools that changes nothing.',
    inputSchema: { type: 'object', properties: target, required: ['name'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'call_tool',
    title: 'Call any tool',
    description: 'Calls any tool of find_tools, also one that writes or deletes.',
    inputSchema: {
      type: 'object',
      properties: {
        ...target,
        idempotency_key: { type: 'string', description: 'A repeat within 24 hours returns the first result.' },
      },
      required: ['name'],
    },
    annotations: { destructiveHint: true, openWorldHint: false },
  },
] as const;

export type MetaTool = (typeof metaTools)[number]['name'];

export function isMetaTool(name: string): name is MetaTool {
  return metaTools.some((tool) => tool.name === name);
}

export interface TargetCall {
  readonly entry: OperationEntry;
  readonly input: Record<string, unknown>;
}

/**
 * Returns the tool that a call of call_read_tool or call_tool names, and the input for it. Permission is not checked,
 * because the call of the returned tool checks it.
 */
export function resolveTarget(registry: Registry, tool: 'call_read_tool' | 'call_tool', given: unknown): TargetCall {
  const { name, arguments: input = {}, idempotency_key: key } = readArguments(given, 'the arguments');
  if (typeof name !== 'string')
    throw fail('invalid_parameter', `name: must be the name of a tool (got ${formatValue(name)})`);
  const entry = registry.find(name);
  if (!entry) throw fail('invalid_parameter', `name: tool not found: ${name.slice(0, 100)}; find_tools lists them`);
  if (tool === 'call_read_tool' && entry.operation.effect !== 'read')
    throw fail('invalid_parameter', `name: ${toolName(entry)} changes something; call it with call_tool`);
  const fields = readArguments(input, 'arguments');
  return { entry, input: key === undefined ? fields : { idempotency_key: key, ...fields } };
}

export function readArguments(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail('invalid_parameter', `${what}: must be an object (got ${formatValue(value)})`);
  return value as Record<string, unknown>;
}

/** Runs `find_tools`: returns the tools that best match the query, or an overview of all tools if there is no query. */
export function findTools(entries: readonly OperationEntry[], given: unknown): Record<string, unknown> {
  const { query = '', limit = usuallyFound } = readArguments(given, 'the arguments');
  if (typeof query !== 'string' || query.length > maxQueryLength)
    throw fail(
      'invalid_parameter',
      `query: must be a string of at most ${maxQueryLength} characters (got ${formatValue(query)})`,
    );
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > maxFound)
    throw fail('invalid_parameter', `limit: must be 1 to ${maxFound} (got ${formatValue(limit)})`);
  const current = entries.filter(({ operation }) => !operation.deprecated);
  if (query.trim() === '')
    return {
      tools: current.map((entry) => ({
        name: toolName(entry),
        description: firstSentence(entry.operation.summary),
        effect: entry.operation.effect,
      })),
    };
  const found = rankTools(current, query).slice(0, count);
  const exact = count === 1 || (found[0] !== undefined && toolName(found[0]) === query.trim());
  return { tools: (exact ? found.slice(0, 1) : found).map(exact ? wholeTool : briefTool) };
}

function wholeTool(entry: OperationEntry): Record<string, unknown> {
  const { name, description, inputSchema } = mcpTool(entry);
  return { name, description, effect: entry.operation.effect, inputSchema };
}

/**
 * Describes a tool in about 45 tokens: what it does, and its argument names, with a question mark after optional ones.
 */
function briefTool(entry: OperationEntry): Record<string, unknown> {
  const { properties = {}, required = [] } = mcpTool(entry)['inputSchema'] as JsonSchema;
  const names = Object.keys(properties).filter((name) => name !== 'idempotency_key');
  const needed = names.filter((name) => required.includes(name));
  const optional = names.filter((name) => !required.includes(name)).map((name) => `${name}?`);
  return {
    name: toolName(entry),
    does: shorten(firstSentence(entry.operation.summary), maxBriefLength),
    arguments: shorten([...needed, ...optional].join(', '), maxBriefLength),
  };
}

const maxBriefLength = 73;

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\s,;]*\S*$/, '')} …`;
}

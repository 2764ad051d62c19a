import { mcpTool, toolName } from '../../kernel/describe-operation.ts';
import { fail } from '../../kernel/errors.ts';
import type { OperationEntry, Registry } from '../../kernel/module.ts';
import { formatValue } from '../../kernel/parse-input.ts';

/**
 * Maximum number of tools that find_tools returns. The meta tools in this file find and call tools that the tool list
 * omits.
 */
const maxFound = 20;
const usuallyFound = 5;
const maxQueryLength = 256;

const target = {
  name: { type: 'string', description: 'Name of the tool, as find_tools returns it.' },
  arguments: { type: 'object', description: 'Its arguments.' },
};

export const metaTools = [
  {
    name: 'find_tools',
    title: 'Find tools',
    description:
      'Finds further tools by what they do, with their arguments. Call them with call_read_tool or call_tool. Without a query ' +
      'it lists every tool in one line each.\nExample: {"query":"share a spreadsheet with somebody"}',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What is to be done, in English words.' },
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
    description: 'Calls a tool that is not listed here and changes nothing; find_tools says what there is.',
    inputSchema: { type: 'object', properties: target, required: ['name'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'call_tool',
    title: 'Call any tool',
    description:
      'Calls any tool that is not listed here, also one that writes or deletes; find_tools says what there is.',
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

/** Resolves the target of call_read_tool and call_tool. Does not check permission, because the call itself does. */
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

/** Returns the tools that match the query best, or an overview without a query. */
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
  const words = [...new Set(wordsOf(query))];
  const found = current
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, count);
  return {
    tools: found.map(({ entry }) => {
      const { name, description, inputSchema } = mcpTool(entry);
      return { name, description, effect: entry.operation.effect, inputSchema };
    }),
  };
}

function firstSentence(text: string): string {
  return /^[^\n]*?[.](?=\s|$)/.exec(text)?.[0] ?? text.split('\n', 1)[0]!;
}

/** Splits text into lower-case words without common endings, so that "rows" finds "row" and "sharing" finds "share". */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((word) => !fillers.has(word))
    .map((word) => word.replace(/(?:ies|es|s|ing|ed|e)$/, '') || word);
}

const fillers = new Set(
  'a an and another by can do for from how i in into is it its my of on one or out some somebody that the this to use what with'.split(
    ' ',
  ),
);

interface Indexed {
  readonly name: ReadonlySet<string>;
  readonly first: ReadonlySet<string>;
  readonly rest: ReadonlySet<string>;
}

const indexed = new WeakMap<OperationEntry, Indexed>();

function indexOf(entry: OperationEntry): Indexed {
  let known = indexed.get(entry);
  if (!known) {
    const { operation, module } = entry;
    const fields = Object.keys((mcpTool(entry)['inputSchema'] as { properties?: object }).properties ?? {});
    known = {
      name: new Set(wordsOf(operation.name)),
      first: new Set(wordsOf(firstSentence(operation.summary))),
      rest: new Set(wordsOf([module.title, operation.summary, ...fields].join(' '))),
    };
    indexed.set(entry, known);
  }
  return known;
}

function scoreOf(entry: OperationEntry, words: readonly string[]): number {
  const { name, first, rest } = indexOf(entry);
  let score = 0;
  for (const word of words) score += name.has(word) ? 6 : first.has(word) ? 3 : rest.has(word) ? 1 : 0;
  return score;
}

import { invalid } from '../errors.ts';
import { z } from 'zod';
import { Failure } from '../../../kernel/errors.ts';
import { list, text } from '../../../kernel/field-schemas.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { validateBySchema, refuseUnknownFields } from '../../../kernel/parse-input.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import type { Mutation } from '@sheaf/engine/internal/mutations';
import { dryRunSteps } from '../calls/dry-run-steps.ts';
import { resolveSheetNames } from '../calls/resolve-sheet-names.ts';
import {
  changedCellsOutput,
  changedCellsTokens,
  parseFileId,
  defaultSheetField,
  validationField,
  writeOptionFields,
} from '../schema.ts';
import { writeTool, type Tool } from '../calls/tool.ts';

const maxCalls = 100;
/**
 * Tools that must not be called in a batch (several tool calls that are applied as one revision). Batches cannot be
 * nested, and revert and undo_revision act on the whole history. get_images, render_chart and render_range complete
 * their answers outside the document's thread.
 */
const excluded = ['batch', 'revert', 'undo_revision', 'get_images', 'render_chart', 'render_range'];
/** Input fields that a caller may give only to the batch, because they apply to all of its calls. */
const wholeFields = Object.keys({ ...writeOptionFields, ...validationField });

/**
 * Creates the batch tool. `tools` is a function, because the list of tools is complete only after batch itself is
 * created.
 */
export function createBatchTool(tools: () => ReadonlyMap<string, Tool>) {
  const toolOf = (name: string, index: number): Tool => {
    const short = name.replace(/^sheet[._]/, '');
    const found = tools().get(short);
    if (!found) throw invalid(`calls[${index}].tool: there is no tool ${JSON.stringify(name)}`);
    if (excluded.includes(short))
      throw invalid(
        `calls[${index}].tool: must be a tool other than ${excluded.join(', ')} (got ${JSON.stringify(name)})`,
      );
    return found;
  };

  return writeTool({
    name: 'batch',
    maxValues: 2_000_000,
    summary:
      'Runs several tools on one document as one revision. If one fails, none are applied. Each sees the ' +
      'effects of the earlier ones, as does a final read.\nExample: ' +
      '{"calls":[{"tool":"add_sheet","arguments":{"name":"Q1"}},{"tool":"set_freeze",' +
      '"arguments":{"sheet_id":"...","row_count":1,"col_count":0}}]}',
    input: {
      ...defaultSheetField,
      calls: list(
        'Calls to make, in order.',
        z.object({
          tool: text('Name of a sheet tool.', { min: 1, max: 64 }),
          arguments: z
            .record(z.string(), z.unknown())
            .meta({ description: 'Parameters of the tool; file_id may be omitted.' }),
        }),
        { min: 1, max: maxCalls },
      ),
      ...validationField,
    },
    output: {
      results: list('Result of each call, in order.', z.record(z.string(), z.unknown())),
      ...changedCellsOutput,
    },
    prepareStores: ({ calls }) =>
      calls.some((one, index) => toolOf(one.tool, index).prepareStores?.(one.arguments as never)),
    async prepare(input, context) {
      const file_id = parseFileId(input);
      const calls = [];
      for (const [index, one] of input.calls.entries()) {
        const tool = toolOf(one.tool, index);
        const given = one.arguments as { file_id?: string; file_url?: string };
        if ((given.file_id || given.file_url) && parseFileId(given) !== file_id)
          throw invalid(`calls[${index}].arguments.file_id: must be the batch's document or omitted`);
        const takesSheet = Object.hasOwn((tool.input as unknown as z.ZodObject).shape, 'sheet_id');
        const home = takesSheet && input.sheet_id !== undefined ? { sheet_id: input.sheet_id } : {};
        refuseWholeFields(one.arguments, index);
        const raw = { ...home, ...one.arguments, file_id };
        refuseUnknownFields(tool as unknown as AnyOperation, raw, `calls[${index}].arguments.`);
        const parsed = await parseArguments(tool, raw, index);
        const ready = tool.prepare
          ? await withIndexedErrors(index, () =>
              tool.prepare!({ ...(parsed as object), dry_run: input.dry_run } as never, context),
            )
          : parsed;
        const packed = tool.pack ? await withIndexedErrors(index, async () => tool.pack!(ready as never)) : ready;
        calls.push({ tool: tool.name, arguments: packed as Record<string, unknown> });
      }
      return { ...input, calls };
    },
    plan(document, input, call) {
      const results: Record<string, unknown>[] = [];
      const steps = input.calls.map((one) => (index: number): readonly Mutation[] => {
        const { work } = toolOf(one.tool, index);
        const given = resolveSheetNames(document, one.arguments) as never;
        if (work.kind === 'read') {
          const data = work.read(document, given, call);
          results.push(data instanceof RawJson ? (data.parse() as Record<string, unknown>) : data);
          return [];
        }
        const { mutations, data = {} } = work.plan(document, given, call);
        results.push(data);
        return mutations;
      });
      const at = { index: 0 };
      try {
        const mutations = dryRunSteps(
          document,
          call,
          steps.map((step, index) => () => {
            at.index = index;
            return step(index);
          }),
        );
        return {
          mutations,
          data: { results },
          checked: true,
          report: { tokens: changedCellsTokens, sheet: input.sheet_id },
        };
      } catch (error) {
        throw withCallIndex(error, at.index);
      }
    },
  });
}

function refuseWholeFields(given: Record<string, unknown>, index: number): void {
  const field = wholeFields.find((name) => given[name] !== undefined && given[name] !== false);
  if (field) throw invalid(`calls[${index}].arguments.${field}: applies to the whole batch; give it to batch itself`);
}

/**
 * Parses the arguments of one call, with the tool's own `parse` or else by its schema. Errors name the call's index.
 */
async function parseArguments(tool: Tool, raw: Record<string, unknown>, index: number): Promise<unknown> {
  const placed = (reason: string): Failure => invalid(`calls[${index}].arguments.${reason}`);
  if (!tool.parse) return validateBySchema(tool.input, raw, placed);
  try {
    return await tool.parse(raw);
  } catch (error) {
    throw error instanceof Failure && error.word === 'invalid_parameter' ? placed(error.message) : error;
  }
}

async function withIndexedErrors<Result>(index: number, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw withCallIndex(error, index);
  }
}

/**
 * Adds the index of the failed call in the batch to the error's message. An error that is no Failure is changed in
 * place, because its class decides how it is handled.
 */
function withCallIndex(error: unknown, index: number): unknown {
  if (error instanceof Failure)
    return new Failure(error.word, `calls[${index}]: ${error.message}`, { retryAfter: error.retryAfter, cause: error });
  if (error instanceof Error) error.message = `calls[${index}]: ${error.message}`;
  return error;
}

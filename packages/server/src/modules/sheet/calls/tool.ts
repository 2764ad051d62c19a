import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Effect, ObjectSchema, Operation } from '../../../kernel/operation.ts';
import type { RawJson } from '../../../kernel/raw-json.ts';
import type { SheetDocument } from '@sheaf/engine/internal/document';
import type { RecalcOptions } from '@sheaf/engine';
import type { Mutation } from '@sheaf/engine/internal/mutations';

/**
 * The context of a tool call. A tool is an operation in two halves: its definition, from which all transports follow,
 * and its work, which runs synchronously in the document's worker thread and either plans mutations or reads.
 */
export interface ToolCall {
  readonly userId: string;
  /** The document's owner may edit protected ranges. */
  readonly isOwner: boolean;
  /** Unix milliseconds. */
  readonly at: number;
  /** The document's version before the call. */
  readonly version: number;
  /** Time, random seed and budget for this call's calculation. */
  readonly calculation: RecalcOptions;
  /** Creates an id. Ids are stored in mutations, so that replay reproduces them. */
  newId(prefix: string): string;
}

export interface WritePlan<Data> {
  readonly mutations: Mutation[];
  /** The answer; {} when omitted. */
  readonly data?: Data;
  /**
   * Report the changed cells in the answer, within this many tokens; addresses in `sheet` are written without its name.
   */
  readonly report?: { readonly tokens: number; readonly sheet: string | undefined };
  /** The mutations were already checked against protections; see dryRunSteps(). */
  readonly checked?: true;
}

export type ToolHandler =
  | {
      readonly kind: 'write';
      plan(document: SheetDocument, input: never, call: ToolCall): WritePlan<Record<string, unknown>>;
    }
  | {
      readonly kind: 'read';
      read(document: SheetDocument, input: never, call: ToolCall): Record<string, unknown> | RawJson;
    };

export type Tool<Input extends ObjectSchema = ObjectSchema, Output extends ObjectSchema = ObjectSchema> = Operation<
  Input,
  Output
> & {
  readonly work: ToolHandler;
  readonly prepare?: (input: z.output<Input>, context: Context) => Promise<z.output<Input>>;
  readonly pack?: (input: z.output<Input>) => Record<string, unknown> | Promise<Record<string, unknown>>;
};

interface Definition<Input extends ObjectSchema, Output extends ObjectSchema> extends Pick<
  Operation<Input, Output>,
  | 'name'
  | 'summary'
  | 'deprecated'
  | 'isUnlisted'
  | 'idempotent'
  | 'input'
  | 'output'
  | 'parse'
  | 'readBody'
  | 'maxValues'
> {
  readonly effect?: Effect;
  /**
   * Runs on the main thread before the work, for what needs other services, such as storing an image. Its result is the
   * work's input.
   */
  prepare?(input: z.output<Input>, context: Context): Promise<z.output<Input>>;
}

interface WriteDefinition<Input extends ObjectSchema, Output extends ObjectSchema, Packed> extends Definition<
  Input,
  Output
> {
  /**
   * Runs on the main thread after `prepare`: converts a large input to a compact form for the transfer to the
   * document's thread. May return a promise.
   */
  pack?(input: z.output<Input>): Packed | Promise<Packed>;
  plan(document: SheetDocument, input: Packed, call: ToolCall): WritePlan<z.input<Output>>;
}

export function writeTool<
  Input extends ObjectSchema,
  Output extends ObjectSchema,
  Packed extends Record<string, unknown> = z.output<Input>,
>(definition: WriteDefinition<Input, Output, Packed>): Tool<Input, Output> {
  const { plan, prepare, pack, effect = 'write', ...rest } = definition;
  return {
    ...rest,
    effect,
    isOneWrite: prepare === undefined,
    prepare,
    pack,
    work: { kind: 'write', plan: plan as never },
    run: createRunner(definition.name, 'editor', prepare, pack),
  };
}

export function readTool<Input extends ObjectSchema, Output extends ObjectSchema>(
  definition: Definition<Input, Output> & {
    read(document: SheetDocument, input: z.output<Input>, call: ToolCall): z.input<Output> | RawJson;
  },
): Tool<Input, Output> {
  const { read, prepare, ...rest } = definition;
  return {
    ...rest,
    effect: 'read',
    prepare,
    work: { kind: 'read', read: read as never },
    run: createRunner(definition.name, 'viewer', prepare),
  };
}

function createRunner<Input>(
  name: string,
  need: 'viewer' | 'editor',
  prepare?: (input: Input, context: Context) => Promise<Input>,
  pack?: (input: Input) => unknown,
) {
  return async (input: Input, context: Context): Promise<never> => {
    const ready = prepare ? await prepare(input, context) : input;
    const packed = pack ? pack(ready) : ready;
    return (await context.documents.call(
      context,
      name,
      need,
      (packed instanceof Promise ? await packed : packed) as Record<string, unknown>,
    )) as never;
  };
}

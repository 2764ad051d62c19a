import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Effect, ObjectSchema, Operation } from '../../../kernel/operation.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import type { DocumentRole } from '../../../ports/sheet-store.ts';
import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import type { RecalcOptions } from '@sheaf/engine';
import type { Mutation } from '@sheaf/engine/internal/mutations';
import { parseBySchema } from '../../../kernel/parse-input.ts';
import { changesOutput, fileFields, sheetField, writeOptionFields } from '../schema.ts';
import { requireWorksheet } from './sheet-lookup.ts';
import { dryRunSteps } from './dry-run-steps.ts';
import {
  expandRanges,
  joinAnswers,
  parseRangeInput,
  rangeField,
  rangeInputOf,
  usesAddress,
  type RangeInput,
} from './range-input.ts';

/**
 * Context of a call to a tool, that is, to an operation on one document such as `set_cell_style`. Passed to the tool's
 * `plan` or `read` function, which runs synchronously in the document's worker thread.
 */
export interface ToolCall {
  readonly userId: string;
  /** True if the caller owns the document and therefore may also edit ranges that others have protected. */
  readonly isOwner: boolean;
  /** Time of the call in Unix milliseconds. */
  readonly at: number;
  /** Version of the document before the call. */
  readonly version: number;
  /** Time, random seed and budget for this call's calculation. */
  readonly calculation: RecalcOptions;
  /**
   * Creates a unique id that begins with `prefix`, for a new object such as a chart. The mutations of the call contain
   * the id, so applying them again from the log gives the object the same id.
   */
  newId(prefix: string): string;
}

export interface WritePlan<Data> {
  readonly mutations: Mutation[];
  /** Fields of the call's answer that the tool itself defines; {} if unset. */
  readonly data?: Data;
  /**
   * If set, the answer lists the cells that the call changed, shortened to about `tokens` language model tokens.
   * Addresses on the sub-sheet `sheet` omit its name.
   */
  readonly report?: { readonly tokens: number; readonly sheet: string | undefined };
  /**
   * Id of the sub-sheet that the call's address refers to. The caller's `assert` conditions (conditions that must hold
   * after the write) use it for addresses that name no sub-sheet.
   */
  readonly home?: string | undefined;
  /**
   * True if planning has already checked the mutations against protected ranges (see dryRunSteps()). They are then not
   * checked again when they are applied.
   */
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
  /**
   * True if the tool is part of the published API specification that this server implements. Its answers then contain
   * only the fields of that specification.
   */
  readonly isSpecified?: boolean;
  readonly prepareStores?: (input: z.output<Input>) => boolean;
  readonly prepare?: (input: z.output<Input>, context: Context) => Promise<z.output<Input>>;
  readonly pack?: (input: z.output<Input>) => Record<string, unknown> | Promise<Record<string, unknown>>;
};

type Fields = Readonly<Record<string, z.ZodType>>;
type NoFields = Record<never, never>;
/**
 * Type of the input field `range` (an address such as `A1:B2`). The field is added to tools whose own fields are row
 * and column indexes, unless they have a field `range` or `cell`. The same rule is implemented in rangeInputOf().
 */
type RangeFields<Own extends Fields> = 'range' extends keyof Own
  ? unknown
  : 'cell' extends keyof Own
    ? unknown
    : Own extends Named<'start_row' | 'start_col'> | Named<'row_index' | 'col_index'> | Named<'row' | 'col'> | Lines
      ? typeof rangeField
      : unknown;
type Named<Field extends string> = Readonly<Record<Field, z.ZodType>>;
type Lines = Named<'dimension_type' | 'index' | 'count'>;
type ReadInput<Own extends Fields> = z.ZodObject<typeof fileFields & Own & RangeFields<Own>>;
type WriteInput<Own extends Fields> = z.ZodObject<
  typeof fileFields & Own & typeof writeOptionFields & RangeFields<Own>
>;
type WriteOutput<Own extends Fields> = z.ZodObject<Own & typeof changesOutput>;
type ReadAnswer<Own extends Fields> = z.input<z.ZodObject<Own>> | RawJson;
type OnWorksheet<Own extends Fields> = typeof sheetField & Own;

export type WriteValues<Own extends Fields> = z.output<WriteInput<Own>>;

interface Definition<Own extends Fields> extends Pick<
  Operation,
  'name' | 'summary' | 'deprecated' | 'isUnlisted' | 'view'
> {
  /** The tool's own input fields. Fields for the document and common options are added to them. */
  readonly input: Own;
}

interface WriteDefinition<Own extends Fields, Output extends Fields, All extends Fields = Own>
  extends Definition<Own>, Pick<Operation, 'idempotent' | 'readBody' | 'maxValues'> {
  readonly effect?: Effect;
  /** Role that the call requires. Default: editor. */
  readonly need?: DocumentRole;
  /** Fields of the answer, besides those that report changes. */
  readonly output?: Output;
  readonly parse?: (
    raw: Record<string, unknown>,
    input: WriteInput<All>,
  ) => WriteValues<All> | Promise<WriteValues<All>>;
  /**
   * Returns whether `prepare` would store something, such as an image, for this input. If so, the call is first made as
   * a dry run, so that a refused call stores nothing.
   */
  prepareStores?(input: WriteValues<All>): boolean;
  /**
   * Runs on the main thread before `plan`, for work that needs other services, such as storing an image. The result
   * replaces the input.
   */
  prepare?(input: WriteValues<All>, context: Context): Promise<WriteValues<All>>;
}

export function writeTool<
  Own extends Fields,
  Output extends Fields = NoFields,
  Packed extends Record<string, unknown> = WriteValues<Own>,
>(
  definition: WriteDefinition<Own, Output> & {
    /**
     * Runs on the main thread after `prepare`. Converts a large input to a compact form before it is sent to the
     * document's thread.
     */
    pack?(input: WriteValues<Own>): Packed | Promise<Packed>;
    plan(document: SheetDocument, input: Packed, call: ToolCall): WritePlan<z.input<WriteOutput<Output>>>;
  },
): Tool<WriteInput<Own>, WriteOutput<Output>> {
  const { plan, prepareStores, prepare, pack, parse, effect = 'write', need = 'editor', ...rest } = definition;
  const shape = { ...fileFields, ...definition.input, ...writeOptionFields };
  const ranges = rangeInputOf(shape);
  const input = z.object(withRange(shape, ranges)) as WriteInput<Own>;
  return {
    ...rest,
    input,
    output: z.object({ ...(definition.output as Output), ...changesOutput }),
    effect,
    isOneWrite: prepare === undefined,
    parse: parserOf(input, ranges, parse as never),
    prepareStores,
    prepare,
    pack,
    work: { kind: 'write', plan: (ranges ? planForAreas(ranges, plan as never) : plan) as never },
    run: createRunner(definition.name, need, { prepareStores, prepare, pack }),
  };
}

interface ReadDefinition<Own extends Fields, Output extends Fields, All extends Fields = Own> extends Definition<Own> {
  readonly output: Output;
  /** True if an address must not list several areas, because their answers cannot be combined. */
  readonly takesOneArea?: true;
  /**
   * Reads several areas of an address such as `A1:B2,D4` at once; `readOne` reads a single area. Defined by tools for
   * which it would be wrong to concatenate the answers for the single areas.
   */
  readAreas?(
    inputs: readonly z.output<ReadInput<All>>[],
    readOne: (input: z.output<ReadInput<All>>) => z.input<z.ZodObject<Output>>,
  ): z.input<z.ZodObject<Output>>;
}

export function readTool<Own extends Fields, Output extends Fields>({
  read,
  readAreas,
  takesOneArea,
  ...definition
}: ReadDefinition<Own, Output> & {
  read(document: SheetDocument, input: z.output<ReadInput<Own>>, call: ToolCall): ReadAnswer<Output>;
}): Tool<ReadInput<Own>, z.ZodObject<Output>> {
  const shape = { ...fileFields, ...definition.input };
  const ranges = rangeInputOf(shape, takesOneArea ? false : readAreas ? true : undefined);
  const input = z.object(withRange(shape, ranges)) as ReadInput<Own>;
  return {
    ...definition,
    input,
    output: z.object(definition.output),
    effect: 'read',
    ...(ranges ? { parse: parserOf(input, ranges) as never } : {}),
    work: { kind: 'read', read: (ranges ? readForAreas(ranges, read as never, readAreas as never) : read) as never },
    run: createRunner(definition.name, 'viewer'),
  };
}

function withRange(shape: Fields, ranges: RangeInput | undefined): Fields {
  return ranges?.layout ? { ...shape, ...rangeField } : shape;
}

type RawParser = (raw: Record<string, unknown>, schema: z.ZodType) => unknown;

/**
 * Returns the function that parses a tool's input, or undefined if the schema alone suffices. The function also accepts
 * an address instead of row and column indexes (`ranges`), and uses the tool's own parser (`own`) if there is one.
 */
function parserOf<Input extends ObjectSchema>(
  input: Input,
  ranges: RangeInput | undefined,
  own?: RawParser,
): ((raw: Record<string, unknown>) => z.output<Input> | Promise<z.output<Input>>) | undefined {
  if (!ranges && !own) return undefined;
  return (raw) => {
    if (ranges && usesAddress(ranges, raw)) return parseRangeInput(ranges, raw, own as never);
    return (own ? own(raw, input) : parseBySchema(input, raw)) as z.output<Input>;
  };
}

type Plan = (document: SheetDocument, input: unknown, call: ToolCall) => WritePlan<Record<string, unknown>>;
type Read = (document: SheetDocument, input: unknown, call: ToolCall) => Record<string, unknown> | RawJson;

/**
 * Wraps a tool's plan function, so that it accepts an address instead of indexes. If the address lists several areas,
 * runs the plan function for each of them and joins the mutations.
 */
function planForAreas(ranges: RangeInput, plan: Plan): Plan {
  return (document, given, call) => {
    const inputs = expandRanges(document, ranges, given as Record<string, unknown>, true);
    const home = inputs[0]!['sheet_id'] as string | undefined;
    if (inputs.length === 1) return { ...plan(document, inputs[0], call), home };
    const steps = inputs.map((input) => () => plan(document, input, call).mutations);
    return { mutations: dryRunSteps(document, call, steps), checked: true, home };
  };
}

type Answers = Record<string, unknown>;
type ReadAreas = (inputs: readonly unknown[], readOne: (input: unknown) => Answers) => Answers;

function readForAreas(ranges: RangeInput, read: Read, readAreas?: ReadAreas): Read {
  return (document, given, call) => {
    const inputs = expandRanges(document, ranges, given as Record<string, unknown>, false);
    if (inputs.length === 1) return read(document, inputs[0], call);
    const readOne = (input: unknown): Answers => {
      const answer = read(document, input, call);
      return answer instanceof RawJson ? (answer.parse() as Answers) : answer;
    };
    return readAreas ? readAreas(inputs, readOne) : joinAnswers(inputs.map(readOne));
  };
}

/** Defines a write tool. Its `plan` gets the worksheet that the input field sheet_id names. */
export function worksheetWriteTool<Own extends Fields, Output extends Fields = NoFields>({
  input,
  plan,
  ...rest
}: WriteDefinition<Own, Output, OnWorksheet<Own>> & {
  plan(
    document: SheetDocument,
    sub: SubSheet,
    input: WriteValues<OnWorksheet<Own>>,
    call: ToolCall,
  ): WritePlan<z.input<WriteOutput<Output>>>;
}) {
  return writeTool<OnWorksheet<Own>, Output>({
    ...rest,
    input: { ...sheetField, ...input },
    plan: (document, given, call) => plan(document, namedWorksheet(document, given), given, call),
  });
}

/** Defines a read tool. Its `read` gets the worksheet that the input field sheet_id names. */
export function worksheetReadTool<Own extends Fields, Output extends Fields>({
  input,
  read,
  ...rest
}: ReadDefinition<Own, Output, OnWorksheet<Own>> & {
  read(
    document: SheetDocument,
    sub: SubSheet,
    input: z.output<ReadInput<OnWorksheet<Own>>>,
    call: ToolCall,
  ): ReadAnswer<Output>;
}) {
  return readTool<OnWorksheet<Own>, Output>({
    ...rest,
    input: { ...sheetField, ...input },
    read: (document, given, call) => read(document, namedWorksheet(document, given), given, call),
  });
}

function namedWorksheet(document: SheetDocument, input: unknown): SubSheet {
  return requireWorksheet(document, (input as { sheet_id: string }).sheet_id);
}

function createRunner<Input>(
  name: string,
  need: DocumentRole,
  {
    prepareStores,
    prepare,
    pack,
  }: {
    prepareStores?: ((input: Input) => boolean) | undefined;
    prepare?: ((input: Input, context: Context) => Promise<Input>) | undefined;
    pack?: ((input: Input) => unknown) | undefined;
  } = {},
) {
  const run = async (input: Input, context: Context): Promise<never> => {
    const ready = prepare ? await prepare(input, context) : input;
    const packed = pack ? pack(ready) : ready;
    return (await context.documents.call(
      context,
      name,
      need,
      (packed instanceof Promise ? await packed : packed) as Record<string, unknown>,
    )) as never;
  };
  if (!prepareStores) return run;
  return async (input: Input, context: Context): Promise<never> => {
    const isDryRun = (input as { dry_run?: boolean }).dry_run === true;
    if (!isDryRun && prepareStores(input)) await run({ ...input, dry_run: true }, context);
    return run(input, context);
  };
}

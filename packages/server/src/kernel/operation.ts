import { z } from 'zod';
import type { Context } from '../context.ts';
import type { RawJson } from './raw-json.ts';

/**
 * read: changes nothing. write: adds or changes data. destroy: deletes data, so a client may want to ask the user
 * first.
 */
export type Effect = 'read' | 'write' | 'destroy';

export type ObjectSchema = z.ZodType<Record<string, unknown>>;

type ReadBody = Record<string, unknown> | undefined;

export interface Operation<Input extends ObjectSchema = ObjectSchema, Output extends ObjectSchema = ObjectSchema> {
  /** The name in the API; the file has the same name. The module names its operations. */
  readonly name: string;
  /**
   * First line: what the operation does. Further lines: when to use it rather than a similar operation, and one
   * example.
   */
  readonly summary: string;
  readonly effect: Effect;
  /** Repeating the call with the same input has no further effect. Reads are always idempotent. */
  readonly idempotent?: boolean;
  /**
   * The operation makes exactly one write, which stores its answer too (see writeAndAnswer()). That write fails
   * without effect if the Idempotency-Key was used before, so the key need not be looked up first.
   */
  readonly isOneWrite?: boolean;
  /** Any API key may call it, even one limited to other modules. */
  readonly anyKey?: boolean;
  /** The answer holds a secret of which only a hash is stored: the answer itself must not be stored either. */
  readonly secretAnswer?: boolean;
  /** May run for minutes: an MCP client that supports tasks gets a task. */
  readonly isLong?: true;
  /** Served for older clients only. The text says what to call instead. */
  readonly deprecated?: string;
  /** Left out of tool lists because another operation covers it; still served. */
  readonly isUnlisted?: true;
  /** Only the owner of the installation may call it. */
  readonly ownerOnly?: boolean;
  readonly input: Input;
  readonly output: Output;
  /** Names that known clients send for a field, with the field's own name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /**
   * Replaces the schema's own parser for large inputs; must accept and refuse exactly the same values. May return a
   * promise for a slow parse.
   */
  readonly parse?: (raw: Record<string, unknown>) => z.output<Input> | Promise<z.output<Input>>;
  /**
   * Reads a large body directly from its bytes; the result goes to `parse`. Returns undefined to leave the body to the
   * JSON parser.
   */
  readonly readBody?: (bytes: Uint8Array) => ReadBody | Promise<ReadBody>;
  /** Maximum number of JSON values in a body, if the default of a hundred thousand is too low. */
  readonly maxValues?: number;
  run(input: z.output<Input>, context: Context): Promise<z.input<Output> | RawJson>;
}

/** A schema, or the fields of an object. */
type Fields = ObjectSchema | z.ZodRawShape;
type SchemaOf<Given> = Given extends ObjectSchema
  ? Given
  : Given extends z.ZodRawShape
    ? z.ZodObject<Given, z.core.$strip>
    : never;

function schemaOf<Given extends Fields>(given: Given): SchemaOf<Given> {
  return ('_zod' in given ? given : z.object(given as z.ZodRawShape)) as SchemaOf<Given>;
}

/** Makes an operation with its exact input and output types for the typed client. */
export function operation<Input extends Fields, Output extends Fields>(
  definition: Omit<Operation<SchemaOf<Input>, SchemaOf<Output>>, 'name' | 'input' | 'output'> & {
    readonly name?: string;
    readonly input: Input;
    readonly output: Output;
  },
): Operation<SchemaOf<Input>, SchemaOf<Output>> {
  return { name: '', ...definition, input: schemaOf(definition.input), output: schemaOf(definition.output) };
}

/** An operation without its exact input and output types. */
export type AnyOperation = Omit<Operation, 'run' | 'parse'> & {
  readonly parse?: (raw: Record<string, unknown>) => unknown;
  run(input: never, context: Context): Promise<unknown>;
};

import { z } from 'zod';
import type { Context } from '../context.ts';
import type { RawJson } from './raw-json.ts';

/**
 * `read` changes nothing, `write` adds or changes data, `destroy` deletes data. A client may want to ask the user
 * before a `destroy`.
 */
export type Effect = 'read' | 'write' | 'destroy';

export const views = ['grid', 'chart', 'passages', 'diff'] as const;
export type View = (typeof views)[number];

/** Returns the URI of the MCP resource that contains the HTML page of the view. */
export function viewUri(view: View): string {
  return `ui://sheaf/${view}`;
}

export type ObjectSchema = z.ZodType<Record<string, unknown>>;

type ReadBody = Record<string, unknown> | undefined;

export interface Operation<Input extends ObjectSchema = ObjectSchema, Output extends ObjectSchema = ObjectSchema> {
  /** Name of the operation in the API, equal to the operation's key in its module. */
  readonly name: string;
  /**
   * Description of the operation. The first line says what it does. The further lines say when to use it instead of a
   * similar operation, and give one example.
   */
  readonly summary: string;
  readonly effect: Effect;
  /** Whether repeating the call with the same input has no further effect. Reads are always idempotent. */
  readonly idempotent?: boolean;
  /**
   * Whether the operation makes exactly one write, which also stores the answer (see writeAndAnswer()). That write
   * fails without effect if the Idempotency-Key was used before, so the key need not be looked up first.
   */
  readonly isOneWrite?: boolean;
  /** Whether any API key may call the operation, even one limited to other modules. */
  readonly anyKey?: boolean;
  /**
   * Whether the answer contains a secret, such as a new API key. The answer is then not stored in the database for
   * retries.
   */
  readonly secretAnswer?: boolean;
  /**
   * Whether the operation may run for minutes. An MCP client that supports tasks then gets a task, whose result it
   * fetches later.
   */
  readonly isLong?: true;
  /** Set if the operation is served only for older clients. The text names the operation to call instead. */
  readonly deprecated?: string;
  /** Whether tool lists omit the operation because another operation covers it. It can still be called. */
  readonly isUnlisted?: true;
  /** Web page (view) that displays the answer to a person, in MCP hosts that support MCP Apps. */
  readonly view?: View;
  /** Whether only the owner of the installation may call the operation. */
  readonly ownerOnly?: boolean;
  readonly input: Input;
  readonly output: Output;
  /** Maps alternative field names that known clients send to the names of the fields. */
  readonly aliases?: Readonly<Record<string, string>>;
  /**
   * Parser for the input, used instead of the schema's own parser because that is slow for large inputs. It must accept
   * and refuse exactly the same values as the schema. May return a promise if parsing takes long.
   */
  readonly parse?: (raw: Record<string, unknown>) => z.output<Input> | Promise<z.output<Input>>;
  /**
   * Reads a large body directly from its bytes, without JSON.parse. The result is passed to `parse`. Returns undefined
   * if the JSON parser must read the body.
   */
  readonly readBody?: (bytes: Uint8Array) => ReadBody | Promise<ReadBody>;
  /** Maximum number of JSON values in a request body. Set if the default of a hundred thousand is too low. */
  readonly maxValues?: number;
  run(input: z.output<Input>, context: Context): Promise<z.input<Output> | RawJson>;
}

type Fields = ObjectSchema | z.ZodRawShape;
type SchemaOf<Given> = Given extends ObjectSchema
  ? Given
  : Given extends z.ZodRawShape
    ? z.ZodObject<Given, z.core.$strip>
    : never;

function schemaOf<Given extends Fields>(given: Given): SchemaOf<Given> {
  return ('_zod' in given ? given : z.object(given as z.ZodRawShape)) as SchemaOf<Given>;
}

/** Makes an operation and infers its exact input and output types for the typed client. */
export function operation<Input extends Fields, Output extends Fields>(
  definition: Omit<Operation<SchemaOf<Input>, SchemaOf<Output>>, 'name' | 'input' | 'output'> & {
    readonly name?: string;
    readonly input: Input;
    readonly output: Output;
  },
): Operation<SchemaOf<Input>, SchemaOf<Output>> {
  return { name: '', ...definition, input: schemaOf(definition.input), output: schemaOf(definition.output) };
}

/** An operation without its exact input and output types, for code that treats all operations alike. */
export type AnyOperation = Omit<Operation, 'run' | 'parse'> & {
  readonly parse?: (raw: Record<string, unknown>) => unknown;
  run(input: never, context: Context): Promise<unknown>;
};

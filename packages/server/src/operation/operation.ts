import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { RawJson } from './raw-json.ts';

/** read: changes nothing. write: adds or changes. destroy: takes away (a person may want to be asked first). */
export type Effect = 'read' | 'write' | 'destroy';

export type ObjectSchema = z.ZodType<Record<string, unknown>>;

type ReadBody = Record<string, unknown> | undefined;

export interface Operation<Input extends ObjectSchema = ObjectSchema, Output extends ObjectSchema = ObjectSchema> {
  /** The wire name; the file has the same name. */
  readonly name: string;
  /** First line: what it does. Further lines: when to use it rather than its neighbor, and one example. */
  readonly summary: string;
  readonly effect: Effect;
  /** A repeat with the same input changes nothing more. Reads always are. */
  readonly idempotent?: boolean;
  /**
   * All that it does is one write, with its answer (see answered()): where that is refused because the Idempotency-Key is
   * taken, nothing was done, so that the key need not be looked up before.
   */
  readonly isOneWrite?: boolean;
  /** Every key may call it, whatever modules it is for. */
  readonly anyKey?: boolean;
  /** The answer holds a secret of which only a hash is stored: the answer itself must not be stored either. */
  readonly secretAnswer?: boolean;
  /** May take minutes: a client that can come back for the result gets a task (MCP). */
  readonly isLong?: true;
  /** Served for older clients only: what to call instead. */
  readonly deprecated?: string;
  /** Another one of ours covers it: in no list of tools, and still served. */
  readonly isUnlisted?: true;
  /** Only the owner of the installation may call it. */
  readonly ownerOnly?: boolean;
  readonly input: Input;
  readonly output: Output;
  /** Replaces the schema's own parsing where bodies are large; must accept and refuse exactly the same. A promise where it takes long. */
  readonly parse?: (raw: Record<string, unknown>) => z.output<Input> | Promise<z.output<Input>>;
  /** A large body read straight from its bytes, for `parse`; undefined: this one is for the JSON parser. */
  readonly readBody?: (bytes: Uint8Array) => ReadBody | Promise<ReadBody>;
  /** How many values a body may hold, where a hundred thousand are not enough. */
  readonly maxValues?: number;
  run(input: z.output<Input>, context: Context): Promise<z.input<Output> | RawJson>;
}

/** Keeps the exact input and output types, which the typed client reads. */
export function operation<Input extends ObjectSchema, Output extends ObjectSchema>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> {
  return definition;
}

/** An operation whose exact types do not matter to the one who holds it. */
export type AnyOperation = Omit<Operation, 'run' | 'parse'> & {
  readonly parse?: (raw: Record<string, unknown>) => unknown;
  run(input: never, context: Context): Promise<unknown>;
};

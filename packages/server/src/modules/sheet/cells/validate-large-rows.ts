import type { z } from 'zod';
import { runYielding } from '../../../lib/event-loop.ts';
import { parseBySchema } from '../../../kernel/parse-input.ts';

interface RowConstraints {
  readonly maxRows: number;
  readonly maxCols?: number;
  /** Returns whether a cell's value is valid and would not be converted by the schema. */
  isPlain(value: unknown): boolean;
}

/**
 * Maximum number of cell values of an input that the schema validates directly; validating more would block the event
 * loop. Larger inputs are checked in slices of `valuesPerSlice` values, with a yield to the event loop after each.
 */
const schemaMaxValues = 10_000;
const valuesPerSlice = 100_000;

/**
 * Creates the `parse` function of a tool. Large inputs whose values are all valid are accepted without the schema,
 * which would block the event loop. The schema parses all other inputs and reports errors.
 */
export function createYieldingRowsValidator(
  plain: RowConstraints,
): <Input extends z.ZodObject>(
  raw: Record<string, unknown>,
  input: Input,
) => z.output<Input> | Promise<z.output<Input>> {
  return (raw, input) => {
    const { rows } = raw;
    if (!Array.isArray(rows) || rows.length > plain.maxRows || !hasManyValues(rows)) return parseBySchema(input, raw);
    return runYielding(checkRowsSteps(rows, plain)).then((isPlain) =>
      isPlain
        ? ({ ...parseBySchema(input.omit({ rows: true } as never), raw), rows } as z.output<typeof input>)
        : parseBySchema(input, raw),
    );
  };
}

function hasManyValues(rows: readonly unknown[]): boolean {
  let count = rows.length;
  for (const row of rows) {
    if (count > schemaMaxValues) break;
    if (Array.isArray(row)) count += row.length;
  }
  return count > schemaMaxValues;
}

function* checkRowsSteps(
  rows: readonly unknown[],
  { maxCols = Infinity, isPlain }: RowConstraints,
): Generator<void, boolean> {
  let count = 0;
  for (const row of rows) {
    if (!Array.isArray(row) || row.length > maxCols || !row.every(isPlain)) return false;
    count += row.length + 1;
    if (count < valuesPerSlice) continue;
    count = 0;
    yield;
  }
  yield;
  return true;
}

import type { z } from 'zod';
import { inTurns } from '../../lib/in-turns.ts';
import { parseBySchema } from '../../operation/parse.ts';

interface PlainRows {
  readonly maxRows: number;
  readonly maxCols?: number;
  /** True if the schema accepts this value unchanged. */
  isPlain(value: unknown): boolean;
}

/**
 * Up to `fewValues`, the schema is fast enough; `valuesAtOnce` values are checked before yielding to the event loop.
 */
const fewValues = 10_000;
const valuesAtOnce = 100_000;

/**
 * For `parse`: accepts many rows without the schema if all values are valid as they are, yielding to the event loop.
 * Otherwise the schema parses them and reports errors.
 */
export function parsingRows<Input extends z.ZodObject>(
  input: Input,
  plain: PlainRows,
): (raw: Record<string, unknown>) => z.output<Input> | Promise<z.output<Input>> {
  const around = input.omit({ rows: true } as never);
  return (raw) => {
    const { rows } = raw;
    if (!Array.isArray(rows) || rows.length > plain.maxRows || !areMany(rows)) return parseBySchema(input, raw);
    return inTurns(lookAt(rows, plain)).then((isPlain) =>
      isPlain ? ({ ...parseBySchema(around, raw), rows } as z.output<Input>) : parseBySchema(input, raw),
    );
  };
}

function areMany(rows: readonly unknown[]): boolean {
  let count = rows.length;
  for (const row of rows) {
    if (count > fewValues) break;
    if (Array.isArray(row)) count += row.length;
  }
  return count > fewValues;
}

function* lookAt(rows: readonly unknown[], { maxCols = Infinity, isPlain }: PlainRows): Generator<void, boolean> {
  let count = 0;
  for (const row of rows) {
    if (!Array.isArray(row) || row.length > maxCols || !row.every(isPlain)) return false;
    count += row.length + 1;
    if (count < valuesAtOnce) continue;
    count = 0;
    yield;
  }
  yield;
  return true;
}

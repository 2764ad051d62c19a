import { z } from 'zod';
import { invalid } from '../errors.ts';
import { aliasField, double, flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { parseBySchema } from '../../../kernel/parse-input.ts';
import { isWholeRowsOrColumns } from '../calls/address.ts';
import { setSize, type Mutation } from '@sheaf/engine/internal/mutations';
import { maxCols, maxRows, parseRect } from '@sheaf/engine';
import { dimensionField, axisLimit } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

const maxHeight = 409;
const maxWidth = 2000;

const dimension = z.object({
  ...dimensionField,
  index: integer('One row or column.', { min: 0, max: maxRows - 1 }).optional(),
  start_index: integer('First of several.', { min: 0, max: maxRows - 1 }).optional(),
  end_index: integer('Last of several.', { min: 0, max: maxRows - 1 }).optional(),
  size: double('Points or pixels.').optional(),
  is_clear: flag('Whether to restore the default size.').optional(),
  range: aliasField(text('Whole columns (B:C) or rows (2:5), instead of the fields above.', { max: 300 })).optional(),
});

type Dimension = z.output<typeof dimension>;

export const set_dimension_size = worksheetWriteTool({
  name: 'set_dimension_size',
  maxValues: 600_000,
  summary:
    'Sets row heights (points) or column widths (pixels), or restores the default. To hide them use ' +
    'set_dimension_visible.\nExample: ' +
    '{"dimensions":[{"dimension_type":"col","start_index":0,"end_index":3,"size":120}]}',
  idempotent: true,
  input: {
    dimensions: list('Each sets one row or column, or a run of them.', dimension, {
      min: 1,
      max: 10_000,
    }),
  },
  parse: (raw, schema) => parseBySchema(schema, { ...raw, dimensions: withLineNumbers(raw['dimensions']) }),
  plan(document, sub, input) {
    const mutations: Mutation[] = input.dimensions.map((one, index) => {
      const path = `dimensions[${index}].`;
      const [first, last] = runOf(one, path);
      return setSize.of({ sheet: sub.id, axis: one.dimension_type, runs: [[first, last, sizeOf(one, path)]] });
    });
    return { mutations };
  },
});

/**
 * Converts the entries of the input field `dimensions`: a range of whole rows or columns, such as B:C, becomes an axis
 * and indexes.
 */
function withLineNumbers(dimensions: unknown): unknown {
  if (!Array.isArray(dimensions)) return dimensions;
  return dimensions.map((one: unknown, index) => {
    const { range, ...rest } = (one ?? {}) as { range?: unknown };
    if (typeof range !== 'string') return one;
    const rect = parseRect(range.trim());
    if (!rect || !isWholeRowsOrColumns(rect))
      throw invalid(
        `dimensions[${index}].range: must be whole columns (B:C) or rows (2:5) (got ${JSON.stringify(range.slice(0, 60))})`,
      );
    return rect.left === 0 && rect.right === maxCols - 1
      ? { ...rest, dimension_type: 'row', start_index: rect.top, end_index: rect.bottom }
      : { ...rest, dimension_type: 'col', start_index: rect.left, end_index: rect.right };
  });
}

function runOf(one: Dimension, path: string): [number, number] {
  const limit = axisLimit(one.dimension_type);
  const [first, last] = one.index !== undefined ? [one.index, one.index] : [one.start_index, one.end_index];
  if (one.index !== undefined && (one.start_index !== undefined || one.end_index !== undefined))
    throw invalid(`${path}index: send either index or start_index and end_index`);
  if (first === undefined) throw invalid(`${path}index: is required (or start_index and end_index)`);
  if (last === undefined) throw invalid(`${path}end_index: is required with start_index`);
  if (last < first) throw invalid(`${path}end_index: must be at least start_index, ${first} (got ${last})`);
  if (last >= limit)
    throw invalid(
      `${path}${one.index === undefined ? 'end_index' : 'index'}: must be at most ${limit - 1} (got ${last})`,
    );
  return [first, last];
}

function sizeOf(one: Dimension, path: string): number {
  if (one.is_clear) return 0;
  if (one.size === undefined) throw invalid(`${path}size: is required unless is_clear is true`);
  const most = one.dimension_type === 'row' ? maxHeight : maxWidth;
  if (!(one.size > 0 && one.size <= most))
    throw invalid(`${path}size: must be more than 0 and at most ${most} (got ${one.size})`);
  return one.size;
}

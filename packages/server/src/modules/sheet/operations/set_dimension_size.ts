import { z } from 'zod';
import { invalid } from '../errors.ts';
import { double, flag, integer, list } from '../../../kernel/field-schemas.ts';
import { setSize, type Mutation } from '@sheaf/engine/internal/mutations';
import { maxRows } from '@sheaf/engine';
import { dimensionField, axisLimit } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

const maxHeight = 409;
const maxWidth = 2000;

const dimension = z.object({
  ...dimensionField,
  index: integer('One row or column.', { min: 0, max: maxRows - 1 }).optional(),
  start_index: integer('First of several rows or columns.', { min: 0, max: maxRows - 1 }).optional(),
  end_index: integer('Last of several rows or columns, inclusive.', { min: 0, max: maxRows - 1 }).optional(),
  size: double('Row height in points or column width in pixels.').optional(),
  is_clear: flag('Whether to restore the default size.').optional(),
});

type Dimension = z.output<typeof dimension>;

export const set_dimension_size = worksheetWriteTool({
  name: 'set_dimension_size',
  maxValues: 600_000,
  summary:
    'Sets row heights (points) or column widths (pixels), or restores the default. To hide rows or ' +
    'columns use set_dimension_visible.\nExample: ' +
    '{"dimensions":[{"dimension_type":"col","start_index":0,"end_index":3,"size":120}]}',
  idempotent: true,
  input: {
    dimensions: list('Entries, each of which sets one row or column, or a run of them.', dimension, {
      min: 1,
      max: 10_000,
    }),
  },
  plan(document, sub, input) {
    const mutations: Mutation[] = input.dimensions.map((one, index) => {
      const path = `dimensions[${index}].`;
      const [first, last] = runOf(one, path);
      return setSize.of({ sheet: sub.id, axis: one.dimension_type, runs: [[first, last, sizeOf(one, path)]] });
    });
    return { mutations };
  },
});

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

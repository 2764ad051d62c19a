import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { flag, list, text } from '../../../kernel/field-schemas.ts';
import {
  hiddenRows,
  type Filter,
  type FilterColumn,
  type Region,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { updateFilter } from '@sheaf/engine/internal/mutations';
import { requireFilter, refuseFilterOverlap } from '../objects/filters.ts';
import { colField, regionFields, toRegionTuple, rowField } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

const optionalRange = {
  start_row: rowField('With is_update_range.').optional(),
  start_col: colField('With is_update_range.').optional(),
  end_row: rowField('With is_update_range.').optional(),
  end_col: colField('With is_update_range.').optional(),
};

export const update_filter = worksheetWriteTool({
  name: 'update_filter',
  maxValues: 600_000,
  summary:
    'Sets which values of a column stay visible, or the range of a filter of set_filter. Rows with other ' +
    'texts or values are hidden; an empty list hides all.\nExample: ' +
    '{"columns":[{"col":2,"visible_values":["open","late"]}]}',
  idempotent: true,
  input: {
    filter_id: text('Filter id; found by its columns if omitted.', { max: 64 }).optional(),
    is_update_range: flag("Whether to set the filter's range.").optional(),
    ...optionalRange,
    columns: list(
      'Criteria; other columns keep theirs.',
      z.object({
        col: colField('Column of the sub-sheet.'),
        visible_values: list('Displayed texts that stay visible.', text('A displayed text.'), { max: 100_000 }),
      }),
      { max: 1000 },
    ).optional(),
  },
  plan(document, sub, input) {
    const given = input.columns ?? [];
    const filter = choose(
      sub,
      input.filter_id,
      given.map((one) => one.col),
      input.is_update_range === true,
    );
    const region = input.is_update_range ? newRegion(input) : filter.region;
    if (input.is_update_range) refuseFilterOverlap(sub, region, filter.id);
    const columns = merged(filter, given, region);
    const hidden = hiddenRows(document, sub, region, columns);
    return { mutations: [updateFilter.of({ sheet: sub.id, filter: { id: filter.id, region, columns, hidden } })] };
  },
});

function newRegion(input: z.output<z.ZodObject<typeof optionalRange>>): Region {
  for (const field of Object.keys(regionFields) as (keyof typeof regionFields)[]) {
    if (input[field] === undefined) throw invalid(`${field}: is required when is_update_range is true`);
  }
  return toRegionTuple(input as { start_row: number; start_col: number; end_row: number; end_col: number });
}

/**
 * Returns the filter with this id. Without an id, returns the only filter, or the only one that contains all given
 * columns. With `newRange`, the columns are ignored, because the filter's range is about to change. Throws if several
 * filters fit.
 */
function choose(sub: SubSheet, id: string | undefined, cols: readonly number[], newRange: boolean): Filter {
  if (id) return requireFilter(sub, id);
  if (sub.filters.length === 0)
    throw fail('no_such_object', 'filter_id: this sub-sheet has no filter; create one with set_filter');
  const holding =
    cols.length === 0 || newRange
      ? sub.filters
      : sub.filters.filter((one) => cols.every((c) => c >= one.region[1] && c <= one.region[3]));
  if (holding.length === 1) return holding[0]!;
  if (sub.filters.length === 1) return sub.filters[0]!;
  throw invalid(
    `filter_id: is required because there are several filters: ${sub.filters.map((one) => one.id).join(', ')}`,
  );
}

function merged(
  filter: Filter,
  given: readonly { col: number; visible_values: string[] }[],
  region: Region,
): FilterColumn[] {
  const byColumn = new Map(filter.columns.map((one) => [one.col, one]));
  given.forEach((one, index) => {
    if (one.col < region[1] || one.col > region[3])
      throw invalid(
        `columns[${index}].col: must be within the filter's range, columns ${region[1]} to ${region[3]} (got ${one.col})`,
      );
    byColumn.set(one.col, { col: one.col, visible: [...new Set(one.visible_values)] });
  });
  return [...byColumn.values()]
    .filter((one) => one.col >= region[1] && one.col <= region[3])
    .sort((a, b) => a.col - b.col);
}

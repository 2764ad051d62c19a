import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { flag, integerEnum, list, text } from '../../../kernel/field-schemas.ts';
import { meets, sortOrder, rectOf, regionOf, type Region } from '@sheaf/engine/internal/document';
import { permuteRows } from '@sheaf/engine/internal/mutations';
import { requireFilter, updateFiltersAfterSort } from '../objects/filters.ts';
import { colField, regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

/**
 * Extends a region to the full width of a filtered table, so that sorting moves complete rows, and clips it to the
 * table. A single cell selects the whole table.
 */
function within(region: Region, table: Region): Region {
  if (!meets(rectOf(region), rectOf(table)))
    throw invalid(
      `start_row: the region must meet the table, rows ${table[0]} to ${table[2]}, columns ${table[1]} to ${table[3]}`,
    );
  if (region[0] === region[2] && region[1] === region[3]) return table;
  return [Math.max(region[0], table[0]), table[1], Math.min(region[2], table[2]), table[3]];
}

export const sort_range = worksheetWriteTool({
  name: 'sort_range',
  summary:
    'Sorts the rows of a region by one or more columns; stable, blanks last. Default order: ' +
    'descending.\nExample: ' +
    '{"start_row":0,"start_col":0,"end_row":99,"end_col":4,"has_header":true,"columns":[{"col":2,"order":1}]}',
  idempotent: true,
  input: {
    ...regionFields,
    has_header: flag('Whether the first row is a header.').optional(),
    columns: list(
      'Sort keys, in order of precedence.',
      z.object({
        col: colField('Column of the sub-sheet.'),
        order: integerEnum('0 descending, 1 ascending.', [0, 1]).optional(),
      }),
      { min: 1, max: 64 },
    ),
    table_id: text('Filter (by filter_id) inside which to sort; one column only.', { max: 64 }).optional(),
  },
  plan(document, sub, input) {
    let region: Region = toRegionTuple(input);
    let hasHeader = input.has_header === true;
    if (input.table_id) {
      if (input.columns.length > 1)
        throw invalid(`columns: must have one entry with table_id (got ${input.columns.length})`);
      const table = requireFilter(sub, input.table_id, 'table_id').region;
      // The heading row stays in place even if the region includes it.
      region = within(region, table);
      hasHeader = region[0] === table[0];
    }
    const whole = rectOf(region);
    input.columns.forEach((one, index) => {
      if (one.col < whole.left || one.col > whole.right)
        throw invalid(
          `columns[${index}].col: must be within the region, columns ${whole.left} to ${whole.right} (got ${one.col})`,
        );
    });
    const rect = { ...whole, top: whole.top + (hasHeader ? 1 : 0), bottom: Math.min(whole.bottom, sub.rows - 1) };
    if (rect.bottom <= rect.top) return { mutations: [] };
    const merged = sub.merges.meeting(rect)[0];
    if (merged)
      throw fail(
        'conflict',
        `start_row: the region contains merged cells at row ${merged.top}, column ${merged.left}; unmerge them first`,
      );
    const order = sortOrder(
      sub,
      rect,
      input.columns.map((one) => ({ col: one.col, descending: one.order !== 1 })),
    );
    if (order.every((from, to) => from === to)) return { mutations: [] };
    return {
      mutations: [
        permuteRows.of({ sheet: sub.id, region: regionOf(rect), order }),
        ...updateFiltersAfterSort(document, sub, rect, order),
      ],
    };
  },
});

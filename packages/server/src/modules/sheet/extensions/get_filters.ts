import { z } from 'zod';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { shownTexts } from '@sheaf/engine/internal/document';
import { requireFilter } from '../objects/filters.ts';
import { invalid } from '../errors.ts';
import { colField, regionFields, toRegionInput } from '../schema.ts';
import { worksheetReadTool } from '../calls/tool.ts';

const maxValues = 5_000;

export const get_filters = worksheetReadTool({
  name: 'get_filters',
  summary:
    'Lists the filters of a sub-sheet with their criteria; with filter_id and col also the values of that column.',
  input: {
    filter_id: text('Filter to list.', { max: 64 }).optional(),
    col: colField('Column whose values to list.').optional(),
  },
  output: {
    filters: list(
      'Entries, in the order they were created.',
      z.object({
        filter_id: text('Its id.'),
        ...regionFields,
        columns: list(
          'Columns with criteria.',
          z.object({
            col: integer('Column of the sub-sheet.'),
            visible_values: list('Displayed texts that stay visible.', text('A displayed text.')),
          }),
        ),
        hidden_row_count: integer('Number of rows it hides.'),
      }),
    ),
    values: list(
      'With col: the displayed texts of its cells, in order of occurrence.',
      z.object({
        text: text('Displayed text; empty for blank cells.'),
        count: integer('Number of rows.'),
        visible: flag("Whether the column's criteria keep it visible."),
      }),
    ).optional(),
    truncated: flag(`With col: whether there are more than ${maxValues} values.`).optional(),
  },
  read(document, sub, input) {
    const chosen = input.filter_id ? [requireFilter(sub, input.filter_id)] : sub.filters;
    const filters = chosen.map(({ id, region, columns, hidden }) => ({
      filter_id: id,
      ...toRegionInput(region),
      columns: columns.map((one) => ({ col: one.col, visible_values: [...one.visible] })),
      hidden_row_count: hidden.reduce((sum, [first, last]) => sum + last - first + 1, 0),
    }));
    if (input.col === undefined) return { filters };
    const [filter] = chosen;
    if (!input.filter_id || !filter) throw invalid('col: needs filter_id');
    const [top, left, bottom, right] = filter.region;
    if (input.col < left || input.col > right)
      throw invalid(`col: must be within the filter's range, columns ${left} to ${right} (got ${input.col})`);
    const criteria = filter.columns.find((one) => one.col === input.col);
    const listed = criteria && new Set(criteria.visible);
    const counts = new Map<string, number>();
    if (bottom > top)
      shownTexts(document, sub, input.col, top + 1, bottom, (shown) => counts.set(shown, (counts.get(shown) ?? 0) + 1));
    const values = [...counts]
      .slice(0, maxValues)
      .map(([shown, count]) => ({ text: shown, count, visible: listed?.has(shown) ?? true }));
    return { filters, values, truncated: counts.size > maxValues };
  },
});

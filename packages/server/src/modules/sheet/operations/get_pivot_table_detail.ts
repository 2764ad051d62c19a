import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { type SheetDocument, aggregations, type PivotTable } from '@sheaf/engine/internal/document';
import { requirePivotTable } from '../objects/pivot-tables.ts';
import { readTool } from '../calls/tool.ts';

const field = () => integer('Source column, 0-based.');

export const get_pivot_table_detail = readTool({
  name: 'get_pivot_table_detail',
  summary: 'Returns the source, anchor, groups, values and filters of a pivot table, by id or else by name.',
  input: {
    pivot_table_id: text('Its id.', { max: 64 }).optional(),
    pivot_table_name: text('Its name.', { max: 100 }).optional(),
  },
  output: {
    pivot_table: z
      .object({
        pivot_table_id: text('Its id.'),
        pivot_table_name: text('Its name.'),
        anchor_sheet_id: text('Sub-sheet that contains it.'),
        anchor_row: integer('Its top row.'),
        anchor_col: integer('Its left column.'),
        row_group_columns: list('Fields down the side.', field()),
        column_group_columns: list('Fields across the top.', field()),
        source_sheet_id: text('Sub-sheet of the source.'),
        source_data_range: z
          .object({
            sheet_id: text('Sub-sheet.'),
            start_row_index: integer('First row.'),
            start_col_index: integer('First column.'),
            end_row_index: integer('Last row, inclusive.'),
            end_col_index: integer('Last column, inclusive.'),
          })
          .meta({ description: 'Source range, including headings.' }),
        pivot_values: list(
          'Values to aggregate.',
          z.object({ source_data_column: field(), summarize_function: oneOf('How.', aggregations) }),
        ),
        filters: list(
          'What to show.',
          z.object({
            source_data_column: field(),
            visible_values: list('Texts that stay visible; an empty list hides all.', text('A text.')),
          }),
        ),
        calculated_values: list(
          'Formulas over field names.',
          z.object({ name: text('Heading.'), formula: text('Formula.') }),
        ),
      })
      .meta({ description: 'The pivot table.' }),
  },
  read(document, input) {
    const pivot = choose(document, input.pivot_table_id, input.pivot_table_name);
    const [top, left, bottom, right] = pivot.source ?? [0, 0, 0, 0];
    return {
      pivot_table: {
        pivot_table_id: pivot.id,
        pivot_table_name: pivot.name,
        anchor_sheet_id: pivot.sheet,
        anchor_row: pivot.row,
        anchor_col: pivot.col,
        row_group_columns: [...pivot.rowGroups],
        column_group_columns: [...pivot.columnGroups],
        source_sheet_id: pivot.sourceSheet,
        source_data_range: {
          sheet_id: pivot.sourceSheet,
          start_row_index: top,
          start_col_index: left,
          end_row_index: bottom,
          end_col_index: right,
        },
        pivot_values: pivot.values.map((one) => ({
          source_data_column: one.field,
          summarize_function: one.aggregation,
        })),
        filters: pivot.filters.map((one) => ({
          source_data_column: one.field,
          visible_values: one.visible ? [...one.visible] : everyText(document, pivot, one.field),
        })),
        calculated_values: pivot.calculated.map((one) => ({ name: one.name, formula: one.formula })),
      },
    };
  },
});

function choose(document: SheetDocument, id: string | undefined, name: string | undefined): PivotTable {
  if (id) return requirePivotTable(document, id);
  if (!name) throw invalid('pivot_table_id: is required (or pivot_table_name)');
  const found = document.pivots.find((one) => one.name === name);
  if (!found) throw fail('no_such_object', `pivot_table_name: there is no pivot table named ${JSON.stringify(name)}`);
  return found;
}

/**
 * Returns all values of the field. Used for a filter that shows everything, because an empty list means that the filter
 * shows nothing.
 */
function everyText(document: SheetDocument, pivot: PivotTable, field: number): string[] {
  const sub = document.find(pivot.sourceSheet);
  if (!sub || !pivot.source) return [];
  const [top, left, bottom] = pivot.source;
  const texts = new Set<string>();
  for (let row = top + 1; row <= Math.min(bottom, sub.sheet.lastRow); row++)
    texts.add(document.text(sub, row, left + field));
  return [...texts];
}

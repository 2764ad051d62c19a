import { z } from 'zod';
import { invalid } from '../errors.ts';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { aggregations, type Aggregation, type PivotTable } from '@sheaf/engine/internal/document';
import { putPivot } from '@sheaf/engine/internal/mutations';
import {
  checkCalculatedField,
  checkPivotField,
  requirePivotOn,
  refusePivotOverwrite,
} from '../objects/pivot-tables.ts';
import { maxCols } from '@sheaf/engine';
import { worksheetWriteTool } from '../calls/tool.ts';

const field = () => integer('Source column, 0-based.', { min: 0, max: maxCols - 1 });
const group = z.object({ source_data_column: field() });
const maxFields = 64;

export const update_pivot_table = worksheetWriteTool({
  name: 'update_pivot_table',
  maxValues: 600_000,
  summary:
    'Sets all groups, values and filters of a pivot table; those not sent are cleared.\nExample (revenue by ' +
    'region): ' +
    '{"row_groups":[{"source_data_column":0}],"pivot_values":[{"source_data_column":3,"summarize_function":"SUM"}]}',
  idempotent: true,
  input: {
    pivot_table_id: text('Which.', { min: 1, max: 64 }),
    row_groups: list('Fields down the side.', group, { max: maxFields }).optional(),
    column_groups: list('Fields across the top.', group, { max: maxFields }).optional(),
    pivot_values: list(
      'Values to aggregate.',
      z.object({
        source_data_column: field(),
        summarize_function: text(
          'SUM, COUNT (or COUNTA), AVERAGE, MAX, MIN, PRODUCT, COUNTNUMS, STDEV, STDEVP, VAR or VARP.',
          { min: 1, max: 20 },
        ),
      }),
      { max: maxFields },
    ).optional(),
    filters: list(
      'What to show.',
      z.object({
        source_data_column: field(),
        visible_values: list('Texts that stay visible; all if omitted.', text('A text.'), { max: 100_000 }).optional(),
      }),
      { max: maxFields },
    ).optional(),
    calculated_values: list(
      'Formulas over field names, e.g. =profit/revenue.',
      z.object({
        name: text('Heading.', { min: 1, max: 100 }),
        formula: text('Formula.', { min: 1, max: 1000 }),
      }),
      { max: maxFields },
    ).optional(),
  },
  plan(document, sub, input) {
    const before = requirePivotOn(document, sub, input.pivot_table_id);
    const check = (value: number, path: string): number => checkPivotField(before, value, path);
    const pivot: PivotTable = {
      ...before,
      rowGroups: (input.row_groups ?? []).map((one, i) =>
        check(one.source_data_column, `row_groups[${i}].source_data_column`),
      ),
      columnGroups: (input.column_groups ?? []).map((one, i) =>
        check(one.source_data_column, `column_groups[${i}].source_data_column`),
      ),
      values: (input.pivot_values ?? []).map((one, i) => ({
        field: check(one.source_data_column, `pivot_values[${i}].source_data_column`),
        aggregation: aggregationOf(one.summarize_function, `pivot_values[${i}].summarize_function`),
      })),
      filters: (input.filters ?? []).map((one, i) => ({
        field: check(one.source_data_column, `filters[${i}].source_data_column`),
        visible: one.visible_values ?? null,
      })),
      calculated: (input.calculated_values ?? []).map((one, i) => {
        const formula = one.formula.startsWith('=') ? one.formula : `=${one.formula}`;
        checkCalculatedField(document, before, formula, `calculated_values[${i}].formula`);
        return { name: one.name, formula };
      }),
    };
    refusePivotOverwrite(document, pivot);
    return { mutations: [putPivot.of({ pivot })] };
  },
});

function aggregationOf(name: string, path: string): Aggregation {
  const upper = name.toUpperCase();
  const wanted = upper === 'COUNTA' ? 'COUNT' : upper;
  const found = aggregations.find((one) => one === wanted);
  if (!found) throw invalid(`${path}: must be one of ${aggregations.join(', ')} (got ${JSON.stringify(name)})`);
  return found;
}

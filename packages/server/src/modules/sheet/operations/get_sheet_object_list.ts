import { cellRect } from '../cells/rects.ts';
import { z } from 'zod';
import { flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import {
  type SheetDocument,
  type Anchor,
  anchorRect,
  meets,
  rectOf,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { columnName, type Rect, maxCols, maxRows } from '@sheaf/engine';
import { chartTypes, type ChartType } from '@sheaf/charts/chart-types';
import { requireSubSheet } from '../calls/sheet-lookup.ts';
import { formatRange } from '../reading/format-range.ts';
import { colField, toRegionTuple, rowField, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

const objectTypes = ['chart', 'pivot_table', 'table', 'float_image'] as const;

const listedObject = z.object({
  object_id: text("Id: drawing_id, pivot_table_id, filter_id or the image's id."),
  object_type: oneOf('Its kind.', [...objectTypes, 'unknown']),
  name: text('Its name.'),
  display_range: text('Cells that it covers.'),
  data_range: text('Cells of its output; empty if none.'),
  chart_type: integer('Charts: position in the list of chart types, starting at 1.').optional(),
  pivot_row_group_count: integer('Pivot tables: fields down the side.').optional(),
  pivot_column_group_count: integer('Pivot tables: fields across the top.').optional(),
  pivot_value_count: integer('Pivot tables: values.').optional(),
  table_has_header: flag('Tables: whether the first row contains headings.').optional(),
  table_column_count: integer('Tables: columns.').optional(),
  float_image_width: integer('Images: pixels.').optional(),
  float_image_height: integer('Images: pixels.').optional(),
});

type ListedObject = z.input<typeof listedObject> & { readonly rect: Rect };

export const get_sheet_object_list = readTool({
  name: 'get_sheet_object_list',
  summary: 'Lists the charts, pivot tables, tables (filters) and images of a sub-sheet with ids and positions.',
  input: {
    ...sheetField,
    object_types: list('Kinds to list; all if empty.', oneOf('A kind.', objectTypes), { max: 4 }).optional(),
    filter_by_range: flag('Whether to list only what touches the range.').optional(),
    start_row: rowField('With filter_by_range.').optional(),
    start_col: colField('With filter_by_range.').optional(),
    end_row: rowField('With filter_by_range.').optional(),
    end_col: colField('With filter_by_range.').optional(),
    name_pattern: text('Text that names must contain.', { max: 200 }).optional(),
  },
  output: {
    objects: list('Charts, pivot tables, tables, images.', listedObject),
  },
  read(document, input) {
    const sub = requireSubSheet(document, input.sheet_id);
    const within = input.filter_by_range
      ? rectOf(
          toRegionTuple({
            start_row: input.start_row ?? 0,
            start_col: input.start_col ?? 0,
            end_row: input.end_row ?? maxRows - 1,
            end_col: input.end_col ?? maxCols - 1,
          }),
        )
      : undefined;
    const wanted = new Set(input.object_types ?? []);
    const pattern = (input.name_pattern ?? '').toLowerCase();
    const objects = listAllObjects(document, sub)
      .filter(
        (one) =>
          (wanted.size === 0 || wanted.has(one.object_type as never)) &&
          (!within || meets(one.rect, within)) &&
          one.name.toLowerCase().includes(pattern),
      )
      .map(({ rect: _, ...rest }) => rest);
    return { objects };
  },
  readAreas(inputs, readOne) {
    const objects = new Map(inputs.flatMap((input) => readOne(input).objects).map((one) => [one.object_id, one]));
    return { objects: [...objects.values()] };
  },
});

function listAllObjects(document: SheetDocument, sub: SubSheet): ListedObject[] {
  const place = (anchor: Anchor): { rect: Rect; display_range: string } => {
    const rect = anchorRect(sub, anchor);
    return { rect, display_range: formatRange(sub.id, rect) };
  };
  const charts = sub.charts.map((chart): ListedObject => ({
    object_id: chart.id,
    object_type: 'chart',
    name: chart.title,
    ...place(chart.anchor),
    data_range: chart.region ? formatRange(chart.dataSheet ?? sub.id, rectOf(chart.region)) : '',
    chart_type: chartTypes.indexOf(chart.type as ChartType) + 1,
  }));
  const pivots = document.pivots
    .filter((one) => one.sheet === sub.id)
    .map((pivot): ListedObject => {
      const rect = document.pivotOutputs.get(pivot.id)?.rect ?? cellRect(pivot.row, pivot.col);
      return {
        object_id: pivot.id,
        object_type: 'pivot_table',
        name: pivot.name,
        rect,
        display_range: formatRange(sub.id, rect),
        data_range: pivot.source ? formatRange(pivot.sourceSheet, rectOf(pivot.source)) : '',
        pivot_row_group_count: pivot.rowGroups.length,
        pivot_column_group_count: pivot.columnGroups.length,
        pivot_value_count: pivot.values.length,
      };
    });
  const tables = sub.filters.map((filter): ListedObject => {
    const rect = rectOf(filter.region);
    const range = formatRange(sub.id, rect);
    return {
      object_id: filter.id,
      object_type: 'table',
      name: `Filter ${columnName(rect.left)}${rect.top + 1}`,
      rect,
      display_range: range,
      data_range: range,
      table_has_header: true,
      table_column_count: rect.right - rect.left + 1,
    };
  });
  const images = sub.images.map((image): ListedObject => ({
    object_id: image.id,
    object_type: 'float_image',
    name: image.name,
    ...place(image.anchor),
    data_range: '',
    float_image_width: image.anchor.width,
    float_image_height: image.anchor.height,
  }));
  return [...charts, ...pivots, ...tables, ...images];
}

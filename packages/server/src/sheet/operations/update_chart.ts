import { z } from 'zod';
import { flag, oneOf, text } from '../../operation/fields.ts';
import { gridFor } from '../parts/anchors.ts';
import { chartData, isColumnSeries } from '@sheaf/charts/data';
import { fullOptions, mergeOptions, newOptions, type ChartOptions } from '@sheaf/charts/options';
import { checkLimits, readOptions } from '../charts/read-options.ts';
import { anchorOf, chartOf, dataRange, location } from '../charts/schema.ts';
import { chartTypes } from '@sheaf/charts/types';
import type { Chart, Region } from '@sheaf/engine/internal/document';
import { putChart } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

/** A boolean wrapped in an object, which distinguishes "not sent" from false. */
const wrapped = (description: string) =>
  z
    .object({ value: flag(description) })
    .meta({ description })
    .optional();

export const update_chart = writeTool({
  name: 'update_chart',
  summary:
    "Changes a chart; fields that are not sent are unchanged. options_json is merged into the chart's " +
    'options as returned by get_charts.\nExample: ' +
    '{"drawing_id":"c1","chart_type":"CHART_CLUSTERED_COLUMN",' +
    '"options_json":"{\\"yAxis\\":{\\"min\\":0}}"}',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    drawing_id: text('Which.', { min: 1, max: 64 }),
    chart_type: oneOf('Chart type.', chartTypes).optional(),
    location: location.meta({ description: 'Where.' }).optional(),
    data_range: dataRange.meta({ description: 'The cells, including headings.' }).optional(),
    title: text('Its title.', { max: 500 }).optional(),
    options_json: text('Options as JSON: title, legend, xAxis, yAxis, secondaryYAxis, series.', {
      max: 100_000,
    }).optional(),
    bool_options: z
      .object({
        use_column_as_series: wrapped('Whether each column is a series.'),
        first_row_as_header: wrapped('Whether the first row contains headings.'),
        first_column_as_category: wrapped('Whether the first column contains categories.'),
      })
      .meta({ description: 'How the cells are interpreted.' })
      .optional(),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const before = chartOf(sub, input.drawing_id);
    const given = input.options_json
      ? newOptions(fullOptions(before, chartData(document, sub, before)), readOptions(input.options_json))
      : {};
    const bools = input.bool_options;
    const title = input.title ?? given.title?.text ?? before.title;
    const { kept, series, dataSheet, ...rest } = before;
    const isOnlyMoved =
      input.chart_type === undefined &&
      input.data_range === undefined &&
      input.title === undefined &&
      input.options_json === undefined &&
      bools === undefined;
    const options = withoutTitleText(mergeOptions(before.options as ChartOptions, given));
    checkLimits(options);
    const chart: Chart = {
      ...rest,
      ...(isOnlyMoved && kept ? { kept } : {}),
      ...(input.data_range || bools ? {} : { series }),
      ...(input.data_range ? {} : { dataSheet }),
      type: input.chart_type ?? before.type,
      title,
      region: input.data_range ? checkedRegion(input.data_range, 'data_range.') : before.region,
      anchor: input.location ? anchorOf(input.location, before.anchor) : before.anchor,
      columnSeries:
        bools?.use_column_as_series?.value ?? directionOf(before, input.data_range && checkedRegion(input.data_range)),
      headerRow: bools?.first_row_as_header?.value ?? before.headerRow,
      categoryColumn: bools?.first_column_as_category?.value ?? before.categoryColumn,
      options,
    };
    return {
      mutations: [
        putChart.of({ sheet: sub.id, chart: JSON.parse(JSON.stringify(chart)) as Chart }),
        ...gridFor(sub, chart.anchor),
      ],
    };
  },
});

/** Detects the orientation again for new cells if it was detected before; keeps one that the caller set. */
function directionOf(before: Chart, region: Region | undefined): boolean | undefined {
  if (!region || before.columnSeries !== isColumnSeries({ region: before.region })) return before.columnSeries;
  return isColumnSeries({ region });
}

/** Removes the title text from the options, because the chart's `title` field holds it. */
function withoutTitleText(options: ChartOptions): ChartOptions {
  if (!options.title) return options;
  const { text: _, ...rest } = options.title;
  return { ...options, title: rest };
}

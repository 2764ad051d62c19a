import { z } from 'zod';
import { flag, oneOf, text } from '../../../kernel/field-schemas.ts';
import { enlargeGridForAnchor } from '../objects/anchors.ts';
import { readChartData, isColumnSeries } from '@sheaf/charts/chart-data';
import { resolveOptions, mergeOptions, changedOptions, type ChartOptions } from '@sheaf/charts/chart-options';
import { checkAxisBounds, parseChartOptions } from '../charts/parse-options.ts';
import { toAnchor, requireChart, dataRangeField, locationField } from '../charts/chart-location.ts';
import { chartTypes } from '@sheaf/charts/chart-types';
import type { Chart, Region } from '@sheaf/engine/internal/document';
import { putChart } from '@sheaf/engine/internal/mutations';
import { toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

/** Creates the schema of a boolean wrapped in an object. The object distinguishes a missing value from false. */
const wrapped = (description: string) =>
  z
    .object({ value: flag(description) })
    .meta({ description })
    .optional();

export const update_chart = worksheetWriteTool({
  name: 'update_chart',
  summary:
    'Changes a chart; fields not sent are unchanged. options_json is merged into the options that get_charts ' +
    'returns.\nExample: ' +
    '{"drawing_id":"c1","chart_type":"CHART_CLUSTERED_COLUMN","options_json":"{\\"yAxis\\":{\\"min\\":0}}"}',
  idempotent: true,
  input: {
    drawing_id: text('Which.', { min: 1, max: 64 }),
    // In tool lists, these fields refer to add_chart instead of repeating its descriptions, because descriptions cost
    // agents tokens.
    chart_type: oneOf('Chart type.', chartTypes)
      .meta({ 'x-listed': 'string', description: 'As in add_chart.' })
      .optional(),
    location: locationField.meta({ 'x-listed': 'object', description: 'As in add_chart.' }).optional(),
    data_range: dataRangeField.meta({ 'x-listed': 'object', description: 'As in add_chart.' }).optional(),
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
      .meta({
        'x-listed': 'object',
        description: 'use_column_as_series, first_row_as_header, first_column_as_category, each {"value":true}.',
      })
      .optional(),
  },
  plan(document, sub, input) {
    const before = requireChart(sub, input.drawing_id);
    const given = input.options_json
      ? changedOptions(
          resolveOptions(before, readChartData(document, sub, before)),
          parseChartOptions(input.options_json),
        )
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
    checkAxisBounds(options);
    const chart: Chart = {
      ...rest,
      ...(isOnlyMoved && kept ? { kept } : {}),
      ...(input.data_range || bools ? {} : { series }),
      ...(input.data_range ? {} : { dataSheet }),
      type: input.chart_type ?? before.type,
      title,
      region: input.data_range ? toRegionTuple(input.data_range, 'data_range.') : before.region,
      anchor: input.location ? toAnchor(input.location, before.anchor) : before.anchor,
      columnSeries:
        bools?.use_column_as_series?.value ?? directionOf(before, input.data_range && toRegionTuple(input.data_range)),
      headerRow: bools?.first_row_as_header?.value ?? before.headerRow,
      categoryColumn: bools?.first_column_as_category?.value ?? before.categoryColumn,
      options,
    };
    return {
      mutations: [
        putChart.of({ sheet: sub.id, chart: JSON.parse(JSON.stringify(chart)) as Chart }),
        ...enlargeGridForAnchor(sub, chart.anchor),
      ],
    };
  },
});

/**
 * Returns whether the columns, not the rows, of a chart's data are its series. Detects this again for a new `region`,
 * unless a caller has set it: the stored value then differs from the one detected for the old region.
 */
function directionOf(before: Chart, region: Region | undefined): boolean | undefined {
  if (!region || before.columnSeries !== isColumnSeries({ region: before.region })) return before.columnSeries;
  return isColumnSeries({ region });
}

function withoutTitleText(options: ChartOptions): ChartOptions {
  if (!options.title) return options;
  const { text: _, ...rest } = options.title;
  return { ...options, title: rest };
}

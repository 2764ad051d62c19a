import { fail } from '../../../kernel/errors.ts';
import { flag, oneOf, text } from '../../../kernel/field-schemas.ts';
import { enlargeGridForAnchor } from '../objects/anchors.ts';
import { defaultChartAnchor, toAnchor, dataRangeField, locationField } from '../charts/chart-location.ts';
import { isColumnSeries } from '@sheaf/charts/chart-data';
import { chartTypes } from '@sheaf/charts/chart-types';
import { putChart } from '@sheaf/engine/internal/mutations';
import { toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const add_chart = worksheetWriteTool({
  name: 'add_chart',
  summary:
    'Creates a chart of a range; headings and direction are detected unless specified. render_chart draws ' +
    'it.\nExample: ' +
    '{"chart_type":"CHART_LINE","data_range":{"start_row":0,"start_col":0,"end_row":12,"end_col":2},"drawing_id":"c1","title":"Sales"}',
  input: {
    chart_type: oneOf('Chart type; 3-D types are drawn flat.', chartTypes),
    data_range: dataRangeField.meta({ description: 'The cells, including headings.' }),
    drawing_id: text('Id chosen by the caller.', { min: 1, max: 64 }),
    location: locationField.meta({ description: 'Right of the data if omitted.' }).optional(),
    use_column_as_series: flag('Whether each column is a series; otherwise each row is.').optional(),
    first_row_as_header: flag('Whether the first row contains headings.').optional(),
    first_column_as_category: flag('Whether the first column contains categories.').optional(),
    title: text('Its title.', { max: 500 }).optional(),
  },
  plan(document, sub, input) {
    if (document.subSheets.some((one) => one.charts.some((chart) => chart.id === input.drawing_id)))
      throw fail('conflict', `drawing_id: ${JSON.stringify(input.drawing_id)} is already taken`);
    const region = toRegionTuple(input.data_range, 'data_range.');
    const chart = {
      id: input.drawing_id,
      type: input.chart_type,
      title: input.title ?? '',
      region,
      anchor: input.location ? toAnchor(input.location) : defaultChartAnchor(input.data_range),
      // Store whether columns or rows are series, even if this was detected. Otherwise, rows or columns inserted later
      // could change it.
      columnSeries: input.use_column_as_series ?? isColumnSeries({ region }),
      headerRow: input.first_row_as_header,
      categoryColumn: input.first_column_as_category,
      options: {},
    };
    return {
      mutations: [
        putChart.of({ sheet: sub.id, chart: JSON.parse(JSON.stringify(chart)) as typeof chart }),
        ...enlargeGridForAnchor(sub, chart.anchor),
      ],
    };
  },
});

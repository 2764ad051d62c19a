import { toRegionInput } from '../schema.ts';
import { z } from 'zod';
import { list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { readChartData } from '@sheaf/charts/chart-data';
import { resolveOptions } from '@sheaf/charts/chart-options';
import { dataRangeField, locationField, toLocation } from '../charts/chart-location.ts';
import { chartTypes, type ChartType } from '@sheaf/charts/chart-types';
import { worksheetReadTool } from '../calls/tool.ts';

export const get_charts = worksheetReadTool({
  name: 'get_charts',
  summary: 'Lists the charts of a sub-sheet with type, position, data and options. render_chart draws one.',
  input: {},
  output: {
    charts: list(
      'Entries, in the order they were created.',
      z.object({
        drawing_id: text('Its id.'),
        chart_type: oneOf('Type of the item.', chartTypes),
        title: text('Its title.'),
        location: locationField.meta({ description: 'Position.' }),
        data_range: dataRangeField.meta({ description: 'Its cells; absent if they were deleted.' }).optional(),
        options_json: text('All options as JSON: title, legend, xAxis, yAxis, secondaryYAxis, series.'),
      }),
    ),
  },
  read(document, sub) {
    const charts = sub.charts.map((chart) => ({
      drawing_id: chart.id,
      chart_type: chart.type as ChartType,
      title: chart.title,
      location: toLocation(chart.anchor),
      ...(chart.region ? { data_range: toRegionInput(chart.region) } : {}),
      options_json: JSON.stringify(resolveOptions(chart, readChartData(document, sub, chart))),
    }));
    return { charts };
  },
});

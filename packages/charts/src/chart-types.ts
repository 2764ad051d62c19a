/**
 * Chart types in the order of the API specification. The API operation `get_sheet_object_list` returns a chart's type
 * as its 1-based index in this list, so the order must not change.
 */
export const chartTypes = [
  'CHART_AREA',
  'CHART_AREA_3D',
  'CHART_STACKED_AREA',
  'CHART_PERCENT_STACKED_AREA',
  'CHART_LINE',
  'CHART_LINE_3D',
  'CHART_STACKED_LINE',
  'CHART_HIGH_LOW_CLOSE_STOCK',
  'CHART_RADAR',
  'CHART_SCATTER',
  'CHART_PIE',
  'CHART_CLUSTERED_BAR',
  'CHART_CLUSTERED_COLUMN',
  'CHART_BUBBLE',
  'CHART_CUSTOM_COMBO',
  'CHART_REGION_MAP',
  'CHART_TREEMAP',
  // Not in the API specification, but present in Excel workbooks.
  'CHART_DOUGHNUT',
  'CHART_STACKED_COLUMN',
  'CHART_PERCENT_STACKED_COLUMN',
  'CHART_STACKED_BAR',
  'CHART_PERCENT_STACKED_BAR',
] as const;

export type ChartType = (typeof chartTypes)[number];

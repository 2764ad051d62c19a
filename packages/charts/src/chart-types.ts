/** Chart types in the order of the specification: the 1-based index is the number in get_sheet_object_list. */
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
  // Types that workbooks have and the specification does not.
  'CHART_DOUGHNUT',
  'CHART_STACKED_COLUMN',
  'CHART_PERCENT_STACKED_COLUMN',
  'CHART_STACKED_BAR',
  'CHART_PERCENT_STACKED_BAR',
] as const;

export type ChartType = (typeof chartTypes)[number];

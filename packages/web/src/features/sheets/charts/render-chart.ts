import {
  BarChart,
  CandlestickChart,
  HeatmapChart,
  LineChart,
  PieChart,
  RadarChart,
  ScatterChart,
  TreemapChart,
} from 'echarts/charts';
import {
  GridComponent,
  LegendComponent,
  RadarComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import { init, use, type ECharts } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import type { ChartData } from '@sheaf/charts/chart-data';
import { chartOption } from '@sheaf/charts/echarts-option';
import type { ResolvedOptions } from '@sheaf/charts/chart-options';

use([
  BarChart,
  CandlestickChart,
  HeatmapChart,
  LineChart,
  PieChart,
  RadarChart,
  ScatterChart,
  TreemapChart,
  GridComponent,
  LegendComponent,
  RadarComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
  CanvasRenderer,
]);

export interface Drawing {
  readonly data: ChartData;
  readonly options: ResolvedOptions;
  readonly type: string;
}

const byPoint = new Set([
  'CHART_PIE',
  'CHART_DOUGHNUT',
  'CHART_RADAR',
  'CHART_SCATTER',
  'CHART_BUBBLE',
  'CHART_TREEMAP',
  'CHART_REGION_MAP',
]);

/**
 * Draws charts into an element with the same options as charts rendered by the server, plus tooltips and the page's
 * theme.
 */
export function renderChart(
  element: HTMLElement,
  dark: boolean,
): { show(drawing: Drawing): void; resize(): void; dispose(): void } {
  const chart: ECharts = init(element, dark ? 'dark' : null);
  return {
    show({ data, options, type }) {
      // Tooltips are drawn on the canvas (richText), because the Content Security Policy forbids injected markup.
      const tooltip = { trigger: byPoint.has(type) ? 'item' : 'axis', renderMode: 'richText', confine: true };
      chart.setOption(
        { ...chartOption(data, options, type, chart.getWidth() || undefined), backgroundColor: 'transparent', tooltip },
        { notMerge: true },
      );
    },
    resize: () => chart.resize(),
    dispose: () => chart.dispose(),
  };
}

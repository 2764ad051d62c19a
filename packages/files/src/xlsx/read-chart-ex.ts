import type { Anchor, Chart, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import type { ChartType } from '@sheaf/charts/chart-types';
import { chartOf, type ParsedSeries, type UnsupportedChart } from './read-chart.ts';
import { eachElement } from '../containers/package-parts.ts';

const layouts: Readonly<Record<string, ChartType>> = { treemap: 'CHART_TREEMAP', regionMap: 'CHART_REGION_MAP' };

interface Dimensions {
  labels?: string;
  values?: string;
}

/**
 * Reads a chart in chartex, Excel's newer chart format. Returns an `UnsupportedChart` for charts other than tree maps
 * and region maps, and for ranges that cannot be drawn.
 */
export function readChartEx(
  xml: string,
  part: string,
  document: SheetDocument,
  home: SubSheet,
  id: string,
  anchor: Anchor,
): Chart | UnsupportedChart {
  const data = new Map<string, Dimensions>();
  const series: { layout: string; data: string; name?: string; text?: string }[] = [];
  let current: Dimensions = {};
  let title = '';
  let legend: 'top' | 'bottom' | 'left' | 'right' | undefined;
  eachElement(xml, part, {
    open({ name, attributes, path }) {
      if (name === 'data' && path.at(-1) === 'chartData') {
        current = {};
        data.set(attributes.get('id') ?? '', current);
      } else if (name === 'series') series.push({ layout: attributes.get('layoutId') ?? '', data: '' });
      else if (name === 'dataId' && series.length > 0) series.at(-1)!.data = attributes.get('val') ?? '';
      else if (name === 'legend')
        legend = ({ t: 'top', b: 'bottom', l: 'left', r: 'right' } as const)[attributes.get('pos') ?? ''] ?? 'top';
    },
    close(name, text, path) {
      const around = path.at(-1);
      if (name === 'f' && around === 'strDim') current.labels ??= resolved(document, home, text);
      else if (name === 'f' && around === 'numDim') current.values ??= resolved(document, home, text);
      else if (path.includes('series')) {
        const last = series.at(-1)!;
        if (around === 'txData' && name === 'f') last.name = resolved(document, home, text);
        else if (around === 'txData' && name === 'v') last.text = text;
      } else if (path.includes('title') && !path.includes('axis') && (name === 't' || (name === 'v' && title === '')))
        title += text;
    },
  });
  const [first] = series;
  const type = layouts[first?.layout ?? ''];
  if (!type) return { kind: first?.layout || 'chartex' };
  const found = series.map((one, order): ParsedSeries => {
    const { labels, values } = data.get(one.data) ?? {};
    return {
      name: one.name,
      text: one.name === undefined ? one.text?.slice(0, 255) : undefined,
      order,
      labels,
      values,
      sizes: undefined,
      kind: 'column',
      group: 0,
    };
  });
  return chartOf(document, home, found, {
    id,
    type,
    title,
    anchor,
    options: { legend: legend ? { visible: true, position: legend } : { visible: false } },
  });
}

/**
 * Replaces a defined name by its range, because Excel refers to the data of chartex charts by hidden names. Other text
 * is returned unchanged.
 */
function resolved(document: SheetDocument, home: SubSheet, text: string): string {
  const wanted = text.trim().toLowerCase();
  const name = document
    .names()
    .find((one) => one.name.toLowerCase() === wanted && (one.sheet === undefined || one.sheet === home.id));
  return name ? name.formula.replace(/^=/, '') : text.trim();
}

import type { ChartData } from '@sheaf/charts/chart-data';
import { chartOption } from '@sheaf/charts/echarts-option';
import type { ResolvedOptions } from '@sheaf/charts/chart-options';
import type { RangeDrawing } from './range-drawing.ts';
import { renderRangeSvg } from './render-range.ts';

export interface ChartDrawing {
  readonly data: ChartData;
  readonly options: ResolvedOptions;
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly format: 'svg' | 'png';
}

/**
 * Draws a chart or a range of cells, which is given as JSON bytes. Runs in a worker thread. Returns the answer for the
 * caller as JSON bytes too, so that the main thread need not parse the JSON of the drawing or of the answer.
 */
export async function renderDrawingAnswer(asked: Uint8Array): Promise<Uint8Array> {
  const drawing = JSON.parse(new TextDecoder().decode(asked)) as
    | ChartDrawing
    | (RangeDrawing & { format: 'svg' | 'png' });
  const { format, width, height } = drawing;
  const bytes = Buffer.from(
    'kind' in drawing ? await toPicture(renderRangeSvg(drawing), width, format) : await renderChart(drawing),
  );
  const [content_type, content] =
    format === 'svg' ? ['image/svg+xml', bytes.toString('utf8')] : ['image/png', bytes.toString('base64')];
  return new TextEncoder().encode(JSON.stringify({ content_type, content, width, height }));
}

/**
 * Draws a chart without a browser. The drawing libraries are large, so they are loaded when the first chart is drawn.
 */
export async function renderChart({ data, options, type, width, height, format }: ChartDrawing): Promise<Uint8Array> {
  const { init } = await import('echarts');
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  let svg: string;
  try {
    chart.setOption(chartOption(data, options, type, width));
    svg = chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
  return toPicture(svg, width, format);
}

async function toPicture(svg: string, width: number, format: 'svg' | 'png'): Promise<Uint8Array> {
  if (format === 'svg') return new TextEncoder().encode(svg);
  const { Resvg } = await import('@resvg/resvg-js');
  const png = new Resvg(svg, {
    font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans' },
    fitTo: { mode: 'width', value: width },
  })
    .render()
    .asPng();
  return new Uint8Array(png);
}

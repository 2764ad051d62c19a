import { invalid, overLimit } from '../errors.ts';
import { integer, oneOf, text } from '../../../kernel/field-schemas.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { maxSeries, maxValues, chartSize } from '@sheaf/charts/chart-data';
import { resolveChart } from '../charts/resolve-chart.ts';
import type { ChartDrawing } from '../charts/render-chart.ts';
import { requireChart } from '../charts/chart-location.ts';
import type { Chart, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { findSheetContaining } from '../calls/sheet-lookup.ts';
import { defaultSheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

const maxPixels = 4096;

/** Maximum area of a rendered chart in pixels, for example 4096 x 2048. */
const maxArea = 2 ** 23;

const baseTool = readTool({
  name: 'render_chart',
  view: 'chart',
  summary:
    'Renders a chart as SVG text or PNG; 3-D types flat, region maps as a heat table. PNG lacks characters that the ' +
    "server's fonts lack; SVG has all.\nExample: " +
    '{"drawing_id":"...","format":"png"}',
  input: {
    ...defaultSheetField,
    drawing_id: text('The chart, from get_charts.', { min: 1, max: 128 }),
    format: oneOf('"data": what it is drawn from. Default: svg.', ['svg', 'png', 'data']).optional(),
    width: integer('Pixels; as placed if omitted.', { min: 16, max: maxPixels }).optional(),
    height: integer('Pixels; as placed if omitted.', { min: 16, max: maxPixels }).optional(),
  },
  output: {
    content_type: text('Media type: image/svg+xml, image/png or application/json.'),
    content: text('SVG as text, PNG as base64; data as JSON: data (categories, series), options and type.'),
    width: integer('Pixels.'),
    height: integer('Pixels.'),
  },
  /** Reads the chart's data in the document's thread. The chart itself is drawn in another thread. */
  read(document, input) {
    const sub = findSheetContaining(document, input.sheet_id, ({ charts }) =>
      charts.some(({ id }) => id === input.drawing_id),
    );
    const chart = requireChart(sub, input.drawing_id);
    const side = (given: number | undefined, placed: number): number =>
      given ?? Math.min(maxPixels, Math.max(16, Math.round(placed)));
    const width = side(input.width, chart.anchor.width);
    const height = side(input.height, chart.anchor.height);
    if (width * height > maxArea)
      throw invalid(`width: width times height must be at most ${maxArea} (got ${width} times ${height})`);
    refuseLarge(document, sub, chart, input.format === 'data' ? maxValues.returned : maxValues.rendered);
    const drawn = resolveChart(document, sub, chart);
    if (input.format === 'data')
      return { content_type: 'application/json', content: JSON.stringify(drawn), width, height };
    const drawing: ChartDrawing = { ...drawn, width, height, format: input.format ?? 'svg' };
    return new RawJson(new TextEncoder().encode(JSON.stringify(drawing)));
  },
});

/**
 * Throws if the chart has too many series or more than `most` values, because drawing it would delay other users'
 * charts.
 */
function refuseLarge(document: SheetDocument, sub: SubSheet, chart: Chart, most: number): void {
  const { series, points } = chartSize(document, sub, chart);
  if (series > maxSeries)
    throw overLimit(`drawing_id: a chart of at most ${maxSeries} series can be drawn (got ${series})`);
  if (series * points > most)
    throw overLimit(`drawing_id: a chart of at most ${most} values can be drawn (got ${series} series of ${points})`);
}

export const render_chart: typeof baseTool = {
  ...baseTool,
  async run(input, context) {
    const read: unknown = await baseTool.run(input, context);
    if (input.format === 'data') return read as never;
    // Pass the JSON bytes through without parsing them, because the drawing and the answer may be large.
    const answer = await context.documents.draw(context.stamp.userId, (read as RawJson).bytes);
    if (input.format === 'png') context.reply.picture = { mimeType: 'image/png', field: 'content' };
    return new RawJson(answer) as never;
  },
};

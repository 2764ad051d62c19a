import { z } from 'zod';
import { integer, oneOf, text } from '../../operation/fields.ts';
import { RawJson } from '../../operation/raw-json.ts';
import { chartData } from '../charts/data.ts';
import { fullOptions } from '../charts/options.ts';
import type { Drawing } from '../charts/render.ts';
import { chartOf } from '../charts/schema.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { fileFields, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

const mostPixels = 4096;

/** What is drawn, or only told. */
type Asked = Omit<Drawing, 'format'> & { readonly format: Drawing['format'] | 'data' };

const reading = readTool({
  name: 'render_chart',
  summary:
    'Draws a chart from the document\'s data as SVG text or a PNG image. 3-D types are drawn flat, region maps as a ranked heat table. PNG shows only characters that the server\'s fonts have: without a Chinese, Japanese or Korean font such text is missing; SVG always holds it.\nExample: {"drawing_id":"...","format":"png"}',
  input: z.object({
    ...fileFields,
    ...sheetField,
    drawing_id: text('The chart, from get_charts.', { min: 1, max: 128 }),
    format: oneOf('svg when omitted; data gives what it is drawn from.', ['svg', 'png', 'data']).optional(),
    width: integer('Pixels; as placed on the sheet when omitted.', { min: 16, max: mostPixels }).optional(),
    height: integer('Pixels; as placed on the sheet when omitted.', { min: 16, max: mostPixels }).optional(),
  }),
  output: z.object({
    content_type: text('image/svg+xml, image/png or application/json.'),
    content: text('SVG as text, PNG as base64; data as JSON: data (categories, series), options and type.'),
    width: integer('Pixels.'),
    height: integer('Pixels.'),
  }),
  /** In the document's thread only the data is read; drawing it is another thread's. */
  read(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const chart = chartOf(sub, input.drawing_id);
    const data = chartData(document, sub, chart);
    const side = (given: number | undefined, placed: number): number => given ?? Math.min(mostPixels, Math.max(16, Math.round(placed)));
    const drawing: Asked = { data, options: fullOptions(chart, data), type: chart.type, width: side(input.width, chart.anchor.width), height: side(input.height, chart.anchor.height), format: input.format ?? 'svg' };
    return new RawJson(new TextEncoder().encode(JSON.stringify(drawing)));
  },
});

export const render_chart: typeof reading = {
  ...reading,
  async run(input, context) {
    const raw: unknown = await reading.run(input, context);
    const asked = (raw as RawJson).parse() as unknown as Asked;
    const { format, data, options, type, width, height } = asked;
    if (format === 'data') return { content_type: 'application/json', content: JSON.stringify({ data, options, type }), width, height };
    const drawing: Drawing = { ...asked, format };
    const bytes = Buffer.from(await context.documents.draw(drawing));
    const isSvg = drawing.format === 'svg';
    return { content_type: isSvg ? 'image/svg+xml' : 'image/png', content: bytes.toString(isSvg ? 'utf8' : 'base64'), width: drawing.width, height: drawing.height };
  },
};

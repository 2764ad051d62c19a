import { integer, oneOf, text } from '../../../kernel/field-schemas.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { clipToUsedRange, formatAddress, resolveAddress } from '../calls/address.ts';
import { readTool } from '../calls/tool.ts';
import { layOutRange } from '../charts/range-drawing.ts';
import { overLimit } from '../errors.ts';
import { addressField, defaultSheetField } from '../schema.ts';

const maxCells = 5000;
/** Maximum width and height of a picture in pixels, and its maximum area. */
const maxPixels = 4096;
const maxArea = 2 ** 23;

const baseTool = readTool({
  name: 'render_range',
  summary:
    'Renders cells as a picture, with their styles, merges and data bars: a look at what people see. At most 5000 cells.\n' +
    'Example: {"range":"Sales!A1:F20"}',
  input: {
    range: addressField('As A1:D9, Sheet2!A:C, a sub-sheet, name or heading. Default: all.').optional(),
    ...defaultSheetField,
    format: oneOf('Default: png.', ['png', 'svg']).optional(),
  },
  output: {
    content_type: text('Media type: image/png or image/svg+xml.'),
    content: text('PNG as base64, SVG as text.'),
    width: integer('Pixels.'),
    height: integer('Pixels.'),
  },
  /** Computes the layout of the range in the document's thread. Another thread draws it. */
  read(document, input, call) {
    const place = resolveAddress(document, input.range ?? 'A1:XFD1048576', { sheet: input.sheet_id });
    const { sub } = place;
    const rect = clipToUsedRange(document, place) ?? { ...place.rect, bottom: place.rect.top, right: place.rect.left };
    const cells = (rect.bottom - rect.top + 1) * (rect.right - rect.left + 1);
    if (cells > maxCells)
      throw overLimit(
        `range: at most ${maxCells} cells can be drawn (got ${formatAddress(sub, rect)}, ${cells} cells)`,
      );
    const drawing = layOutRange(document, sub, rect, call.calculation);
    const { width, height } = drawing;
    if (width > maxPixels || height > maxPixels || width * height > maxArea)
      throw overLimit(
        `range: the picture may be at most ${maxPixels} pixels wide and high (got ${width} by ${height}); send fewer cells`,
      );
    return new RawJson(new TextEncoder().encode(JSON.stringify({ ...drawing, format: input.format ?? 'png' })));
  },
});

export const render_range: typeof baseTool = {
  ...baseTool,
  async run(input, context) {
    const drawing = (await baseTool.run(input, context)) as unknown as RawJson;
    const answer = await context.documents.draw(context.stamp.userId, drawing.bytes);
    if (input.format !== 'svg') context.reply.picture = { mimeType: 'image/png', field: 'content' };
    return new RawJson(answer) as never;
  },
};

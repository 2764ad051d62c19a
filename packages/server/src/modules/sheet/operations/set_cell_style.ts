import { z } from 'zod';
import { invalid } from '../errors.ts';
import { flag, integer, aliasField, text } from '../../../kernel/field-schemas.ts';
import { parseBySchema } from '../../../kernel/parse-input.ts';
import { normalizeArgb } from '../styles/colors.ts';
import { rectOf, type StylePatch } from '@sheaf/engine/internal/document';
import { isValidPattern } from '@sheaf/engine';
import { setStyle } from '@sheaf/engine/internal/mutations';
import { clearRichTextStyles } from '../styles/rich-text-styles.ts';
import { regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

const horizontal = ['general', 'left', 'center', 'right', 'fill', 'justify'] as const;
const vertical = ['top', 'center', 'bottom', 'justify'] as const;
const underlines = ['none', 'single', 'double', 'single_accounting', 'double_accounting'] as const;

/** Creates the schema of an enumeration that also accepts "", which removes the property. */
const choice = <const Value extends string>(description: string, values: readonly Value[]) =>
  z.enum(['', ...values]).meta({ description });

const format = z.object({
  bold: flag('Bold.').optional(),
  italic: flag('Italic.').optional(),
  font_family: text('Font name.', { max: 100 }).optional(),
  font_size: integer('Points.', { min: 0, max: 409 }).optional(),
  font_color: text('Color as AARRGGBB or RRGGBB.', { max: 9 }).optional(),
  bg_color: text('Color as AARRGGBB or RRGGBB.', { max: 9 }).optional(),
  horizontal_align: choice('Across.', horizontal).optional(),
  vertical_align: choice('Vertical alignment.', vertical).optional(),
  wrap_text: flag('Whether long text wraps.').optional(),
  strike_through: flag('Whether the text is struck through.').optional(),
  underline: choice('Kind of line.', underlines).optional(),
  number_format_pattern: text('Number format, e.g. 0.00% or yyyy-mm-dd.', { max: 255 }).optional(),
  // Aliases with the names that get_cell_style returns, so that its output can be written back.
  background_color: aliasField(text('The same as bg_color.', { max: 9 })).optional(),
  number_format: aliasField(text('The same as number_format_pattern.', { max: 255 })).optional(),
});

type Format = z.output<typeof format>;

export const set_cell_style = worksheetWriteTool({
  name: 'set_cell_style',
  summary:
    'Sets the fonts, colors, alignment and number format of a region. Properties not sent are unchanged; ' +
    'false, "" or 0 clears one. For borders use set_border.\nExample: ' +
    '{"start_row":0,"start_col":0,"end_row":0,"end_col":5,"format":{"bold":true,"bg_color":"FFDDEEFF"}}',
  idempotent: true,
  input: {
    ...regionFields,
    is_clear: flag('Whether to clear all styles and borders; format is ignored.').optional(),
    format: format.meta({ description: 'Properties to set.' }).optional(),
  },
  // With is_clear, `format` is ignored even if it is invalid.
  parse: (raw, schema) => parseBySchema(schema, raw['is_clear'] === true ? { ...raw, format: undefined } : raw),
  plan(document, sub, given) {
    const region = toRegionTuple(given);
    const rect = rectOf(region);
    if (given.is_clear)
      return {
        mutations: [setStyle.of({ sheet: sub.id, region, clear: 'all' }), ...clearRichTextStyles(sub, rect, 'all')],
      };
    const set = patchOf(given.format ?? {});
    if (Object.keys(set).length === 0) return { mutations: [] };
    return { mutations: [setStyle.of({ sheet: sub.id, region, set }), ...clearRichTextStyles(sub, rect, set)] };
  },
});

function patchOf(given: Format): StylePatch {
  const patch: Record<string, unknown> = {};
  const put = (key: string, value: unknown): void => {
    if (value !== undefined) patch[key] = value === false || value === '' || value === 0 ? null : value;
  };
  put('bold', given.bold);
  put('italic', given.italic);
  put('fontFamily', given.font_family);
  put('fontSize', given.font_size);
  put('fontColor', given.font_color ? normalizeArgb('format.font_color', given.font_color) : given.font_color);
  const background = given.bg_color ?? given.background_color;
  put('bgColor', background ? normalizeArgb('format.bg_color', background) : background);
  put('horizontalAlign', given.horizontal_align);
  put('verticalAlign', given.vertical_align);
  put('wrapText', given.wrap_text);
  put('strikeThrough', given.strike_through);
  put('underline', given.underline === 'none' ? '' : given.underline);
  const pattern = given.number_format_pattern ?? given.number_format;
  if (pattern && !isValidPattern(pattern))
    throw invalid(`format.number_format_pattern: is not a number format (got ${JSON.stringify(pattern)})`);
  put('numberFormat', pattern === 'General' ? '' : pattern);
  return patch as StylePatch;
}

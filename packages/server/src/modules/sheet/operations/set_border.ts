import { z } from 'zod';
import { text } from '../../../kernel/field-schemas.ts';
import { borderStyleField, borderStyles, buildBorders, borderPositionsField } from '../styles/borders.ts';
import { parseRgb } from '../styles/colors.ts';
import { setBorder } from '@sheaf/engine/internal/mutations';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, writeOutput, fileFields, regionFields, toRegionTuple, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const set_border = writeTool({
  name: 'set_border',
  summary:
    'Draws borders around or inside a region.\nExample (a thin box): {"start_row":0,"start_col":0,"end_row":4,"end_col":3,"border_positions":[0,1,2,3]}',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    ...regionFields,
    border_positions: borderPositionsField({ min: 1 }),
    border_style: borderStyleField.optional(),
    border_color: text('Color as RRGGBB without #. Default: black.', { max: 9 }).optional(),
    ...writeOptionFields,
  }),
  output: writeOutput,
  plan(document, input) {
    requireWorksheet(document, input.sheet_id);
    const style = borderStyles[input.border_style ?? 1]!;
    const line = style === 'none' ? null : `${style}:${parseRgb('border_color', input.border_color || '000000')}`;
    return {
      mutations: [setBorder.of(buildBorders(input.sheet_id, toRegionTuple(input), input.border_positions, line))],
    };
  },
});

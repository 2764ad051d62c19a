import { text } from '../../../kernel/field-schemas.ts';
import { borderStyleField, borderStyles, buildBorders, borderPositionsField } from '../styles/borders.ts';
import { normalizeRgb } from '../styles/colors.ts';
import { setBorder } from '@sheaf/engine/internal/mutations';
import { regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const set_border = worksheetWriteTool({
  name: 'set_border',
  summary:
    'Draws borders around or inside a region.\nExample (a thin box): {"start_row":0,"start_col":0,"end_row":4,"end_col":3,"border_positions":[0,1,2,3]}',
  idempotent: true,
  input: {
    ...regionFields,
    border_positions: borderPositionsField({ min: 1 }),
    border_style: borderStyleField.optional(),
    border_color: text('Color as RRGGBB without #. Default: black.', { max: 9 }).optional(),
  },
  plan(document, sub, input) {
    const style = borderStyles[input.border_style ?? 1]!;
    const line = style === 'none' ? null : `${style}:${normalizeRgb('border_color', input.border_color || '000000')}`;
    return {
      mutations: [setBorder.of(buildBorders(sub.id, toRegionTuple(input), input.border_positions, line))],
    };
  },
});

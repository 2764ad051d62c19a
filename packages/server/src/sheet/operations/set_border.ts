import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { borderStyle, borderStyles, bordersAt, positions } from '../parts/borders.ts';
import { rgb } from '../parts/colors.ts';
import { setBorder } from '@sheaf/engine/internal/mutations';
import { worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, r4, checkedRegion, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const set_border = writeTool({
  name: 'set_border',
  summary:
    'Draws borders around or inside a region.\nExample (a thin box): {"start_row":0,"start_col":0,"end_row":4,"end_col":3,"border_positions":[0,1,2,3]}',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    ...r4,
    border_positions: positions({ min: 1 }),
    border_style: borderStyle.optional(),
    border_color: text('Color as RRGGBB without #. Default: black.', { max: 9 }).optional(),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    worksheetOf(document, input.sheet_id);
    const style = borderStyles[input.border_style ?? 1]!;
    const line = style === 'none' ? null : `${style}:${rgb('border_color', input.border_color || '000000')}`;
    return { mutations: [setBorder.of(bordersAt(input.sheet_id, checkedRegion(input), input.border_positions, line))] };
  },
});

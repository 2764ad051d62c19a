import { z } from 'zod';
import { setStyle } from '@sheaf/engine/internal/mutations';
import { overrideRichTextStyles } from '../styles/rich-text-styles.ts';
import { rectOf } from '@sheaf/engine/internal/document';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { writeOptionFields, writeOutput, fileFields, regionFields, toRegionTuple, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const clear_range_style = writeTool({
  name: 'clear_range_style',
  summary: 'Clears all styles, number formats and borders of a region but keeps the contents of its cells.',
  effect: 'destroy',
  idempotent: true,
  input: z.object({ ...fileFields, ...sheetField, ...regionFields, ...writeOptionFields }),
  output: writeOutput,
  plan(document, input) {
    const sub = requireWorksheet(document, input.sheet_id);
    const region = toRegionTuple(input);
    return {
      mutations: [
        setStyle.of({ sheet: sub.id, region, clear: 'all' }),
        ...overrideRichTextStyles(sub, rectOf(region), 'all'),
      ],
    };
  },
});

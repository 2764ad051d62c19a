import { setStyle } from '@sheaf/engine/internal/mutations';
import { clearRichTextStyles } from '../styles/rich-text-styles.ts';
import { rectOf } from '@sheaf/engine/internal/document';
import { regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const clear_range_style = worksheetWriteTool({
  name: 'clear_range_style',
  summary: 'Clears the styles, number formats and borders of a region but keeps its contents.',
  effect: 'destroy',
  idempotent: true,
  input: { ...regionFields },
  plan(document, sub, input) {
    const region = toRegionTuple(input);
    return {
      mutations: [
        setStyle.of({ sheet: sub.id, region, clear: 'all' }),
        ...clearRichTextStyles(sub, rectOf(region), 'all'),
      ],
    };
  },
});

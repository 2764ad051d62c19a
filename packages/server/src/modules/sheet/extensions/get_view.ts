import { flag, integer, list } from '../../../kernel/field-schemas.ts';
import { regionFields, toReadableRect } from '../schema.ts';
import { worksheetReadTool } from '../calls/tool.ts';
import { buildRedactedLayout, buildRedactedView } from '../reading/redacted-view.ts';
import { buildLayout, buildRangeView } from '../reading/range-view.ts';
import { layoutSchema, rangeViewFields, span } from '../reading/view-schema.ts';

export const get_view = worksheetReadTool({
  name: 'get_view',
  deprecated: 'use read; this one serves the page.',
  isUnlisted: true,
  summary:
    'Returns a region of at most 20000 cells for display: displayed and editable text, styles, borders, ' +
    'merges and links in compact lists; with layout also sizes, frozen panes and hidden rows. For values ' +
    'alone use get_cell_data.',
  takesOneArea: true,
  input: {
    ...regionFields,
    layout: flag("Whether to also return the sub-sheet's layout.").optional(),
    shown_only: flag('Whether to leave out what a reader does not see: hidden cells and values, formulas.').optional(),
  },
  output: {
    version: integer("The document's version."),
    ...rangeViewFields,
    layout: layoutSchema.meta({ description: 'Layout, if requested.' }).optional(),
    filtered_rows: list('With layout: hidden rows that filters hide: first, last. Absent if none.', span).optional(),
  },
  read(document, sub, input, call) {
    const rect = toReadableRect(input);
    const filtered = input.layout ? sub.filteredRows().list() : [];
    return {
      version: call.version,
      ...(input.shown_only ? buildRedactedView : buildRangeView)(document, sub, rect, call.calculation),
      ...(input.layout ? { layout: (input.shown_only ? buildRedactedLayout : buildLayout)(document, sub) } : {}),
      ...(filtered.length > 0
        ? { filtered_rows: filtered.map(([first, last]) => [first, last] as [number, number]) }
        : {}),
    };
  },
});

import { regionOf } from '@sheaf/engine/internal/document';
import { toRegionInput } from '../schema.ts';
import { flag, integer, text } from '../../../kernel/field-schemas.ts';
import { formatRange } from '../reading/format-range.ts';
import { worksheetReadTool } from '../calls/tool.ts';

export const get_used_range = worksheetReadTool({
  name: 'get_used_range',
  deprecated: 'use inspect or read.',
  isUnlisted: true,
  summary:
    'Returns the smallest region that contains all values and formulas of a sub-sheet. To find out what is in it use describe_sheet.',
  input: {},
  output: {
    is_empty: flag('Whether all cells are empty; the range is then omitted.'),
    start_row: integer('First row, starting at 0.').optional(),
    start_col: integer('First column, starting at 0.').optional(),
    end_row: integer('Last row, inclusive.').optional(),
    end_col: integer('Last column, inclusive.').optional(),
    range: text('The same as <sheet_id>$A1:B2; empty if none.'),
  },
  read(document, sub) {
    const used = document.usedRange(sub);
    if (!used) return { is_empty: true, range: '' };
    return { is_empty: false, ...toRegionInput(regionOf(used)), range: formatRange(sub.id, used) };
  },
});

import { fail } from '../../../kernel/errors.ts';
import { overLimit } from '../errors.ts';
import { rectOf } from '@sheaf/engine/internal/document';
import { lastWithin, rectName } from '@sheaf/engine';
import { insertRange } from '@sheaf/engine/internal/mutations';
import { dimensionField, axisLimit, regionFields, toRegionTuple } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const insert_range = worksheetWriteTool({
  name: 'insert_range',
  summary:
    'Inserts empty cells; the region and what is below it (row) or to its right (col) shifts. For whole rows ' +
    'or columns use insert_dimension.',
  input: { ...regionFields, ...dimensionField },
  plan(document, sub, input) {
    const { sheet, merges } = sub;
    const region = toRegionTuple(input);
    const axis = input.dimension_type;
    const [at, end] = axis === 'row' ? [input.start_row, input.end_row] : [input.start_col, input.end_col];
    const across =
      axis === 'row'
        ? { first: input.start_col, last: input.end_col }
        : { first: input.start_row, last: input.end_row };
    const last = lastWithin(sheet, axis, across);
    const room = end - at + 1;
    // Refuse to split a merged area, because cells inserted into it would be hidden.
    const cut = merges.meeting(rectOf(region)).find((rect) => (axis === 'row' ? rect.top : rect.left) < at);
    if (cut) throw fail('conflict', `the edit would cut the merged area ${rectName(cut)}; unmerge it first`);
    if (last >= at && last + room >= axisLimit(axis))
      throw overLimit(`end_${axis}: room for ${room} would push cells past the last of ${axisLimit(axis)} ${axis}s`);
    return { mutations: [insertRange.of({ sheet: sub.id, region, axis })] };
  },
});

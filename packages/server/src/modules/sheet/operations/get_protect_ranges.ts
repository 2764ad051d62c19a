import { z } from 'zod';
import { list, text } from '../../../kernel/field-schemas.ts';
import { requireWorksheet } from '../calls/sheet-lookup.ts';
import { exclusiveRange, toExclusiveRange } from '../protection/protected-ranges.ts';
import { fileOrUrlFields, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

export const get_protect_ranges = readTool({
  name: 'get_protect_ranges',
  summary:
    'Lists the protected ranges of a sub-sheet; end indices are exclusive. A protected sub-sheet is listed as the range of its whole grid.',
  input: z.object({ ...fileOrUrlFields, ...sheetField }),
  output: z.object({
    ranges: list(
      'Entries, in the order they were created.',
      z.object({
        protect_range_id: text('Its id.'),
        range: exclusiveRange.meta({ description: 'Range with exclusive end indices.' }),
      }),
    ),
  }),
  read(document, input) {
    const sub = requireWorksheet(document, input.sheet_id);
    return { ranges: sub.protections.map((one) => ({ protect_range_id: one.id, range: toExclusiveRange(sub, one) })) };
  },
});

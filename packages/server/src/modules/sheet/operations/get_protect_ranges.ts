import { z } from 'zod';
import { list, text } from '../../../kernel/field-schemas.ts';
import { exclusiveRange, toExclusiveRange } from '../protection/protected-ranges.ts';
import { fileOrUrlFields } from '../schema.ts';
import { worksheetReadTool } from '../calls/tool.ts';

export const get_protect_ranges = worksheetReadTool({
  name: 'get_protect_ranges',
  summary: 'Lists the protected ranges of a sub-sheet; end indices are exclusive.',
  input: { ...fileOrUrlFields },
  output: {
    ranges: list(
      'Entries, in the order they were created.',
      z.object({
        protect_range_id: text('Its id.'),
        range: exclusiveRange.meta({ description: 'Range with exclusive end indices.' }),
      }),
    ),
  },
  read(document, sub) {
    return { ranges: sub.protections.map((one) => ({ protect_range_id: one.id, range: toExclusiveRange(sub, one) })) };
  },
});

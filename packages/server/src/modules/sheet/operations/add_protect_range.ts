import { invalid } from '../errors.ts';
import { flag, text } from '../../../kernel/field-schemas.ts';
import { putProtect } from '@sheaf/engine/internal/mutations';
import { exclusiveRange, toRegion } from '../protection/protected-ranges.ts';
import { fileOrUrlFields } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';

export const add_protect_range = worksheetWriteTool({
  name: 'add_protect_range',
  summary: 'Protects a range (end indices exclusive) or a sub-sheet: only the caller and the owner may change it.',
  input: {
    ...fileOrUrlFields,
    range: exclusiveRange.meta({ description: 'End indices are exclusive.' }).optional(),
    whole_sheet: flag('Whether to protect all of the sub-sheet.').optional(),
  },
  output: { protect_range_id: text('Id, for changing or deleting it.') },
  plan(document, sub, input, call) {
    if (input.whole_sheet && input.range) throw invalid('range: must not be sent when whole_sheet is true');
    if (!input.whole_sheet && !input.range) throw invalid('range: is required unless whole_sheet is true');
    const id = call.newId('protect');
    const region = input.range ? toRegion(input.range) : null;
    return {
      mutations: [putProtect.of({ sheet: sub.id, protection: { id, owner: call.userId, region } })],
      data: { protect_range_id: id },
    };
  },
});

import { text } from '../../../kernel/field-schemas.ts';
import { removeProtect } from '@sheaf/engine/internal/mutations';
import { requireProtection } from '../protection/protected-ranges.ts';
import { fileOrUrlFields } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const delete_protect_range = writeTool({
  name: 'delete_protect_range',
  summary: 'Removes a protection, so that every editor can edit its cells again.',
  effect: 'destroy',
  input: {
    ...fileOrUrlFields,
    sheet_id: text('Sub-sheet of the range.', { max: 64 }).optional(),
    protect_range_id: text('From add_protect_range or get_protect_ranges.', { min: 1, max: 64 }),
  },
  plan(document, input, call) {
    const { sub, protection } = requireProtection(document, input.protect_range_id, input.sheet_id, call);
    return { mutations: [removeProtect.of({ sheet: sub.id, id: protection.id })] };
  },
});

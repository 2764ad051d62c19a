import { text } from '../../../kernel/field-schemas.ts';
import { putProtect } from '@sheaf/engine/internal/mutations';
import { exclusiveRange, requireProtection, toRegion } from '../protection/protected-ranges.ts';
import { fileOrUrlFields } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const update_protect_range = writeTool({
  name: 'update_protect_range',
  summary: 'Replaces the range of a protection (end indices exclusive).',
  idempotent: true,
  input: {
    ...fileOrUrlFields,
    sheet_id: text('Sub-sheet of the range.', { max: 64 }).optional(),
    protect_range_id: text('From add_protect_range or get_protect_ranges.', { min: 1, max: 64 }),
    range: exclusiveRange.meta({ description: 'End indices are exclusive.' }),
  },
  plan(document, input, call) {
    const { sub, protection } = requireProtection(document, input.protect_range_id, input.sheet_id, call);
    return {
      mutations: [putProtect.of({ sheet: sub.id, protection: { ...protection, region: toRegion(input.range) } })],
    };
  },
});

import { text } from '../../../kernel/field-schemas.ts';
import { removeImage } from '@sheaf/engine/internal/mutations';
import { requireImage, findSheetContaining } from '../calls/sheet-lookup.ts';
import { defaultSheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const delete_image = writeTool({
  name: 'delete_image',
  summary: 'Deletes a floating image.',
  effect: 'destroy',
  input: { ...defaultSheetField, object_id: text('Image id, from get_images.', { min: 1, max: 64 }) },
  plan(document, input) {
    const sub = findSheetContaining(document, input.sheet_id, ({ images }) =>
      images.some(({ id }) => id === input.object_id),
    );
    const { id } = requireImage(sub, input.object_id);
    return { mutations: [removeImage.of({ sheet: sub.id, id })] };
  },
});

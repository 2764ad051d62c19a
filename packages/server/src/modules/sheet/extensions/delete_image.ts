import { text } from '../../../kernel/field-schemas.ts';
import { removeImage } from '@sheaf/engine/internal/mutations';
import { requireImage } from '../calls/sheet-lookup.ts';
import { defaultSheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const delete_image = writeTool({
  name: 'delete_image',
  summary: 'Deletes a floating image.',
  effect: 'destroy',
  input: { ...defaultSheetField, object_id: text('Image id, from get_images.', { min: 1, max: 64 }) },
  plan(document, input) {
    const { sub, image } = requireImage(document, input);
    return { mutations: [removeImage.of({ sheet: sub.id, id: image.id })] };
  },
});

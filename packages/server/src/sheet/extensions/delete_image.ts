import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { removeImage } from '@sheaf/engine/internal/mutations';
import { imageOf, sheetHolding } from '../calls/lookup.ts';
import { changesField, done, fileFields, ownSheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const delete_image = writeTool({
  name: 'delete_image',
  summary: 'Deletes a floating image.',
  effect: 'destroy',
  input: z.object({
    ...fileFields,
    ...ownSheetField,
    object_id: text('Image id, from get_images.', { min: 1, max: 64 }),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    const sub = sheetHolding(document, input.sheet_id, ({ images }) => images.some(({ id }) => id === input.object_id));
    const { id } = imageOf(sub, input.object_id);
    return { mutations: [removeImage.of({ sheet: sub.id, id })] };
  },
});

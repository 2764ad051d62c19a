import { z } from 'zod';
import { text } from '../../operation/fields.ts';
import { gridFor } from '../parts/anchors.ts';
import { anchorOf, location } from '../charts/schema.ts';
import { putImage } from '../engine/mutations.ts';
import { imageOf, worksheetOf } from '../calls/lookup.ts';
import { changesField, done, fileFields, sheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const update_image = writeTool({
  name: 'update_image',
  summary:
    'Moves or resizes a floating image.\nExample: {"object_id":"...","location":{"row_index":2,"col_index":5,"width":200,"height":120}}',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...sheetField,
    object_id: text('Image id, from get_images.', { min: 1, max: 64 }),
    location: location.meta({
      'x-listed': 'object',
      description:
        'row_index, col_index; in pixels and unchanged if omitted: horizontal_offset, vertical_offset, width, height.',
    }),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    const image = imageOf(sub, input.object_id);
    const anchor = anchorOf(input.location, image.anchor);
    return { mutations: [putImage.of({ sheet: sub.id, image: { ...image, anchor } }), ...gridFor(sub, anchor)] };
  },
});

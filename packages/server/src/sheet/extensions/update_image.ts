import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { text } from '../../operation/fields.ts';
import { gridFor } from '../parts/anchors.ts';
import { anchorOf, location } from '../charts/schema.ts';
import { putImage } from '@sheaf/engine/internal/mutations';
import { placeNamed } from '../calls/address.ts';
import { imageOf, sheetHolding } from '../calls/lookup.ts';
import { addressField, changesField, done, fileFields, ownSheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const update_image = writeTool({
  name: 'update_image',
  summary: 'Moves or resizes a floating image.\nExample: {"object_id":"...","range":"F3","location":{"width":200}}',
  idempotent: true,
  input: z.object({
    ...fileFields,
    ...ownSheetField,
    object_id: text('Image id, from get_images.', { min: 1, max: 64 }),
    range: addressField('Cell of its top-left corner.').optional(),
    location: location
      .partial()
      .meta({
        'x-listed': 'object',
        description: 'Pixels: width, height, horizontal_offset, vertical_offset.',
      })
      .optional(),
    ...changesField,
  }),
  output: done,
  plan(document, input) {
    const sub = sheetHolding(document, input.sheet_id, ({ images }) => images.some(({ id }) => id === input.object_id));
    const image = imageOf(sub, input.object_id);
    if (input.range === undefined && input.location === undefined)
      throw fail('invalid_parameter', 'location: is required without range');
    const { row_index = image.anchor.row, col_index = image.anchor.col, ...rest } = input.location ?? {};
    const at = input.range === undefined ? undefined : placeNamed(document, input.range, { sheet: sub.id });
    if (at && at.sub !== sub)
      throw fail('invalid_parameter', `range: the image is on ${sub.name} and stays there (got ${at.sub.name})`);
    const corner = at ? { row_index: at.rect.top, col_index: at.rect.left } : { row_index, col_index };
    const anchor = anchorOf({ ...rest, ...corner }, image.anchor);
    return { mutations: [putImage.of({ sheet: sub.id, image: { ...image, anchor } }), ...gridFor(sub, anchor)] };
  },
});

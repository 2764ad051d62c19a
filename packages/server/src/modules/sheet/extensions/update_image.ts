import { invalid } from '../errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { enlargeGridForAnchor } from '../objects/anchors.ts';
import { toAnchor, locationField } from '../charts/chart-location.ts';
import { putImage } from '@sheaf/engine/internal/mutations';
import { resolveAddress } from '../calls/address.ts';
import { requireImage } from '../calls/sheet-lookup.ts';
import { addressField, defaultSheetField } from '../schema.ts';
import { writeTool } from '../calls/tool.ts';

export const update_image = writeTool({
  name: 'update_image',
  summary: 'Moves or resizes a floating image.\nExample: {"object_id":"...","range":"F3","location":{"width":200}}',
  idempotent: true,
  input: {
    ...defaultSheetField,
    object_id: text('Image id, from get_images.', { min: 1, max: 64 }),
    range: addressField('Cell of its top-left corner.').optional(),
    location: locationField
      .partial()
      .meta({
        'x-listed': 'object',
        description: 'Pixels: width, height, horizontal_offset, vertical_offset.',
      })
      .optional(),
  },
  plan(document, input) {
    const { sub, image } = requireImage(document, input);
    if (input.range === undefined && input.location === undefined) throw invalid('location: is required without range');
    const { row_index = image.anchor.row, col_index = image.anchor.col, ...rest } = input.location ?? {};
    const at = input.range === undefined ? undefined : resolveAddress(document, input.range, { sheet: sub.id });
    if (at && at.sub !== sub) throw invalid(`range: the image is on ${sub.name} and stays there (got ${at.sub.name})`);
    const corner = at ? { row_index: at.rect.top, col_index: at.rect.left } : { row_index, col_index };
    const anchor = toAnchor({ ...rest, ...corner }, image.anchor);
    return {
      mutations: [putImage.of({ sheet: sub.id, image: { ...image, anchor } }), ...enlargeGridForAnchor(sub, anchor)],
    };
  },
});

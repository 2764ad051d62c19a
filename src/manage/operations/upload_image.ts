import { z } from 'zod';
import { integer, otherName, text } from '../../operation/fields.ts';
import { acceptingNames } from '../../operation/parse.ts';
import { operation } from '../../operation/operation.ts';
import { storeImage } from '../../sheet/parts/images.ts';

const input = z.object({
  content: text('The image as base64.', { min: 1 }),
  image_base64: otherName(text('Another name of content.').optional()),
});

export const upload_image = operation({
  name: 'upload_image',
  summary: 'Stores an image for insert_image and returns its image_id. Accepts PNG, JPEG, GIF and WebP up to 10 MiB.',
  effect: 'write',
  input,
  parse: acceptingNames(input, { image_base64: 'content' }),
  output: z.object({
    image_id: text('Image id; pass it to insert_image.'),
    width: integer('Pixels.'),
    height: integer('Pixels.'),
  }),
  async run(input, context) {
    const image = await storeImage(context, input.content, 10 * 2 ** 20);
    return { image_id: image.id, width: image.width, height: image.height };
  },
});

import { z } from 'zod';
import { flag, integer, otherName, text } from '../../operation/fields.ts';
import { acceptingNames } from '../../operation/parse.ts';
import { operation } from '../../operation/operation.ts';
import { keepImage, readImage } from '../../sheet/parts/images.ts';
import { answered } from '../../operation/stored-answer.ts';

const input = z.object({
  content: text('The image as base64.', { min: 1 }),
  image_base64: otherName(text('Another name of content.').optional()),
  with_url: flag('Whether to also return an address for notes.').optional(),
});

/** A hundred years, because documents store the URL permanently. */
const lastingSeconds = 100 * 365 * 24 * 60 * 60;

export const upload_image = operation({
  name: 'upload_image',
  summary: 'Stores a PNG, JPEG, GIF or WebP image of up to 10 MiB for insert_image.',
  effect: 'write',
  input,
  parse: acceptingNames(input, { image_base64: 'content' }),
  output: z.object({
    image_id: text('Image id; pass it to insert_image.'),
    width: integer('Pixels.'),
    height: integer('Pixels.'),
    url: text('Lasting address for a picture in Markdown; whoever has it sees the image.').optional(),
  }),
  async run(input, context) {
    const { image, bytes } = await readImage(context.caller.userId, input.content, 10 * 2 ** 20);
    const { id, width, height } = image;
    const link = { fileName: id, contentType: image.contentType, seconds: lastingSeconds };
    return answered(
      context,
      () => keepImage(context, image, bytes),
      () => ({
        image_id: id,
        width,
        height,
        ...(input.with_url ? { url: context.links.signedLink(image.blobKey, link) } : {}),
      }),
    );
  },
});

import { z } from 'zod';
import { flag, integer, aliasField, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { saveImage, decodeImage } from '../../sheet/objects/images.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

const input = z.object({
  content: text('The image as base64.', { min: 1 }),
  image_base64: aliasField(text('Another name of content.').optional()),
  with_url: flag('Whether to also return an address for notes.').optional(),
});

/** Lifetime of an image URL in seconds: a hundred years, because documents store the URL permanently. */
const lastingSeconds = 100 * 365 * 24 * 60 * 60;

export const upload_image = operation({
  name: 'upload_image',
  summary: 'Stores a PNG, JPEG, GIF or WebP image of up to 10 MiB for insert_image.',
  effect: 'write',
  input,
  aliases: { image_base64: 'content' },
  output: z.object({
    image_id: text('Image id; pass it to insert_image.'),
    width: integer('Pixels.'),
    height: integer('Pixels.'),
    url: text('Lasting address for a picture in Markdown; whoever has it sees the image.').optional(),
  }),
  async run(input, context) {
    const { image, bytes } = await decodeImage(context.caller.userId, input.content, 10 * 2 ** 20);
    const { id, width, height } = image;
    const link = { fileName: id, contentType: image.contentType, seconds: lastingSeconds };
    return writeAndAnswer(
      context,
      () => saveImage(context, context.stamp, image, bytes),
      () => ({
        image_id: id,
        width,
        height,
        ...(input.with_url ? { url: context.signedUrls.sign(image.blobKey, link) } : {}),
      }),
    );
  },
});

import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { locationField, toLocation } from '../charts/chart-location.ts';
import { worksheetReadTool } from '../calls/tool.ts';

const linkSeconds = 60 * 60;

const baseTool = worksheetReadTool({
  name: 'get_images',
  summary: 'Lists the floating images of a sub-sheet, with links valid for one hour.',
  input: {},
  output: {
    images: list(
      'Images, in the order they were inserted.',
      z.object({
        object_id: text('Its id, for update_image and delete_image.'),
        name: text('Its name.'),
        location: locationField.meta({ description: 'Position.' }),
        url: text('Download address.'),
        content_type: text('Media type of the image.'),
      }),
    ),
    expired_time: integer('Expiry time of the links in Unix seconds.'),
  },
  /**
   * Runs in the document's worker thread. Returns the storage key of each image in the field `url`. On the main thread,
   * `run` then replaces each key by a download link.
   */
  read(document, sub) {
    return {
      images: sub.images.map(({ id, name, anchor, blob, mime }) => ({
        object_id: id,
        name,
        location: toLocation(anchor),
        url: blob,
        content_type: mime,
      })),
      expired_time: 0,
    };
  },
});

export const get_images: typeof baseTool = {
  ...baseTool,
  async run(input, context) {
    const told: unknown = await baseTool.run(input, context);
    const { images } = (told instanceof RawJson ? told.parse() : told) as z.input<typeof baseTool.output>;
    return {
      images: images.map((image) => ({
        ...image,
        url: context.signedUrls.sign(image.url, {
          fileName: image.name,
          contentType: image.content_type,
          seconds: linkSeconds,
        }),
      })),
      expired_time: Math.floor(context.clock.now() / 1000) + linkSeconds,
    };
  },
};

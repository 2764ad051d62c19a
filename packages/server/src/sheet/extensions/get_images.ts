import { z } from 'zod';
import { integer, list, text } from '../../operation/fields.ts';
import { RawJson } from '../../operation/raw-json.ts';
import { location, locationOf } from '../charts/schema.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { fileFields, sheetField } from '../schema.ts';
import { readTool } from '../calls/tool.ts';

const linkSeconds = 60 * 60;

interface Read {
  images: { object_id: string; name: string; location: z.input<typeof location>; url: string; content_type: string }[];
}

const reading = readTool({
  name: 'get_images',
  summary: 'Lists the floating images of a sub-sheet, with links valid for one hour.',
  input: z.object({ ...fileFields, ...sheetField }),
  output: z.object({
    images: list(
      'Images, in the order they were inserted.',
      z.object({
        object_id: text('Its id, for update_image and delete_image.'),
        name: text('Its name.'),
        location: location.meta({ description: 'Position.' }),
        url: text('Download address.'),
        content_type: text('Kind of the cells.'),
      }),
    ),
    expired_time: integer('Expiry time of the links in Unix seconds.'),
  }),
  /** Returns blob keys; the main thread turns them into links. */
  read(document, input) {
    const sub = worksheetOf(document, input.sheet_id);
    return {
      images: sub.images.map(({ id, name, anchor, blob, mime }) => ({
        object_id: id,
        name,
        location: locationOf(anchor),
        url: blob,
        content_type: mime,
      })),
      expired_time: 0,
    };
  },
});

export const get_images: typeof reading = {
  ...reading,
  async run(input, context) {
    const told: unknown = await reading.run(input, context);
    const { images } = (told instanceof RawJson ? told.parse() : told) as Read;
    return {
      images: images.map((image) => ({
        ...image,
        url: context.links.signedLink(image.url, {
          fileName: image.name,
          contentType: image.content_type,
          seconds: linkSeconds,
        }),
      })),
      expired_time: Math.floor(context.clock.now() / 1000) + linkSeconds,
    };
  },
};

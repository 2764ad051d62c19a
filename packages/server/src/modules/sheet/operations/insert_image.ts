import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { enlargeGridForAnchor } from '../objects/anchors.ts';
import { putImage } from '@sheaf/engine/internal/mutations';
import { decodeImage, saveImage } from '../objects/images.ts';
import { colField, parseFileId, rowField } from '../schema.ts';
import { worksheetWriteTool } from '../calls/tool.ts';
import type { StoredImage } from '../../../ports/sheet-store.ts';

/** Maximum bytes of an image in the input of this call. Larger images must be uploaded with upload_image. */
const maxInline = 8 * 2 ** 20;

const stored = z.object({ id: z.string(), blob: z.string(), mime: z.string(), width: z.number(), height: z.number() });

export const insert_image = worksheetWriteTool({
  name: 'insert_image',
  summary: 'Inserts a floating image (PNG, JPEG, GIF or WebP) at a cell: content or image_id.',
  input: {
    row_index: rowField(),
    col_index: colField(),
    content: text('The image as base64, for small images.').optional(),
    image_id: text('From manage_upload_image.', { max: 64 }).optional(),
  },
  prepareStores: ({ content }) => Boolean(content),
  async prepare(input, context) {
    if (!input.content === !input.image_id) throw invalid('content: send exactly one of content and image_id');
    await context.documents.access(context, parseFileId(input), 'editor');
    const image = input.content
      ? await decodeContent(context, input.content, input.dry_run === true)
      : await context.sheets.image(input.image_id!);
    if (!image || image.ownerId !== context.caller.userId)
      throw fail('no_such_object', `image_id: there is no image ${JSON.stringify(input.image_id)} of yours`);
    const { content: _, ...rest } = input;
    return {
      ...rest,
      stored: { id: image.id, blob: image.blobKey, mime: image.contentType, width: image.width, height: image.height },
    };
  },
  plan(document, sub, input, call) {
    const image = stored.parse((input as { stored?: unknown }).stored);
    const id = call.newId('image');
    const anchor = {
      row: input.row_index,
      col: input.col_index,
      offsetX: 0,
      offsetY: 0,
      width: image.width,
      height: image.height,
    };
    return {
      mutations: [
        putImage.of({
          sheet: sub.id,
          image: { id, name: `Image ${sub.images.length + 1}`, blob: image.blob, mime: image.mime, anchor },
        }),
        ...enlargeGridForAnchor(sub, anchor),
      ],
    };
  },
});

/** Decodes the image, and stores it unless the call is a dry run. */
async function decodeContent(context: Context, content: string, isDryRun: boolean): Promise<StoredImage> {
  const { image, bytes } = await decodeImage(context.caller.userId, content, maxInline);
  // Pass no audit stamp: the call's stamp goes to the revision, so that the audit log names the revision.
  if (!isDryRun) await saveImage(context, null, image, bytes);
  return image;
}

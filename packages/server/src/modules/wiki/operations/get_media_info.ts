import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { integer, withListedLimits, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Item } from '../../../ports/wiki-store.ts';
import { mediaType } from '../media-types.ts';
import { requireItem } from '../permissions.ts';
import { mediaId } from '../schema.ts';

const linkSeconds = 60 * 60;

const urlInfo = z.object({
  url: text('Address of the original.'),
  headers: z
    .record(z.string(), z.string())
    .meta({ description: 'Headers to send with the request to the link; usually none.' }),
});

export const get_media_info = operation({
  summary:
    "Returns an item's original: for files a link valid for one hour, for web pages the URL, for notes the " +
    'id.\nExample: {"media_id":"media_..."}',
  effect: 'read',
  input: { media_id: withListedLimits(mediaId()) },
  output: {
    media_type: integer('Type of the item.'),
    url_info: urlInfo.meta({ description: 'Location of the original; absent if it is unavailable.' }).optional(),
    notebook_ext_info: z
      .object({ notebook_id: text('Note id; pass it to note.get_doc_content.') })
      .meta({ description: 'Details of a note.' })
      .optional(),
  },
  async run({ media_id: id }, context) {
    const { item } = await requireItem(context, id, 'view');
    const media_type = item.mediaType;
    switch (mediaType(media_type)?.addedBy) {
      case 'note':
        return { media_type, notebook_ext_info: { notebook_id: item.contentId } };
      case 'web':
        return { media_type, url_info: { url: item.contentId, headers: {} } };
      case 'file': {
        const url = await linkTo(context, item);
        return url === undefined ? { media_type } : { media_type, url_info: { url, headers: {} } };
      }
      default:
        return { media_type };
    }
  },
});

async function linkTo(context: Context, item: Item): Promise<string | undefined> {
  if (item.blobKey === '' || !(await context.blobs.head(item.blobKey))) return undefined;
  return context.signedUrls.sign(item.blobKey, {
    fileName: item.fileName === '' ? item.title : item.fileName,
    contentType: item.contentType,
    seconds: linkSeconds,
  });
}

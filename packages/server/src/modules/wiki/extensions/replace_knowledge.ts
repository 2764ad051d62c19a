import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { checkUploadedObject } from '../upload-checks.ts';
import { mediaType } from '../media-types.ts';
import { wikiLimits, writeAndNotify } from '../wiki-writes.ts';
import { isWellFormedId, requireItem, notVisibleError } from '../permissions.ts';
import { mediaId, password } from '../schema.ts';

export const replace_knowledge = operation({
  summary:
    'Replaces the file of an existing item, which keeps its id, title, folder and tags. Upload the new ' +
    'file with create_media first.\nExample: {"media_id":"media_...","new_media_id":"media_..."}',
  effect: 'write',
  input: {
    media_id: mediaId('Media id of the item to change; it must be a file.'),
    new_media_id: mediaId('From create_media, for the same knowledge base, uploaded.'),
    password: password().optional(),
  },
  output: { media_id: text('The item.') },
  async run(input, context) {
    const { item, base } = await requireItem(context, input.media_id, 'edit');
    if (mediaType(item.mediaType)?.addedBy !== 'file')
      throw fail(
        'invalid_parameter',
        `media_id: the item is a ${mediaType(item.mediaType)?.name ?? 'thing'}, not a file`,
      );
    const upload = isWellFormedId(input.new_media_id)
      ? await context.wiki.uploads.upload(input.new_media_id)
      : undefined;
    if (!upload || upload.userId !== context.caller.userId || upload.baseId !== base.id)
      throw notVisibleError('new_media_id', 'upload', input.new_media_id);
    const contentType = (await checkUploadedObject(context, upload, upload.kind)) ?? upload.contentType;
    const sealed = input.password ? context.sealer.seal(input.password) : '';
    return writeAndNotify(
      context,
      { base: base.id, target: item.id },
      () =>
        context.wiki.items.replaceItem(context.stamp, item.id, { ...upload, contentType }, sealed, wikiLimits(context)),
      () => ({ media_id: item.id }),
    );
  },
});

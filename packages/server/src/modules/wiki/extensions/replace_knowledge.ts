import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Upload } from '../../../ports/wiki-store.ts';
import { discardSent, receiveFile } from '../receive-file.ts';
import { checkUploadedObject } from '../upload-checks.ts';
import { mediaType } from '../media-types.ts';
import { refuseBlocked, wikiLimits, writeAndNotify } from '../wiki-writes.ts';
import { isWellFormedId, requireItem, notVisibleError } from '../permissions.ts';
import { mediaId, password } from '../schema.ts';

export const replace_knowledge = operation({
  summary:
    'Replaces the file of an existing item, which keeps its id, title, folder and tags. Upload the new ' +
    'file with create_media first, or one of any kind with manage.pre_import; file_id takes a spreadsheet, whose changes the item then follows.\n' +
    'Example: {"media_id":"media_...","new_media_id":"media_..."}',
  effect: 'write',
  input: {
    media_id: mediaId('Media id of the item to change; it must be a file.'),
    new_media_id: mediaId('From create_media, for the same knowledge base, uploaded.').optional(),
    file_key: text('From manage.pre_import, instead of new_media_id.', { min: 1, max: 200 }).optional(),
    file_id: text('A spreadsheet, as an .xlsx file, instead.', { min: 1, max: 80 }).optional(),
    file_name: text('Name of the new file; that of the old one if omitted.', { min: 1, max: 1024 }).optional(),
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
    if ([input.new_media_id, input.file_key, input.file_id].filter((one) => one !== undefined).length !== 1)
      throw fail('invalid_parameter', 'new_media_id: send exactly one of new_media_id, file_key and file_id');
    refuseBlocked(context, 'file_name', input.file_name ?? '');
    const { upload, filed } =
      input.new_media_id === undefined
        ? await receiveFile(context, base.id, {
            file_name: input.file_name ?? item.fileName,
            file_key: input.file_key,
            file_id: input.file_id,
          })
        : { upload: await ownUpload(context, base.id, input.new_media_id), filed: undefined };
    const sealed = input.password ? context.sealer.seal(input.password) : '';
    const answer = await writeAndNotify(
      context,
      { base: base.id, target: item.id },
      () => context.wiki.items.replaceItem(context.stamp, item.id, upload, sealed, wikiLimits(context), filed),
      () => ({ media_id: item.id }),
    );
    await discardSent(context, input);
    return answer;
  },
});

async function ownUpload(context: Context, base: string, id: string): Promise<Upload> {
  const upload = isWellFormedId(id) ? await context.wiki.uploads.upload(id) : undefined;
  if (!upload || upload.userId !== context.caller.userId || upload.baseId !== base)
    throw notVisibleError('new_media_id', 'upload', id);
  const contentType = (await checkUploadedObject(context, upload, upload.kind)) ?? upload.contentType;
  return { ...upload, contentType };
}

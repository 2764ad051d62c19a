import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { fail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { discardSent, receiveFile } from '../receive-file.ts';
import { findDuplicateFiles, duplicateFile } from '../duplicate-files.ts';
import { wikiLimits, refuseBlocked, writeAndNotify } from '../wiki-writes.ts';
import { requireBase, resolveFolder } from '../permissions.ts';
import { baseId, contentType, duplicateStrategy, folderId, password } from '../schema.ts';

export const upload_knowledge = operation({
  summary:
    'Uploads a file of any kind to a knowledge base: text as it is, other bytes as base64 (up to 8 MB) or by ' +
    'manage.pre_import (up to 64 MB). What cannot be read is found by its name.\nExample: ' +
    '{"knowledge_base_id":"kb_...","file_name":"hello.md","text":"# Hello"}',
  effect: 'write',
  input: {
    knowledge_base_id: baseId('Where to add.'),
    folder_id: folderId().optional(),
    file_name: text('Its extension determines the type.', { min: 1, max: 1024 }),
    text: text('Contents of a text file, as UTF-8.', { min: 1 }).optional(),
    content: text('Contents as base64.', { min: 1 }).optional(),
    file_id: text('A spreadsheet, as .xlsx, kept up to date.', { min: 1, max: 80 }).optional(),
    keep_fresh: flag('Whether the copy of a spreadsheet follows its changes. Default: true.')
      .meta({ 'x-unlisted': true })
      .optional(),
    file_key: text('From manage.pre_import, instead of content.', { min: 1, max: 200 }).optional(),
    content_type: text('MIME type.', { max: 256 }).meta({ 'x-unlisted': true }).optional(),
    title: text('Title of the item; the file name if omitted.', { max: 1024 }).optional(),
    password: password().optional(),
    duplicate_name_strategy: duplicateStrategy().optional(),
  },
  output: {
    media_id: text("The item's media id."),
    media_type: integer('Type of the item; for formats that the type table lacks, the nearest one.'),
    content_type: contentType(),
    url: text('Address of the item.'),
    already_here_as: list(
      'Files with the same content that were there before; absent if none.',
      duplicateFile,
    ).optional(),
  },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    const folder = await resolveFolder(context, base, input.folder_id);
    const title = input.title || input.file_name;
    refuseBlocked(context, 'title', title);
    refuseBlocked(context, 'file_name', input.file_name);
    if (input.keep_fresh !== undefined && input.file_id === undefined)
      throw fail('invalid_parameter', 'keep_fresh: is for copies of spreadsheets; send it with file_id');
    const received = await receiveFile(context, base.id, input);
    const { mediaId: id, ...upload } = received.upload;
    const filed = input.keep_fresh === false ? undefined : received.filed;
    const item = {
      ...upload,
      id,
      folderId: folder,
      title,
      state: 'queued' as const,
      contentId: filed?.id ?? '',
      filedVersion: filed?.version ?? 0,
      lastModifyTime: 0,
      sealedPassword: input.password ? context.sealer.seal(input.password) : '',
    };
    const same = await findDuplicateFiles(context, upload);
    const answer = await writeAndNotify(
      context,
      { base: base.id, target: id },
      () =>
        context.wiki.items.addItem(
          context.stamp,
          item,
          input.duplicate_name_strategy ?? 'keep_both',
          wikiLimits(context),
        ),
      () => ({
        media_id: id,
        media_type: item.mediaType,
        content_type: item.contentType,
        url: `${context.publicUrl.url}/wiki/${base.id}/item/${id}`,
        ...(same.length > 0 ? { already_here_as: same } : {}),
      }),
    );
    await discardSent(context, input);
    return answer;
  },
});

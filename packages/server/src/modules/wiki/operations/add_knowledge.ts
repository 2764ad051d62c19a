import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { newId } from '../../../lib/ids.ts';
import { fail } from '../../../kernel/errors.ts';
import { integer, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { formatValue } from '../../../kernel/parse-input.ts';
import { mediaNumber } from '@sheaf/client/media-types';
import { FetchRefused } from '../../../ports/web-fetcher.ts';
import type { MemberBase, NewItem } from '../../../ports/wiki-store.ts';
import { checkUploadedObject, refuseTooLarge, withoutFile } from '../upload-checks.ts';
import { classifyFetchRefusal, describeFetchRefusal } from '../fetch-errors.ts';
import { mediaType, recognizeAs, type MediaType } from '../media-types.ts';
import { wikiLimits, refuseBlocked, writeAndNotify } from '../wiki-writes.ts';
import {
  requireBase,
  resolveFolder,
  isWellFormedId,
  requireOwnNote,
  requireOwnSession,
  notVisibleError,
} from '../permissions.ts';
import { baseId, contentInfo, duplicateStrategy, folderId, mediaTypeField, password, title } from '../schema.ts';
import { pageType, refuseUnimportable } from '../web-page-urls.ts';

const fileInfo = z.object({
  cos_key: text('cos_key of create_media.', { min: 1, max: 1024 }),
  file_size: integer('Bytes, as in create_media.', { min: 0 }),
  last_modify_time: integer('Unix seconds.').optional(),
  password: password().optional(),
  file_name: text("The file's name.", { max: 1024 }),
});

const input = z.object({
  media_type: mediaTypeField(),
  media_id: text('From create_media; required for files.', { max: 256 }).optional(),
  title: title('Title of the item.'),
  knowledge_base_id: baseId('Where to add.'),
  folder_id: folderId().optional(),
  note_info: contentInfo('For notes (type 11).', 'The id of a note of yours.').optional(),
  web_info: contentInfo('For web pages (types 2 and 6).', "The page's URL.").optional(),
  session_info: contentInfo('For AI sessions (type 12).', 'The id of a session of yours.').optional(),
  file_info: fileInfo.meta({ description: 'For files: what was uploaded.' }).optional(),
  duplicate_name_strategy: duplicateStrategy().optional(),
});

type Input = z.output<typeof input>;

const probeMs = 5_000;

export const add_knowledge = operation({
  summary:
    "Adds an uploaded file, a web page, or the caller's note or AI session to a knowledge base. Text is " +
    'extracted afterwards: get_knowledge_state. For several pages use import_urls.\nExample: ' +
    '{"media_type":11,"title":"Plan","knowledge_base_id":"kb_...","note_info":{"content_id":"note_..."}}',
  effect: 'write',
  idempotent: true,
  input,
  output: { media_id: text("The item's media id.") },
  async run(given, context) {
    const base = await requireBase(context, given.knowledge_base_id, 'edit');
    const folder = await resolveFolder(context, base, given.folder_id);
    refuseBlocked(context, 'title', given.title);
    const type = mediaType(given.media_type)!;
    const item = await newItem(context, given, type, base, folder);
    const duplicates = given.duplicate_name_strategy ?? 'keep_both';
    return writeAndNotify(
      context,
      { base: base.id, target: item.id },
      () => context.wiki.items.addItem(context.stamp, item, duplicates, wikiLimits(context)),
      (added) => ({ media_id: added.id }),
    );
  },
});

async function newItem(
  context: Context,
  given: Input,
  type: MediaType,
  base: MemberBase,
  folder: string,
): Promise<NewItem> {
  const common = {
    ...withoutFile,
    baseId: base.id,
    folderId: folder,
    userId: context.caller.userId,
    mediaType: type.number,
    title: given.title,
    kind: null,
  };
  switch (type.addedBy) {
    case 'file':
      return { ...common, ...(await uploaded(context, given, type, base)), state: 'queued' };
    case 'web': {
      const url = required(given.web_info?.content_id, 'web_info', type);
      refuseUnimportable(context.config, url);
      const real = pageType(context.config, url);
      if (type.number === mediaNumber.article && real !== mediaNumber.article)
        throw fail(
          'invalid_parameter',
          `web_info.content_id: ${formatValue(url)} is not the address of an official-account article; use media_type 2`,
        );
      await refuseUnreadable(context, url);
      return { ...common, id: newId('media'), mediaType: real, contentId: url, kind: 'html', state: 'queued' };
    }
    case 'note': {
      const id = required(given.note_info?.content_id, 'note_info', type);
      await requireOwnNote(context, id, 'note_info.content_id');
      return { ...common, id: newId('media'), contentId: id, state: 'ready' };
    }
    case 'session': {
      const id = required(given.session_info?.content_id, 'session_info', type);
      await requireOwnSession(context, id, 'session_info.content_id');
      return { ...common, id: newId('media'), contentId: id, state: 'ready' };
    }
    case 'never':
      throw fail('invalid_parameter', 'media_type: video pages (16) cannot be added through this interface');
  }
}

/**
 * Throws if the web page cannot be imported. A URL whose server is temporarily unreachable is accepted, because the
 * import job retries.
 */
async function refuseUnreadable(context: Context, url: string): Promise<void> {
  try {
    const { finalUrl } = await context.web.probe(url, { timeoutMs: probeMs, signal: context.signal });
    refuseUnimportable(context.config, finalUrl);
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    const verdict = classifyFetchRefusal(error.why);
    if (verdict === 'unreachable') return;
    throw fail(
      verdict === 'refused' ? 'page_refused' : 'invalid_parameter',
      `web_info.content_id: ${formatValue(url)}: ${describeFetchRefusal(error.why)}`,
    );
  }
}

function required(value: string | undefined, field: string, type: MediaType): string {
  if (value === undefined)
    throw fail('invalid_parameter', `${field}: is required for media_type ${type.number} (${type.name})`);
  return value;
}

/**
 * Checks that the caller uploaded the file for this knowledge base. Returns the file fields for the new item, or those
 * of the existing item if the upload was already added.
 */
async function uploaded(
  context: Context,
  given: Input,
  type: MediaType,
  base: MemberBase,
): Promise<
  Pick<
    NewItem,
    'id' | 'fileName' | 'contentType' | 'fileSize' | 'blobKey' | 'kind' | 'lastModifyTime' | 'sealedPassword'
  >
> {
  const id = required(given.media_id, 'media_id', type);
  const file = given.file_info;
  if (!file) throw fail('invalid_parameter', `file_info: is required for media_type ${type.number} (${type.name})`);
  const upload = isWellFormedId(id) ? await context.wiki.uploads.upload(id) : undefined;
  const { userId } = context.caller;
  if (!upload) {
    const before = isWellFormedId(id) ? await context.wiki.items.item(id) : undefined;
    if (
      !before ||
      before.deletedAt !== null ||
      before.baseId !== base.id ||
      before.userId !== userId ||
      before.blobKey !== file.cos_key
    )
      throw notVisibleError('media_id', 'upload', id);
    return { ...before, sealedPassword: '' };
  }
  if (upload.userId !== userId || upload.baseId !== base.id) throw notVisibleError('media_id', 'upload', id);
  if (upload.blobKey !== file.cos_key) throw notVisibleError('file_info.cos_key', 'upload', file.cos_key);
  if (upload.fileSize !== file.file_size)
    throw fail(
      'invalid_parameter',
      `file_info.file_size: must be the ${upload.fileSize} bytes declared in create_media (got ${file.file_size})`,
    );
  const recognized = recognizeAs(type.number, upload.contentType, upload.fileExt);
  if (!recognized)
    throw fail(
      'invalid_parameter',
      `media_type: the file was declared as ${upload.contentType} (.${upload.fileExt}), which is type ${upload.mediaType}, not ${type.number} (${type.name})`,
    );
  refuseTooLarge(type, upload.fileSize, 'file_info.file_size');
  refuseBlocked(context, 'file_info.file_name', file.file_name);
  const found = await checkUploadedObject(context, upload, recognized.kind);
  return {
    id,
    fileName: file.file_name === '' ? upload.fileName : file.file_name,
    contentType: found ?? upload.contentType,
    fileSize: upload.fileSize,
    blobKey: upload.blobKey,
    kind: recognized.kind,
    lastModifyTime: file.last_modify_time ?? 0,
    sealedPassword: file.password ? context.sealer.seal(file.password) : '',
  };
}

import { z } from 'zod';
import { decodeCursor, type CursorPart } from '../lib/cursor.ts';
import { fail } from '../operation/errors.ts';
import { flag, integer, integerEnum, list, oneOf, text } from '../operation/fields.ts';
import { show } from '../operation/parse.ts';
import type { PublicAddress } from '../lib/public-address.ts';
import type { Folder, Item, MemberBase } from '../ports/wiki-store.ts';
import { coverOf } from './cover.ts';
import { folderType, mediaTypeNumbers } from './media-types.ts';
import { longestTitle } from './model.ts';

export const baseId = (description = 'The knowledge base.') => text(description, { min: 1, max: 256 });
export const folderId = (description = "Folder; the root when omitted, empty or the knowledge base's id.") =>
  text(description, { max: 256 });
export const mediaId = (description = "The item's media id.") => text(description, { min: 1, max: 256 });
export const nodeIds = () =>
  list(
    'Media ids of items and ids of folders; a folder takes all that is in it along.',
    text('An item or a folder.', { min: 1, max: 256 }),
    { min: 1, max: 100 },
  );
export const title = (description: string) => text(description, { min: 1, max: longestTitle });
export const mediaTypeField = () =>
  integerEnum(
    'What it is: 1 PDF, 2 web page, 3 Word, 4 PPT, 5 Excel, 6 article, 7 Markdown, 9 image, 11 note, 12 ' +
      'AI session, 13 TXT, 14 Xmind, 15 audio, 16 video page (cannot be added), 20 HTML.',
    mediaTypeNumbers,
  );
export const isEnd = () => flag('Whether this was the last page.');
export const nextCursor = () => text('For the next page; empty after the last.');
export const role = () =>
  oneOf('owner: everything; editor: adds and changes what is in it; viewer: reads.', ['owner', 'editor', 'viewer']);
export const state = () =>
  oneOf('queued and parsing: its text is not there yet; ready; failed: see reason.', [
    'queued',
    'parsing',
    'ready',
    'failed',
  ]);
export const password = () =>
  text('Password of an encrypted file. Kept encrypted, and only until the file is parsed.', { max: 1024 });
export const duplicateStrategy = () =>
  oneOf(
    'When the folder has a file of that title: keep_both (default), replace (the other goes to the trash), reject.',
    ['keep_both', 'replace', 'reject'],
  );

export const contentInfo = (description: string, of: string) =>
  z.object({ content_id: text(of, { min: 1, max: 8192 }) }).meta({ description });

export const knowledgeBaseInfo = z.object({
  id: text("The knowledge base's id, also that of its root folder."),
  name: text('Its name.'),
  cover_url: text('Address of its cover picture; of one made from its name where none was given.'),
  description: text('What it is about.'),
  recommended_questions: list('Questions to start with.', text('A question.')),
  role_type: role(),
  content_count: integer('Items in it, in all folders.'),
  member_count: integer('How many people can see it.'),
});

export function toBaseInfo(base: MemberBase, address: PublicAddress): z.input<typeof knowledgeBaseInfo> {
  return {
    id: base.id,
    name: base.name,
    cover_url: coverOf(base, address),
    description: base.description,
    recommended_questions: base.questions,
    role_type: base.role,
    content_count: base.itemCount,
    member_count: base.memberCount,
  };
}

export const folderInfo = z.object({
  folder_id: text("The folder's id."),
  name: text('Its name.'),
  file_number: integer('Items directly in it.'),
  folder_number: integer('Folders directly in it.'),
  parent_folder_id: text('The folder it is in; empty for the root.'),
  is_top: flag('Whether it is pinned.'),
});

export function toFolderInfo(folder: Folder): z.input<typeof folderInfo> {
  return {
    folder_id: folder.id,
    name: folder.name,
    file_number: folder.fileNumber,
    folder_number: folder.folderNumber,
    parent_folder_id: folder.parentId,
    is_top: folder.isTop,
  };
}

export function rootInfo(base: MemberBase): z.input<typeof folderInfo> {
  return {
    folder_id: base.id,
    name: base.name,
    file_number: base.fileNumber,
    folder_number: base.folderNumber,
    parent_folder_id: '',
    is_top: false,
  };
}

/** Items and folders in one list: a folder has folder fields and type 99, an item media fields. */
export const knowledgeEntry = z.object({
  media_id: text("The item's media id; absent for a folder.").optional(),
  title: text('Title of the item, name of the folder.'),
  parent_folder_id: text("The folder it is in; the knowledge base's id for the root."),
  media_type: integer('What it is; 99 for a folder.'),
  create_time: integer('Unix milliseconds.'),
  update_time: integer('Unix milliseconds.'),
  file_size: integer('Bytes; absent for a folder.').optional(),
  state: state().optional(),
  reason: text('Why it failed.').optional(),
  tags: list('Its tags.', text('A tag.')).optional(),
  folder_id: text("The folder's id; absent for an item.").optional(),
  name: text("The folder's name.").optional(),
  file_number: integer('Items directly in the folder.').optional(),
  folder_number: integer('Folders directly in the folder.').optional(),
  is_top: flag('Whether the folder is pinned.').optional(),
  folder_info: folderInfo
    .meta({ description: "The folder's fields once more, for clients that look for them here; absent for an item." })
    .optional(),
});

export function toItemEntry(item: Item, tags: readonly string[]): z.input<typeof knowledgeEntry> {
  return {
    media_id: item.id,
    title: item.title,
    parent_folder_id: item.folderId,
    media_type: item.mediaType,
    create_time: item.createdAt,
    update_time: item.modifiedAt,
    file_size: item.fileSize,
    state: item.state,
    ...(item.state === 'failed' ? { reason: item.reason } : {}),
    tags: [...tags],
  };
}

export function toFolderEntry(folder: Folder): z.input<typeof knowledgeEntry> {
  const info = toFolderInfo(folder);
  return {
    ...info,
    folder_info: info,
    title: folder.name,
    media_type: folderType,
    create_time: folder.createdAt,
    update_time: folder.modifiedAt,
  };
}

/** The parts of a cursor, or a refusal; undefined for the first page. */
export function readCursor(scope: string, cursor: string): CursorPart[] | undefined {
  if (cursor === '') return undefined;
  const parts = decodeCursor(scope, cursor);
  if (!parts)
    throw fail('invalid_parameter', `cursor: must be "" or the next_cursor of the same list (got ${show(cursor)})`);
  return parts;
}

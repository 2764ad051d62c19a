import { z } from 'zod';
import type { Services } from '../../context.ts';
import { flag, integer, integerEnum, list, oneOf, text } from '../../kernel/field-schemas.ts';
import type { PublicUrl } from '../../lib/public-url.ts';
import { mediaNumber } from '@sheaf/client/media-types';
import type { AiSession, Folder, Item, MemberBase } from '../../ports/wiki-store.ts';
import { coverUrlField, coverUrlOf } from './cover-url.ts';
import { mediaTypeNumbers } from './media-types.ts';
import { maxTitleLength, refuseBlocked } from './wiki-writes.ts';

export const baseId = (description = 'The knowledge base.') => text(description, { min: 1, max: 256 });
export const folderId = (description = 'Folder; the root if omitted.') => text(description, { max: 256 });
export const mediaId = (description = "The item's media id.") => text(description, { min: 1, max: 256 });
export const nodeIds = () =>
  list(
    'Ids of items and folders; a folder includes its contents.',
    text('An item or a folder.', { min: 1, max: 256 }),
    { min: 1, max: 100 },
  );
export const title = (description: string) => {
  const field = text(description, { min: 1, max: maxTitleLength });
  // Refuse a title that consists of invisible characters only. Lone surrogates count as visible, because they are
  // displayed as replacement characters.
  return field
    .refine((value) => /[^\s\p{Cf}\p{Cc}]/u.test(value), { error: 'must contain a character that can be seen' })
    .meta(field.meta() ?? {});
};
export const mediaTypeField = () =>
  integerEnum(
    '1 PDF, 2 web page, 3 Word, 4 PPT, 5 Excel, 6 article, 7 Markdown, 9 image, 11 note, 12 AI session, 13 ' +
      'TXT, 14 Xmind, 15 audio, 16 video page (refused), 20 HTML.',
    mediaTypeNumbers,
  );
export const contentType = () => text('Content type of the file, as its bytes and name show it.');
export const role = () =>
  oneOf('Role: "owner" can do everything, "editor" adds and changes contents, "viewer" reads.', [
    'owner',
    'editor',
    'viewer',
  ]);
export const state = () =>
  oneOf('State: "ready" once searches find its text; until then "queued" or "parsing"; for "failed" see reason.', [
    'queued',
    'parsing',
    'ready',
    'failed',
  ]);
export const password = () => text('Password of an encrypted file; kept encrypted until parsed.', { max: 1024 });
export const duplicateStrategy = () =>
  oneOf('If the folder has that title: keep_both (default), replace (the old file goes to the trash) or reject.', [
    'keep_both',
    'replace',
    'reject',
  ]);

export const contentInfo = (description: string, of: string) =>
  z.object({ content_id: text(of, { min: 1, max: 8192 }) }).meta({ description });

export const knowledgeBaseInfo = z.object({
  id: text('Id of the knowledge base and of its root folder.'),
  name: text('Its name.'),
  cover_url: text('Address of the cover picture; one generated from the name if none was set.'),
  description: text('Description.'),
  recommended_questions: list('Recommended questions.', text('A question.')),
  role_type: role(),
  content_count: integer('Number of items, across all folders.'),
  member_count: integer('Number of members.'),
  search_by_meaning: flag('False if its items are never sent to the embedding endpoint; absent otherwise.').optional(),
});

export function toBaseInfo(base: MemberBase, address: PublicUrl): z.input<typeof knowledgeBaseInfo> {
  return {
    id: base.id,
    name: base.name,
    cover_url: coverUrlOf(base, address),
    description: base.description,
    recommended_questions: base.questions,
    role_type: base.role,
    content_count: base.itemCount,
    member_count: base.memberCount,
    ...(base.byMeaning ? {} : { search_by_meaning: false }),
  };
}

export const folderInfo = z.object({
  folder_id: text("The folder's id."),
  name: text('Its name.'),
  file_number: integer('Number of items directly in it.'),
  folder_number: integer('Number of folders directly in it.'),
  parent_folder_id: text('Parent folder; empty for the root.'),
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

/**
 * Schema of an entry in a list of items and folders. The optional fields before `folder_id` exist only for items, those
 * from `folder_id` on only for folders. A folder has the media type 99.
 */
export const knowledgeEntry = z.object({
  media_id: text("The item's media id; absent for a folder.").optional(),
  title: text('Title of the item, name of the folder.'),
  parent_folder_id: text("Parent folder; the knowledge base's id for the root."),
  media_type: integer('Media type; 99 for a folder.'),
  create_time: integer('Unix milliseconds.'),
  update_time: integer('Unix milliseconds.'),
  file_size: integer('Size in bytes; absent for a folder.').optional(),
  state: state().optional(),
  reason: text('Reason for the failure, or why the text is empty or incomplete.').optional(),
  tags: list('Its tags.', text('A tag.')).optional(),
  folder_id: text("The folder's id; absent for an item.").optional(),
  name: text("The folder's name.").optional(),
  file_number: integer('Number of items directly in the folder.').optional(),
  folder_number: integer('Number of folders directly in the folder.').optional(),
  is_top: flag('Whether the folder is pinned.').optional(),
  folder_info: folderInfo
    .meta({ description: "The folder's fields repeated, for clients that expect them here; absent for an item." })
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
    ...(item.reason === '' ? {} : { reason: item.reason }),
    tags: [...tags],
  };
}

export function toFolderEntry(folder: Folder): z.input<typeof knowledgeEntry> {
  const info = toFolderInfo(folder);
  return {
    ...info,
    folder_info: info,
    title: folder.name,
    media_type: mediaNumber.folder,
    create_time: folder.createdAt,
    update_time: folder.modifiedAt,
  };
}

export const baseFields = {
  name: title('Its name.'),
  description: text('Description.', { max: 5000 }).optional(),
  cover_url: coverUrlField('Address of a cover picture; if empty, one is generated from the name.').optional(),
  recommended_questions: list('Recommended questions, at most 3.', text('A question.', { min: 1, max: 1000 }), {
    max: 3,
  }).optional(),
};

export function refuseBlockedWords(
  services: Pick<Services, 'config'>,
  given: { name?: string; description?: string; recommended_questions?: string[] },
): void {
  refuseBlocked(services, 'name', given.name ?? '');
  refuseBlocked(services, 'description', given.description ?? '');
  for (const question of given.recommended_questions ?? []) refuseBlocked(services, 'recommended_questions', question);
}

export const sessionId = () => text('The session.', { min: 1, max: 256 });
const speaker = () => oneOf('Role of the speaker.', ['user', 'assistant', 'system', 'tool']);

export const messages = (min: number) =>
  list(
    'Messages in order, at most 200 per call.',
    z.object({ role: speaker(), content: text('Text of the message.', { max: 100_000 }) }),
    { min, max: 200 },
  );

export const messageInfo = z.object({
  role: speaker(),
  content: text('Text of the message.'),
  create_time: integer('Unix milliseconds.'),
});

export const sessionInfo = z.object({
  session_id: text('The session.'),
  title: text('Its title.'),
  message_number: integer('Number of messages.'),
  create_time: integer('Unix milliseconds.'),
  update_time: integer('Unix milliseconds.'),
});

export function toSessionInfo(session: AiSession): z.input<typeof sessionInfo> {
  return {
    session_id: session.id,
    title: session.title,
    message_number: session.messageCount,
    create_time: session.createdAt,
    update_time: session.modifiedAt,
  };
}

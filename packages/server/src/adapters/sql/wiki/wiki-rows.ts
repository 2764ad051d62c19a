import type { FormatKind } from '@sheaf/files';
import { unescapeText } from '../../../lib/escaped-text.ts';
import { rowMapper, type Row } from '../row.ts';
import { baseRoleOf } from '../permissions/grants.ts';
import { mediaNumber } from '@sheaf/client/media-types';
import type { KnowledgeBase, Folder, Item, ItemState, MemberBase, Upload } from '../../../ports/wiki-store.ts';

/**
 * SQL condition for knowledge base items that refer to a note or AI session instead of having a file. It equals the
 * condition of the partial index word for word, so that the database uses that index.
 */
export const isReferenceSql = `media_type IN (${mediaNumber.note}, ${mediaNumber.session})`;

export type BaseRow = Row<KnowledgeBase> & { created_by: string; last_place: number; deleted_at: number | null };

export type FolderRow = Row<Folder> & { trash_id: string };

export type ItemRow = Row<Omit<Item, 'blobKey' | 'isSealed'>> & {
  is_file: number;
  title_hash: number;
  cos_key: string;
  sealed_password: string;
  trash_id: string;
};

export type UploadRow = Row<Omit<Upload, 'blobKey'>> & { cos_key: string };

function toBase(row: BaseRow): KnowledgeBase {
  return {
    id: row.id,
    name: unescapeText(row.name),
    description: unescapeText(row.description),
    coverUrl: unescapeText(row.cover_url),
    questions: JSON.parse(row.questions) as string[],
    isPersonal: row.is_personal === 1,
    itemCount: row.item_count,
    memberCount: row.member_count,
    byMeaning: row.by_meaning === 1,
    fileNumber: row.file_number,
    folderNumber: row.folder_number,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

export function toMemberBase(row: BaseRow & { level: number; member_id: string }): MemberBase {
  return {
    ...toBase(row),
    isPersonal: row.is_personal === 1 && row.created_by === row.member_id,
    role: baseRoleOf(row.level),
  };
}

export function toFolder(row: FolderRow): Folder {
  return {
    id: row.id,
    baseId: row.base_id,
    parentId: row.parent_id,
    name: unescapeText(row.name),
    isTop: row.is_top === 1,
    fileNumber: row.file_number,
    folderNumber: row.folder_number,
    place: row.place,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    deletedAt: row.deleted_at,
  };
}

export function toItem(row: ItemRow): Item {
  return {
    id: row.id,
    baseId: row.base_id,
    folderId: row.folder_id,
    userId: row.user_id,
    mediaType: row.media_type,
    title: unescapeText(row.title),
    state: row.state as ItemState,
    reason: unescapeText(row.reason),
    kind: row.kind as FormatKind | null,
    fileName: unescapeText(row.file_name),
    contentType: row.content_type,
    fileSize: row.file_size,
    blobKey: row.cos_key,
    contentId: unescapeText(row.content_id),
    filedVersion: row.filed_version,
    lastModifyTime: row.last_modify_time,
    isSealed: row.sealed_password !== '',
    version: row.version,
    place: row.place,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    deletedAt: row.deleted_at,
  };
}

export const toUpload = rowMapper<Upload>()(
  'media_id, user_id, base_id, content_type, media_type, kind, file_size, created_at, expires_at',
  {
    blobKey: (row: UploadRow) => row.cos_key,
    fileName: (row: UploadRow) => unescapeText(row.file_name),
    fileExt: (row: UploadRow) => unescapeText(row.file_ext),
  },
);

/**
 * Matches texts that Unicode normalization to NFC never changes: all characters are Latin, Han, or precomposed kana and
 * Hangul.
 */
const alwaysComposed = /^[ -\u02ff\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** Returns the text in NFC. Testing the characters first is much cheaper than calling `normalize`. */
export function toNfc(text: string): string {
  return alwaysComposed.test(text) ? text : text.normalize('NFC');
}

/**
 * Returns a 53-bit hash of the title in NFC. Different titles may have the same hash, so callers must also compare the
 * titles.
 */
export function titleHash(title: string): number {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  const text = toNfc(title);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (b >>> 15) ^ code, 0x2c1b3c6d);
  }
  return (a >>> 0) * 2 ** 21 + (b >>> 11);
}

export function sameTitle(stored: string, title: string): boolean {
  return toNfc(unescapeText(stored)) === toNfc(title);
}

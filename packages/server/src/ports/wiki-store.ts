import type { KeepOptions } from './kept-objects.ts';
import type { Outline } from '@sheaf/search/passages/passages';
import type { FormatKind } from '@sheaf/files';
import { Refused } from './refused.ts';
import type { Stamp } from './stamp.ts';

export type BaseRole = 'owner' | 'editor' | 'viewer';

export interface Base {
  id: string;
  name: string;
  description: string;
  coverUrl: string;
  questions: string[];
  /** The member's own first base, which cannot be deleted. */
  isPersonal: boolean;
  /** Items in it, in all folders. */
  itemCount: number;
  memberCount: number;
  /** Whether its items may be sent to be found by meaning, where that is configured. */
  byMeaning: boolean;
  /** Direct children of the root. */
  fileNumber: number;
  folderNumber: number;
  createdAt: number;
  modifiedAt: number;
}

/** A base as one of its members sees it. */
export interface MemberBase extends Base {
  role: BaseRole;
}

export interface Member {
  userId: string;
  userName: string;
  role: BaseRole;
  addedAt: number;
}

export interface Folder {
  id: string;
  baseId: string;
  /** The base's id for those at the root. */
  parentId: string;
  name: string;
  isTop: boolean;
  /** Direct children. */
  fileNumber: number;
  folderNumber: number;
  /** Its place in the order of adding, within the base. */
  place: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export type ItemState = 'queued' | 'parsing' | 'ready' | 'failed';

export interface Item {
  /** The media id. */
  id: string;
  baseId: string;
  /** The base's id for those at the root. */
  folderId: string;
  /** Who added it, and whose quota it counts against. */
  userId: string;
  mediaType: number;
  title: string;
  state: ItemState;
  /** Why it failed, or why its text is empty or incomplete, for a person; '' otherwise. */
  reason: string;
  /** How the bytes are decoded; null for what has no bytes (notes, sessions). Pages are `html`. */
  kind: FormatKind | null;
  fileName: string;
  contentType: string;
  /** Bytes; 0 while unknown. */
  fileSize: number;
  /** Where the bytes are in the blob store; '' when there are none (yet). */
  blobKey: string;
  /** The URL of a page, the id of a note or session; '' for uploads. */
  contentId: string;
  /** Unix seconds, as the client gave it; 0 = not given. */
  lastModifyTime: number;
  /** Whether a password to open it with is kept, until it is read. */
  isSealed: boolean;
  /** Grows whenever the bytes or the text are replaced. */
  version: number;
  place: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export interface ItemText {
  /** The title found in the content; '' when there is none. */
  title: string;
  /** One a line. */
  headings: string;
  body: string;
  /** Where in the body headings (with their level) and pages begin; absent in texts kept before there were passages. */
  outline?: Outline;
  /** What the decoder learned: pages, duration, author, cover... as JSON-able data. */
  meta: Record<string, unknown>;
  /** Why the text is empty or incomplete: becomes the item's reason. */
  remark?: string | undefined;
}

/** A promise to accept one upload; made by create_media, used up by add_knowledge. */
export interface Upload {
  mediaId: string;
  userId: string;
  baseId: string;
  blobKey: string;
  fileName: string;
  fileExt: string;
  contentType: string;
  mediaType: number;
  kind: FormatKind;
  fileSize: number;
  createdAt: number;
  /** Unix milliseconds. */
  expiresAt: number;
}

/** An item to add. `jobs` of kind `wiki.parse` with subject = the item's id are added in the same transaction when its state is queued. */
export interface NewItem {
  id: string;
  baseId: string;
  folderId: string;
  userId: string;
  mediaType: number;
  title: string;
  state: 'queued' | 'ready';
  kind: FormatKind | null;
  fileName: string;
  contentType: string;
  fileSize: number;
  blobKey: string;
  contentId: string;
  lastModifyTime: number;
  /** Already sealed (see Sealer); '' = none. Kept only until the item is parsed. */
  sealedPassword: string;
}

export type DuplicateStrategy = 'keep_both' | 'replace' | 'reject';

export interface Session {
  id: string;
  userId: string;
  title: string;
  messageCount: number;
  createdAt: number;
  modifiedAt: number;
}

export interface SessionMessage {
  number: number;
  role: string;
  content: string;
  at: number;
}

export type WikiRefusal =
  | { reason: 'no_base' }
  | { reason: 'no_item' | 'no_folder' | 'no_session'; id: string }
  /** Not in the base that was named. */
  | { reason: 'no_folder_in_base' | 'no_node_in_base'; id: string }
  | { reason: 'no_space'; bytes: number; used: number; quota: number }
  | { reason: 'title_taken'; title: string }
  | { reason: 'folder_name_taken'; name: string }
  | { reason: 'too_many_tags'; id: string; count: number; limit: number }
  | { reason: 'too_many_messages'; count: number; limit: number }
  | { reason: 'too_many_copies'; limit: number }
  | { reason: 'too_deep'; levels: number; limit: number }
  | { reason: 'cycle' | 'last_owner' | 'personal' }
  | { reason: 'foreign_note'; id: string };

/** The store did nothing. */
export class WikiRefused extends Refused<WikiRefusal> {}

/** Where a list of a folder goes on: 0 pinned folders, 1 folders, 2 items; the place of the last entry given. */
export interface ListPlace {
  group: 0 | 1 | 2;
  place: number;
}

/** Where a list of a trash goes on. */
export interface TrashPlace {
  deletedAt: number;
  id: string;
}

export interface WikiLimits {
  quotaBytes: number;
}

export interface NewBase {
  id: string;
  userId: string;
  name: string;
  description: string;
  coverUrl: string;
  questions: string[];
  isPersonal: boolean;
}

/** Bases and who may use them. */
export interface BaseStore {
  createBase(stamp: Stamp, base: NewBase): Promise<MemberBase>;
  /** The user's own base, made when there is none yet. */
  ensurePersonal(stamp: Stamp, base: NewBase): Promise<void>;
  hasPersonal(userId: string): Promise<boolean>;
  /** Undefined when there is no such base, it is deleted, or the user is no member. */
  base(id: string, userId: string): Promise<MemberBase | undefined>;
  bases(ids: readonly string[], userId: string): Promise<MemberBase[]>;
  /** All the user is a member of: the personal one, then the newest first. */
  basesOf(userId: string): Promise<MemberBase[]>;
  updateBase(
    stamp: Stamp,
    id: string,
    change: { name?: string; description?: string; coverUrl?: string; questions?: string[]; byMeaning?: boolean },
  ): Promise<void>;
  /** Those of the bases whose items may not be sent to be found by meaning. */
  notByMeaning(ids: readonly string[]): Promise<Set<string>>;
  /** For good: nobody sees it any more, its items are forgotten by the housekeeping. */
  deleteBase(stamp: Stamp, id: string): Promise<void>;
  members(baseId: string): Promise<Member[]>;
  setMember(stamp: Stamp, baseId: string, userId: string, role: BaseRole): Promise<void>;
  removeMember(stamp: Stamp, baseId: string, userId: string): Promise<boolean>;
}

/** Folders and the tree. A folder or item id that is not in the base named is not found. */
export interface TreeStore {
  createFolder(stamp: Stamp, folder: { id: string; baseId: string; parentId: string; name: string }): Promise<Folder>;
  /** Whatever its state. */
  folder(id: string): Promise<Folder | undefined>;
  folders(ids: readonly string[]): Promise<Folder[]>;
  /** From just below the root to the folder itself; empty for the root. */
  path(baseId: string, folderId: string): Promise<Folder[]>;
  list(
    baseId: string,
    folderId: string,
    after: ListPlace | undefined,
    limit: number,
  ): Promise<{ folders: Folder[]; items: Item[] }>;
  renameFolder(stamp: Stamp, id: string, name: string): Promise<void>;
  setFolderTop(stamp: Stamp, id: string, isTop: boolean): Promise<void>;
  /** Items and folders with all that is in them, all or none. */
  move(
    stamp: Stamp,
    move: { ids: readonly string[]; fromBaseId: string; toBaseId: string; toFolderId: string; userId: string },
  ): Promise<number>;
  copy(
    stamp: Stamp,
    copy: { ids: readonly string[]; fromBaseId: string; toBaseId: string; toFolderId: string; userId: string },
    limits: WikiLimits,
  ): Promise<Map<string, string>>;
  /** To the trash, with all that is in them, all or none; their jobs are canceled. */
  trash(stamp: Stamp, baseId: string, ids: readonly string[]): Promise<number>;
  /** What is in no folder any more comes back at the root. */
  restore(stamp: Stamp, baseId: string, ids: readonly string[]): Promise<number>;
  /** What was deleted by itself, the latest first, after one of them. */
  listTrash(baseId: string, after: TrashPlace | undefined, limit: number): Promise<(Folder | Item)[]>;
  /** Forgets what was deleted before a time and what was in deleted bases; the bytes become garbage. */
  purge(stamp: Stamp, before: number, limit: number): Promise<number>;
}

export interface ItemStore {
  /** Uses up the upload of that id, if there is one. An item of that id that is there already is returned as it is. */
  addItem(stamp: Stamp, item: NewItem, strategy: DuplicateStrategy, limits: WikiLimits): Promise<Item>;
  /** Several at once, all or none. */
  addItems(stamp: Stamp, items: readonly NewItem[], limits: WikiLimits): Promise<Item[]>;
  /** Whatever its state. */
  item(id: string): Promise<Item | undefined>;
  items(ids: readonly string[]): Promise<Item[]>;
  /** Every item of a base that is not deleted, by id, after an id. */
  itemsOfBase(baseId: string, after: string, limit: number): Promise<Item[]>;
  foldersOfBase(baseId: string, after: string, limit: number): Promise<Folder[]>;
  /** Which of the titles (NFC) are those of file items in the folder. */
  takenTitles(folderId: string, titles: readonly string[]): Promise<Set<string>>;
  renameItem(stamp: Stamp, id: string, title: string): Promise<void>;
  /** Puts other bytes into an item: state queued, a new version, a parse job. The bytes before become garbage; the upload is used up. */
  replaceItem(stamp: Stamp, id: string, upload: Upload, sealedPassword: string, limits: WikiLimits): Promise<Item>;
  /** Reads a failed item once more: state queued, a new version, a parse job. One that is not failed is given as it is. */
  retryItem(stamp: Stamp, id: string, sealedPassword: string): Promise<Item>;
  tags(ids: readonly string[]): Promise<Map<string, string[]>>;
  addTags(stamp: Stamp, ids: readonly string[], tags: readonly string[]): Promise<void>;
  removeTags(stamp: Stamp, ids: readonly string[], tags: readonly string[]): Promise<void>;
  /** Whether the user is a member of a base that holds the note. */
  noteSharedWith(noteId: string, userId: string): Promise<boolean>;
  /** Lists the items of these notes as changed for the search index. */
  notesChanged(noteIds: readonly string[]): Promise<void>;
  /** Of everything that is not deleted (items and folders), for building the search index anew. */
  allIds(): AsyncIterable<string>;
}

/** What the parsing of an item writes. Each is a no-op that answers false when the item is deleted or `version` is no longer its version. */
export interface TextStore {
  setParsing(id: string, version: number): Promise<boolean>;
  /** State ready, with the text's remark as the reason; the sealed password is forgotten; the search index is told. */
  saveText(stamp: Stamp, id: string, version: number, text: ItemText): Promise<boolean>;
  /** State failed with a reason; the sealed password is forgotten. */
  failItem(stamp: Stamp, id: string, version: number, reason: string): Promise<boolean>;
  /** What was fetched by URL: its bytes and, when the link was to a file, its type. Counts against the quota. */
  attachFile(
    stamp: Stamp,
    id: string,
    version: number,
    file: {
      blobKey: string;
      fileSize: number;
      contentType: string;
      fileName: string;
      mediaType: number;
      kind: FormatKind;
    },
    limits: WikiLimits,
  ): Promise<boolean>;
  /** A better title than the one an imported page began with. */
  retitle(stamp: Stamp, id: string, version: number, title: string): Promise<boolean>;
  /** Of these items, those that searches do not find by their text yet, because it is not indexed. */
  notFoundYet(ids: readonly string[]): Promise<Set<string>>;
  text(id: string): Promise<ItemText | undefined>;
  texts(ids: readonly string[]): Promise<Map<string, ItemText>>;
  /** '' when there is none or the item is parsed. */
  sealedPassword(id: string): Promise<string>;
}

/** How the bytes of an upload are counted with it: the field that a refusal names, and the quota of users without their own. */
export type Counting = Pick<KeepOptions, 'field' | 'quotaBytes'>;

export interface UploadStore {
  /**
   * Without a stamp where it is a step of a larger write. Where told, its bytes are counted in the same write, under a key
   * that was never kept; throws StorageFull.
   */
  createUpload(stamp: Stamp | null, upload: Upload, counting?: Counting): Promise<void>;
  upload(mediaId: string): Promise<Upload | undefined>;
  uploadByKey(blobKey: string): Promise<Upload | undefined>;
  /** Forgets those that ran out before a time and were never used; their bytes become garbage. */
  expire(before: number, limit: number): Promise<number>;
  /** The bytes are of no use, now or after a time: noted durably, deleted from the blob store by the housekeeping. */
  discard(blobKey: string, after?: number): Promise<void>;
  /** Keys to delete from the blob store now; those that something refers to (a copy) are left out and forgotten. */
  garbage(now: number, limit: number): Promise<string[]>;
  /** The bytes are deleted: they no longer count for anybody. */
  forgetGarbage(blobKey: string): Promise<void>;
  /** Whether the bytes belonged to items all of which are deleted: nobody may read them any more, even while they are still there. */
  isWithdrawn(blobKey: string): Promise<boolean>;
  /** Bytes the user stores, and may store. */
  storage(userId: string, defaultQuota: number): Promise<{ used: number; quota: number }>;
}

export interface SessionStore {
  createSession(
    stamp: Stamp,
    session: { id: string; userId: string; title: string; messages: readonly Omit<SessionMessage, 'number' | 'at'>[] },
    limits: WikiLimits,
  ): Promise<Session>;
  appendSession(
    stamp: Stamp,
    userId: string,
    id: string,
    messages: readonly Omit<SessionMessage, 'number' | 'at'>[],
    limits: WikiLimits,
  ): Promise<Session>;
  session(id: string): Promise<Session | undefined>;
  sessions(ids: readonly string[]): Promise<Session[]>;
  /** All messages of these sessions, in their order. */
  messagesOf(ids: readonly string[]): Promise<Map<string, SessionMessage[]>>;
  messages(id: string, after: number, limit: number): Promise<SessionMessage[]>;
  deleteSession(stamp: Stamp, userId: string, id: string): Promise<boolean>;
}

/**
 * Knowledge bases. Guarantees: a write is durable when its promise resolves and is whole or not at all; writes to one
 * base happen one after the other; an item and its parse job are one write; what is deleted never comes back by
 * itself; every change tells the search index in the same transaction. Refusals are WikiRefused.
 */
export interface WikiStore {
  readonly bases: BaseStore;
  readonly tree: TreeStore;
  readonly items: ItemStore;
  readonly texts: TextStore;
  readonly uploads: UploadStore;
  readonly sessions: SessionStore;
}

/** The kind of job that parses an item; its subject is the item's id, its payload `{ version }`. */
export const parseJob = 'wiki.parse';

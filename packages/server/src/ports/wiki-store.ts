import type { BlobAccountingOptions } from './blob-accounting.ts';
import type { Outline } from '@sheaf/search/passages/split-passages';
import type { FormatKind } from '@sheaf/files';
import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

export type BaseRole = 'owner' | 'editor' | 'viewer';

export interface KnowledgeBase {
  id: string;
  name: string;
  description: string;
  coverUrl: string;
  questions: string[];
  /**
   * Whether this is a personal knowledge base, which cannot be deleted. In a `MemberBase`, true only if it is the
   * user's own.
   */
  isPersonal: boolean;
  itemCount: number;
  memberCount: number;
  /**
   * Whether semantic search is enabled. If so, texts of items may be sent to the embedding endpoint, if one is
   * configured.
   */
  byMeaning: boolean;
  /** Numbers of items (`fileNumber`) and folders directly in the root, not counting the contents of folders. */
  fileNumber: number;
  folderNumber: number;
  createdAt: number;
  modifiedAt: number;
}

export interface MemberBase extends KnowledgeBase {
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
  /** Id of the parent folder. For a folder at the root, it is the id of the knowledge base. */
  parentId: string;
  name: string;
  isTop: boolean;
  /**
   * Numbers of items (`fileNumber`) and folders directly in this folder, not counting the contents of its subfolders.
   */
  fileNumber: number;
  folderNumber: number;
  /**
   * Sequence number by which listings are sorted. The folders and items of a knowledge base get increasing numbers as
   * they are added.
   */
  place: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export type ItemState = 'queued' | 'parsing' | 'ready' | 'failed';

export interface Item {
  /** Id of the item, which the API calls `media_id`. */
  id: string;
  baseId: string;
  /** Id of the item's folder. For an item at the root, it is the id of the knowledge base. */
  folderId: string;
  /** User who added the item and whose quota is charged for its bytes. */
  userId: string;
  mediaType: number;
  title: string;
  state: ItemState;
  /** Reason why parsing failed or why the text is empty or incomplete, shown to the user; '' otherwise. */
  reason: string;
  /**
   * Format of the file; null for items without a file, such as notes and AI sessions. Web pages have the format `html`.
   */
  kind: FormatKind | null;
  fileName: string;
  contentType: string;
  /** Size of the item's file in bytes; 0 while unknown. */
  fileSize: number;
  /** Key of the item's file in the blob store; '' if the item has no file (yet). */
  blobKey: string;
  /**
   * Origin of the content: the URL of a web page, the id of a note or AI session, the id of the mail that had the file
   * as an attachment, or the id of the spreadsheet that the file is a copy of. '' for uploaded files.
   */
  contentId: string;
  /**
   * Version of the spreadsheet that the file is a copy of, or 0 if the file is no such copy. The copy is replaced when
   * the spreadsheet changes.
   */
  filedVersion: number;
  /** Modification time of the file in Unix seconds, as given by the client; 0 if not given. */
  lastModifyTime: number;
  /** Whether an encrypted password of the file is stored. The password is deleted once the file is parsed. */
  isSealed: boolean;
  /**
   * Number that increases when the file is replaced or parsing is retried. It lets the store ignore results of an
   * earlier parse job.
   */
  version: number;
  place: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export interface ItemText {
  /** Title found in the item's content; '' if there is none. */
  title: string;
  /** Headings of the text, one per line. */
  headings: string;
  body: string;
  /**
   * Positions in the body at which headings (with their level) and pages begin. Undefined for texts that were stored by
   * older versions of the server.
   */
  outline?: Outline;
  /** Metadata from the decoder, such as pages, duration, author and cover. It can be serialized as JSON. */
  meta: Record<string, unknown>;
  /** Reason why the text is empty or incomplete. It becomes the item's `reason`. */
  remark?: string | undefined;
}

/** A spreadsheet and one of its versions. A knowledge base item holds a copy of that version as a file. */
export interface FiledSheet {
  id: string;
  version: number;
}

/**
 * Permission to upload one file. The operation create_media creates it, and add_knowledge consumes it when it adds the
 * uploaded file as an item.
 */
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
  /** Expiry of the upload permission in Unix milliseconds. */
  expiresAt: number;
}

/** An item to add. For an item in state `queued`, the store also adds a parse job in the same transaction. */
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
  /** Version of the spreadsheet of which the file is a copy, as in `Item`. Default: 0, which means no copy. */
  filedVersion?: number;
  lastModifyTime: number;
  /** Password of the file, encrypted by a `Sealer`; '' if the file has none. It is deleted once the item is parsed. */
  sealedPassword: string;
}

export type DuplicateStrategy = 'keep_both' | 'replace' | 'reject';

export interface AiSession {
  id: string;
  userId: string;
  title: string;
  messageCount: number;
  createdAt: number;
  modifiedAt: number;
}

export interface AiSessionMessage {
  number: number;
  role: string;
  content: string;
  at: number;
}

export type WikiRefusal =
  | { reason: 'no_base' }
  | { reason: 'no_item' | 'no_folder' | 'no_session'; id: string }
  /**
   * The knowledge base that the call names contains no folder (or, for `no_node_in_base`, no folder or item) with this
   * id.
   */
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

/** Thrown when the store refuses a write; nothing was written. */
export class WikiRefused extends RefusalError<WikiRefusal> {}

/**
 * Position in a folder listing at which the next page continues: that of the last returned entry. `group` is 0 for
 * pinned folders, 1 for other folders and 2 for items; `place` is the entry's sequence number.
 */
export interface ListPosition {
  group: 0 | 1 | 2;
  place: number;
}

export interface TrashPosition {
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

/** Stores knowledge bases and their members. */
export interface BaseStore {
  createBase(stamp: Stamp, base: NewBase): Promise<MemberBase>;
  ensurePersonal(stamp: Stamp, base: NewBase): Promise<void>;
  hasPersonal(userId: string): Promise<boolean>;
  /**
   * Returns the knowledge base with the user's role. Returns undefined if it does not exist or is deleted, or if the
   * user has no access to it, neither as a member nor by sharing.
   */
  base(id: string, userId: string): Promise<MemberBase | undefined>;
  bases(ids: readonly string[], userId: string): Promise<MemberBase[]>;
  /**
   * Returns all knowledge bases to which the user has access, as a member or by sharing. The user's personal one comes
   * first, then the others from the newest to the oldest.
   */
  basesOf(userId: string): Promise<MemberBase[]>;
  updateBase(
    stamp: Stamp,
    id: string,
    change: { name?: string; description?: string; coverUrl?: string; questions?: string[]; byMeaning?: boolean },
  ): Promise<void>;
  /** Returns the ids of those of the given knowledge bases whose items may not be sent to the embedding endpoint. */
  basesWithoutEmbedding(ids: readonly string[]): Promise<Set<string>>;
  /** Deletes a knowledge base permanently. It is hidden at once; hourly maintenance deletes its items later. */
  deleteBase(stamp: Stamp, id: string): Promise<void>;
  members(baseId: string): Promise<Member[]>;
  setMember(stamp: Stamp, baseId: string, userId: string, role: BaseRole): Promise<void>;
  removeMember(stamp: Stamp, baseId: string, userId: string): Promise<boolean>;
}

/**
 * Stores the tree of folders and items. A write that names a knowledge base is refused if a given folder or item is not
 * in that knowledge base.
 */
export interface TreeStore {
  createFolder(stamp: Stamp, folder: { id: string; baseId: string; parentId: string; name: string }): Promise<Folder>;
  /** Returns a folder, even if it is in the trash; undefined if there is none. */
  folder(id: string): Promise<Folder | undefined>;
  folders(ids: readonly string[]): Promise<Folder[]>;
  /**
   * Returns the folders on the path from the root to the given folder, in this order. The root is left out and the
   * given folder is included. Returns an empty list for the root.
   */
  path(baseId: string, folderId: string): Promise<Folder[]>;
  list(
    baseId: string,
    folderId: string,
    after: ListPosition | undefined,
    limit: number,
  ): Promise<{ folders: Folder[]; items: Item[] }>;
  renameFolder(stamp: Stamp, id: string, name: string): Promise<void>;
  setFolderTop(stamp: Stamp, id: string, isTop: boolean): Promise<void>;
  /**
   * Moves items and folders with their contents. Moves none of them if one cannot be moved. Returns the number of moved
   * items and folders, not counting contents.
   */
  move(
    stamp: Stamp,
    move: { ids: readonly string[]; fromBaseId: string; toBaseId: string; toFolderId: string; userId: string },
  ): Promise<number>;
  copy(
    stamp: Stamp,
    copy: { ids: readonly string[]; fromBaseId: string; toBaseId: string; toFolderId: string; userId: string },
    limits: WikiLimits,
  ): Promise<Map<string, string>>;
  /**
   * Moves items and folders with their contents to the trash, in one transaction, and cancels their parse jobs. Returns
   * the number of moved items and folders, including contents.
   */
  trash(stamp: Stamp, baseId: string, ids: readonly string[]): Promise<number>;
  /**
   * Restores items and folders with their contents from the trash. If the original parent folder is deleted, restores
   * into the root. Returns the number of restored items and folders, including contents.
   */
  restore(stamp: Stamp, baseId: string, ids: readonly string[]): Promise<number>;
  /**
   * Lists the items and folders that were deleted themselves, not only as contents of a deleted folder. The last
   * deleted come first; `after` is the position of the previous page's last entry.
   */
  listTrash(baseId: string, after: TrashPosition | undefined, limit: number): Promise<(Folder | Item)[]>;
  /**
   * Permanently deletes items and folders that were moved to the trash before the time `before`, and the contents of
   * deleted knowledge bases. Queues their files' bytes for deletion. Deletes at most `limit` items and returns their
   * number.
   */
  purge(stamp: Stamp, before: number, limit: number): Promise<number>;
}

export interface ItemStore {
  /**
   * Adds an item and consumes the upload with the same id, if there is one. If the same user has already added an item
   * with this id to the knowledge base, returns that item unchanged.
   */
  addItem(stamp: Stamp, item: NewItem, strategy: DuplicateStrategy, limits: WikiLimits): Promise<Item>;
  /** Adds several items to one folder in one transaction. */
  addItems(stamp: Stamp, items: readonly NewItem[], limits: WikiLimits): Promise<Item[]>;
  /** Returns an item, even if it is in the trash; undefined if there is none. */
  item(id: string): Promise<Item | undefined>;
  items(ids: readonly string[]): Promise<Item[]>;
  /** Lists the items of a knowledge base that are not deleted, in id order, after the id `after`. */
  itemsOfBase(baseId: string, after: string, limit: number): Promise<Item[]>;
  /**
   * Lists files of these knowledge bases that have exactly this many bytes. They may be identical to an uploaded file.
   */
  filesOfSize(baseIds: readonly string[], bytes: number, limit: number): Promise<Item[]>;
  /**
   * Lists the files of these knowledge bases that have the same size as another of these files, to find duplicates. The
   * list is sorted by size, then by the time of adding.
   */
  filesOfEqualSize(baseIds: readonly string[], limit: number): Promise<Item[]>;
  foldersOfBase(baseId: string, after: string, limit: number): Promise<Folder[]>;
  /**
   * Returns those of the given titles that files in the folder already have. Titles are compared in Unicode form NFC.
   */
  takenTitles(folderId: string, titles: readonly string[]): Promise<Set<string>>;
  renameItem(stamp: Stamp, id: string, title: string): Promise<void>;
  /**
   * Replaces the item's bytes by those of an upload: sets its state to queued, raises its version, adds a parse job and
   * consumes the upload. Queues the old bytes for deletion. With `filed`, the new bytes are a copy of that spreadsheet.
   * Without `filed`, the item does not count as a copy of a spreadsheet.
   */
  replaceItem(
    stamp: Stamp,
    id: string,
    upload: Upload,
    sealedPassword: string,
    limits: WikiLimits,
    filed?: FiledSheet,
  ): Promise<Item>;
  /**
   * Replaces the copy of a spreadsheet in an item by a copy of a newer spreadsheet version, like `replaceItem`. Returns
   * false and changes nothing if the item is deleted or if `version` is not the item's current version.
   */
  refileItem(
    stamp: Stamp,
    id: string,
    version: number,
    upload: Upload,
    limits: WikiLimits,
    filed: FiledSheet,
  ): Promise<boolean>;
  /**
   * Adds jobs that update outdated copies of spreadsheets. Considers the given items, or all items that are copies of
   * the given spreadsheets.
   */
  queueOutdatedCopies(at: number, of: { items: readonly string[] } | { sheets: readonly string[] }): Promise<void>;
  /**
   * Parses a failed item again: sets its state to queued, raises its version and adds a parse job. Returns any other
   * item unchanged.
   */
  retryItem(stamp: Stamp, id: string, sealedPassword: string): Promise<Item>;
  tags(ids: readonly string[]): Promise<Map<string, string[]>>;
  addTags(stamp: Stamp, ids: readonly string[], tags: readonly string[]): Promise<void>;
  removeTags(stamp: Stamp, ids: readonly string[], tags: readonly string[]): Promise<void>;
  /** Returns whether the user has access to a knowledge base that contains the note as an item. */
  noteSharedWith(noteId: string, userId: string): Promise<boolean>;
  /**
   * Updates the search index after notes have changed: queues the knowledge base items that refer to these notes for
   * indexing.
   */
  queueItemsOfNotes(noteIds: readonly string[]): Promise<void>;
  /** Lists the ids of all items and folders that are not deleted, for rebuilding the search index. */
  allIds(): AsyncIterable<string>;
}

/**
 * Stores the texts that the parser extracts from items. Each write returns false and changes nothing if the item is
 * deleted or `version` is not the current version of the item.
 */
export interface TextStore {
  setParsing(id: string, version: number): Promise<boolean>;
  /**
   * Stores the text, sets the item's state to ready and the item's reason to the text's remark. Deletes the encrypted
   * password and queues the item for the search index.
   */
  saveText(stamp: Stamp, id: string, version: number, text: ItemText): Promise<boolean>;
  /** Sets the item's state to failed with a reason. Deletes the item's text and the encrypted password. */
  failItem(stamp: Stamp, id: string, version: number, reason: string): Promise<boolean>;
  /** Sets the reason why the text of an item is incomplete or out of date. The item keeps its text. */
  setReason(stamp: Stamp, id: string, version: number, reason: string): Promise<boolean>;
  /**
   * Makes a blob that is already in the blob store the item's file. The blob was downloaded from the item's URL. Its
   * size is charged to the quota of the user who added the item.
   */
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
  /**
   * Replaces the title of an imported web page, which is provisional until the page is fetched. Returns false and
   * changes nothing if the item was deleted or has another version.
   */
  retitle(stamp: Stamp, id: string, version: number, title: string): Promise<boolean>;
  /**
   * Returns the ids of those given items whose text is not in the search index yet. Items without a text are left out.
   */
  notYetIndexed(ids: readonly string[]): Promise<Set<string>>;
  text(id: string): Promise<ItemText | undefined>;
  texts(ids: readonly string[]): Promise<Map<string, ItemText>>;
  /** Returns the encrypted password of the item's file; '' if there is none or the item is already parsed. */
  sealedPassword(id: string): Promise<string>;
}

/**
 * Options for charging an upload to a quota: `field` is the request field that an error message names, and `quotaBytes`
 * the quota of users who have none of their own.
 */
export type UploadAccounting = Pick<BlobAccountingOptions, 'field' | 'quotaBytes'>;

export interface UploadStore {
  /**
   * Stores an upload. `stamp` is for the operation's row in the audit log; it is null if a later write of the same
   * operation adds that row. With `counting`, also charges the upload to the user's quota, and throws QuotaExceeded if
   * it does not fit.
   */
  createUpload(stamp: Stamp | null, upload: Upload, counting?: UploadAccounting): Promise<void>;
  upload(mediaId: string): Promise<Upload | undefined>;
  uploadByKey(blobKey: string): Promise<Upload | undefined>;
  /**
   * Deletes at most `limit` unused uploads that expired before the time `before`, and queues their bytes for deletion.
   * Returns the number of deleted uploads.
   */
  expire(before: number, limit: number): Promise<number>;
  /**
   * Queues a blob for deletion, at once or after the time `after`. Hourly maintenance then deletes it from the blob
   * store.
   */
  discard(blobKey: string, after?: number): Promise<void>;
  /**
   * Returns the keys of blobs to delete now. A queued blob that an item still uses, such as a copy of the deleted item,
   * is removed from the queue instead.
   */
  garbage(now: number, limit: number): Promise<string[]>;
  /**
   * Removes a blob from the deletion queue after its bytes were deleted. If a user's quota was charged for the blob
   * itself, that charge ends.
   */
  forgetGarbage(blobKey: string): Promise<void>;
  /**
   * Returns whether a blob must not be served although its bytes still exist: every item that refers to it is in the
   * trash, or no item refers to it and its bytes are about to be deleted.
   */
  isWithdrawn(blobKey: string): Promise<boolean>;
  /**
   * Returns the number of bytes that the user stores, and the user's quota in bytes. `defaultQuota` applies to users
   * without a quota of their own.
   */
  storage(userId: string, defaultQuota: number): Promise<{ used: number; quota: number }>;
}

export interface AiSessionStore {
  createSession(
    stamp: Stamp,
    session: {
      id: string;
      userId: string;
      title: string;
      messages: readonly Omit<AiSessionMessage, 'number' | 'at'>[];
    },
    limits: WikiLimits,
  ): Promise<AiSession>;
  appendSession(
    stamp: Stamp,
    userId: string,
    id: string,
    messages: readonly Omit<AiSessionMessage, 'number' | 'at'>[],
    limits: WikiLimits,
  ): Promise<AiSession>;
  session(id: string): Promise<AiSession | undefined>;
  sessions(ids: readonly string[]): Promise<AiSession[]>;
  /**
   * Returns the messages of several sessions. The keys of the map are session ids; the messages of each session are in
   * order.
   */
  messagesOf(ids: readonly string[]): Promise<Map<string, AiSessionMessage[]>>;
  messages(id: string, after: number, limit: number): Promise<AiSessionMessage[]>;
  deleteSession(stamp: Stamp, userId: string, id: string): Promise<boolean>;
}

/**
 * Stores knowledge bases. A write is atomic, and durable when its promise resolves. Conflicting writes to a knowledge
 * base run one after another. Every change that affects search is queued for the search index in the same transaction.
 * A refused write throws WikiRefused.
 */
export interface WikiStore {
  readonly bases: BaseStore;
  readonly tree: TreeStore;
  readonly items: ItemStore;
  readonly texts: TextStore;
  readonly uploads: UploadStore;
  readonly sessions: AiSessionStore;
}

/**
 * Kind of the jobs that parse an item. A job's `subject` is the item's id, and its `payload` is `{ version }` with the
 * item's version.
 */
export const parseJob = 'wiki.parse';
/** Kind of the jobs that parse large files. They are separate, so that small files do not wait for large ones. */
export const largeParseJob = 'wiki.parse_large';
/**
 * Kind of the jobs that update the copy of a spreadsheet in a knowledge base to the spreadsheet's newest version. A
 * job's `subject` is the id of the copy's item.
 */
export const refileJob = 'wiki.refile';

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
  /** Whether this is the user's personal knowledge base, which cannot be deleted. */
  isPersonal: boolean;
  itemCount: number;
  memberCount: number;
  /** Whether items may be sent to the embedding endpoint, if one is configured. */
  byMeaning: boolean;
  /** Number of items directly in the root. */
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
  /** Number of items directly in the folder. */
  fileNumber: number;
  folderNumber: number;
  /** Sequence number in the knowledge base: folders and items are numbered as they are added. */
  place: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export type ItemState = 'queued' | 'parsing' | 'ready' | 'failed';

export interface Item {
  /** Media id of the item. */
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
  /** Format of the file; null for items without bytes (notes, sessions). Web pages are `html`. */
  kind: FormatKind | null;
  fileName: string;
  contentType: string;
  /** Size in bytes; 0 while unknown. */
  fileSize: number;
  /** Key of the file's bytes in the blob store; '' if there are no bytes (yet). */
  blobKey: string;
  /**
   * URL of a page, id of a note or session, id of the mail that had the file as an attachment, or id of the spreadsheet
   * that the file is a copy of; '' for uploads.
   */
  contentId: string;
  /**
   * Version of the spreadsheet that the file is a copy of. The copy is replaced when the spreadsheet changes. 0 for all
   * other items.
   */
  filedVersion: number;
  /** Modification time in Unix seconds as given by the client; 0 if not given. */
  lastModifyTime: number;
  /** Whether an encrypted password of the file is stored. The password is deleted once the file is parsed. */
  isSealed: boolean;
  /** Number that increases whenever the bytes or the text are replaced. */
  version: number;
  place: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export interface ItemText {
  /** Title found in the content; '' if there is none. */
  title: string;
  /** Headings of the text, one per line. */
  headings: string;
  body: string;
  /**
   * Positions in the body at which headings (with their level) and pages begin. Undefined for texts that older versions
   * stored.
   */
  outline?: Outline;
  /** Metadata from the decoder, such as pages, duration, author and cover. It can be serialized as JSON. */
  meta: Record<string, unknown>;
  /** Reason why the text is empty or incomplete. It becomes the item's `reason`. */
  remark?: string | undefined;
}

/** A version of a spreadsheet of which a knowledge base item holds a copy. */
export interface FiledSheet {
  id: string;
  version: number;
}

/** Permission to upload one file: created by create_media, consumed by add_knowledge. */
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
  /** Expiry in Unix milliseconds. */
  expiresAt: number;
}

/** An item to add. For an item in state `queued`, a `wiki.parse` job is added in the same transaction. */
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
  /** Encrypted password of the file (see Sealer); '' if there is none. It is deleted once the item is parsed. */
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
  /** The id exists, but in another knowledge base than the one that the call names. */
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
 * Position in a folder listing: that of the last returned entry. `group` is 0 for pinned folders, 1 for other folders
 * and 2 for items; `place` is the entry's sequence number.
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
   * user is not a member.
   */
  base(id: string, userId: string): Promise<MemberBase | undefined>;
  bases(ids: readonly string[], userId: string): Promise<MemberBase[]>;
  /** Returns all knowledge bases of which the user is a member. The personal one comes first, then the newest ones. */
  basesOf(userId: string): Promise<MemberBase[]>;
  updateBase(
    stamp: Stamp,
    id: string,
    change: { name?: string; description?: string; coverUrl?: string; questions?: string[]; byMeaning?: boolean },
  ): Promise<void>;
  /** Returns the knowledge bases whose items may not be sent to the embedding endpoint. */
  basesWithoutEmbedding(ids: readonly string[]): Promise<Set<string>>;
  /** Deletes a knowledge base permanently. It is hidden at once; hourly maintenance deletes its items later. */
  deleteBase(stamp: Stamp, id: string): Promise<void>;
  members(baseId: string): Promise<Member[]>;
  setMember(stamp: Stamp, baseId: string, userId: string, role: BaseRole): Promise<void>;
  removeMember(stamp: Stamp, baseId: string, userId: string): Promise<boolean>;
}

/**
 * Stores the tree of folders and items. A folder or item in another knowledge base than the given one counts as not
 * found.
 */
export interface TreeStore {
  createFolder(stamp: Stamp, folder: { id: string; baseId: string; parentId: string; name: string }): Promise<Folder>;
  /** Returns a folder, even if it is deleted; undefined if there is none. */
  folder(id: string): Promise<Folder | undefined>;
  folders(ids: readonly string[]): Promise<Folder[]>;
  /** Returns the folders from just below the root to the folder itself; empty for the root. */
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
  /** Moves items and folders with their contents to the trash, in one transaction, and cancels their jobs. */
  trash(stamp: Stamp, baseId: string, ids: readonly string[]): Promise<number>;
  /**
   * Restores items and folders from the trash. They are restored to the root if their parent folder no longer exists.
   */
  restore(stamp: Stamp, baseId: string, ids: readonly string[]): Promise<number>;
  /**
   * Lists items and folders that were deleted on their own, not with a parent folder. The last deleted come first;
   * `after` is the position of the previous page's last entry.
   */
  listTrash(baseId: string, after: TrashPosition | undefined, limit: number): Promise<(Folder | Item)[]>;
  /**
   * Permanently deletes items and folders that were moved to the trash before a time, and the contents of deleted
   * knowledge bases. Queues their files' bytes for deletion.
   */
  purge(stamp: Stamp, before: number, limit: number): Promise<number>;
}

export interface ItemStore {
  /**
   * Adds an item and consumes the upload with the same id, if there is one. Returns an existing item with this id
   * unchanged.
   */
  addItem(stamp: Stamp, item: NewItem, strategy: DuplicateStrategy, limits: WikiLimits): Promise<Item>;
  /** Adds several items in one transaction. */
  addItems(stamp: Stamp, items: readonly NewItem[], limits: WikiLimits): Promise<Item[]>;
  /** Returns an item, even if it is deleted; undefined if there is none. */
  item(id: string): Promise<Item | undefined>;
  items(ids: readonly string[]): Promise<Item[]>;
  /** Lists the items of a knowledge base that are not deleted, in id order, after the id `after`. */
  itemsOfBase(baseId: string, after: string, limit: number): Promise<Item[]>;
  /** Lists files of these knowledge bases that have exactly this many bytes. */
  filesOfSize(baseIds: readonly string[], bytes: number, limit: number): Promise<Item[]>;
  /**
   * Lists the files of these knowledge bases that have the same size as another of these files. The list is sorted by
   * size, then by the time of adding.
   */
  filesOfEqualSize(baseIds: readonly string[], limit: number): Promise<Item[]>;
  foldersOfBase(baseId: string, after: string, limit: number): Promise<Folder[]>;
  /** Returns which of the titles are already used by files in the folder. Titles are given in Unicode NFC. */
  takenTitles(folderId: string, titles: readonly string[]): Promise<Set<string>>;
  renameItem(stamp: Stamp, id: string, title: string): Promise<void>;
  /**
   * Replaces the item's bytes: sets its state to queued, raises its version, adds a parse job and consumes the upload.
   * Queues the old bytes for deletion. Records the item as a copy of the spreadsheet `filed`; without `filed`, it is no
   * longer a copy.
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
   * Replaces the copy of a spreadsheet by one of a newer version, like `replaceItem`. Returns false and changes nothing
   * if the item is deleted or `version` is not its current version.
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
  /** Returns whether the user is a member of a knowledge base that contains the note. */
  noteSharedWith(noteId: string, userId: string): Promise<boolean>;
  /** Queues the items that refer to these notes for the search index. */
  queueItemsOfNotes(noteIds: readonly string[]): Promise<void>;
  /** Lists the ids of all items and folders that are not deleted, for rebuilding the search index. */
  allIds(): AsyncIterable<string>;
}

/**
 * Stores the texts that the parser extracts from items. Each write returns false and changes nothing if the item is
 * deleted or `version` is not its current version.
 */
export interface TextStore {
  setParsing(id: string, version: number): Promise<boolean>;
  /**
   * Stores the text, sets the item's state to ready and the item's reason to the text's remark. Deletes the encrypted
   * password and queues the item for the search index.
   */
  saveText(stamp: Stamp, id: string, version: number, text: ItemText): Promise<boolean>;
  /** Sets the item's state to failed with a reason, and deletes the encrypted password. */
  failItem(stamp: Stamp, id: string, version: number, reason: string): Promise<boolean>;
  /** Sets the reason why the text of an item is incomplete or out of date. The item keeps its text. */
  setReason(stamp: Stamp, id: string, version: number, reason: string): Promise<boolean>;
  /**
   * Attaches a file that was fetched from the item's URL and is already in the blob store. Its bytes are charged to the
   * quota.
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
   * Replaces the provisional title of an imported page. Returns false and changes nothing if the item was deleted or
   * has another version.
   */
  retitle(stamp: Stamp, id: string, version: number, title: string): Promise<boolean>;
  /** Returns which of the items have a text that is not in the search index yet. */
  notYetIndexed(ids: readonly string[]): Promise<Set<string>>;
  text(id: string): Promise<ItemText | undefined>;
  texts(ids: readonly string[]): Promise<Map<string, ItemText>>;
  /** Returns the encrypted password of the item's file; '' if there is none or the item is already parsed. */
  sealedPassword(id: string): Promise<string>;
}

/** Options for charging an upload to a quota: the request field that an error names, and the default quota. */
export type UploadAccounting = Pick<BlobAccountingOptions, 'field' | 'quotaBytes'>;

export interface UploadStore {
  /**
   * Stores an upload. `stamp` is null if the operation makes another write, which then adds the audit row. With
   * `counting`, also charges the upload to the quota; throws QuotaExceeded if it does not fit.
   */
  createUpload(stamp: Stamp | null, upload: Upload, counting?: UploadAccounting): Promise<void>;
  upload(mediaId: string): Promise<Upload | undefined>;
  uploadByKey(blobKey: string): Promise<Upload | undefined>;
  /** Deletes unused uploads that expired before a time, and queues their bytes for deletion. Returns their number. */
  expire(before: number, limit: number): Promise<number>;
  /**
   * Queues a blob for deletion, at once or after the time `after`. Hourly maintenance then deletes it from the blob
   * store.
   */
  discard(blobKey: string, after?: number): Promise<void>;
  /**
   * Returns the keys of blobs to delete now. A blob to which a database row still refers, such as a copied item, is
   * removed from the queue instead.
   */
  garbage(now: number, limit: number): Promise<string[]>;
  /** Removes a deleted blob from the deletion queue. Its bytes are no longer charged to a quota. */
  forgetGarbage(blobKey: string): Promise<void>;
  /**
   * Returns whether all items that had these bytes are deleted. Such bytes must not be served, even if they still
   * exist.
   */
  isWithdrawn(blobKey: string): Promise<boolean>;
  /** Returns the number of bytes that the user stores, and the user's quota. */
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
  /** Returns all messages of these sessions in order, by session id. */
  messagesOf(ids: readonly string[]): Promise<Map<string, AiSessionMessage[]>>;
  messages(id: string, after: number, limit: number): Promise<AiSessionMessage[]>;
  deleteSession(stamp: Stamp, userId: string, id: string): Promise<boolean>;
}

/**
 * Stores knowledge bases. A write is atomic, and durable when its promise resolves. Writes to one knowledge base are
 * serialized. Every change is queued for the search index in the same transaction. A refused write throws WikiRefused.
 */
export interface WikiStore {
  readonly bases: BaseStore;
  readonly tree: TreeStore;
  readonly items: ItemStore;
  readonly texts: TextStore;
  readonly uploads: UploadStore;
  readonly sessions: AiSessionStore;
}

/** Kind of the jobs that parse an item. A job's `subject` is the item's id, and its `payload` is `{ version }`. */
export const parseJob = 'wiki.parse';
/** Kind of the job that parses a large file. */
export const largeParseJob = 'wiki.parse_large';
/**
 * Kind of the jobs that update the copy of a spreadsheet in a knowledge base to the spreadsheet's newest version. A
 * job's `subject` is the id of the copy's item.
 */
export const refileJob = 'wiki.refile';

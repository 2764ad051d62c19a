import { Refused } from './refused.ts';
import type { Stamp } from './stamp.ts';

export type DocumentRole = 'owner' | 'editor' | 'viewer';

export interface StoredDocument {
  id: string;
  title: string;
  ownerId: string;
  /** The number of the newest revision; 0 = none yet. */
  version: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
}

export interface Revision {
  version: number;
  userId: string;
  at: number;
  tool: string;
  /** Seed of what is random in formulas; with `at` it makes replay give the same values everywhere. */
  seed: number;
  /** Mutations as JSON. */
  mutations: string;
  /** What undoes them, as JSON. */
  inverse: string;
}

/** A revision and the call it comes from. */
export interface Appended {
  readonly stamp: Stamp;
  readonly revision: Revision;
}

export type RevisionSummary = Omit<Revision, 'mutations' | 'inverse' | 'seed'>;

/** Which revision a version is. After the database was put back, another one may get the same number. */
export type RevisionMark = Pick<Revision, 'version' | 'at' | 'seed'>;

/** The document is not at the revision that was to be followed: read what it has, apply again, retry. */
export class VersionTaken extends Error {
  constructor() {
    super('the document is not at the version that this revision follows');
    this.name = 'VersionTaken';
  }
}

/** The document has as many bytes as one may have. Nothing was written. */
export class DocumentFull extends Refused<{ reason: 'document_full'; bytes: number; limit: number }> {}

export interface StoredSnapshot {
  version: number;
  blobKey: string;
  size: number;
  sha256: string;
}

export interface DocumentFilter {
  userId: string;
  deleted?: boolean;
  /** Keyset: entries after this one in the order newest first. */
  after?: { modifiedAt: number; id: string };
  limit: number;
}

/**
 * Documents, their log and their snapshots. Guarantees: `append` is durable when it resolves; versions have no gaps and
 * no two revisions share one, whatever number of nodes write; what was appended is never changed. All that is kept of a
 * document counts against its owner's quota: `create`, `append` and `addImage` throw StorageFull, the first two DocumentFull.
 */
export interface SheetStore {
  /** With the snapshot that it begins with, whose object is stored already. */
  create(
    stamp: Stamp,
    document: { id: string; title: string; ownerId: string },
    revisions: readonly Revision[],
    snapshot?: StoredSnapshot,
  ): Promise<void>;
  /** With the role of that user, undefined when there is none. Deleted documents are found too. */
  find(id: string, userId: string): Promise<{ document: StoredDocument; role: DocumentRole | undefined } | undefined>;
  /** The same of several, in the order of the ids, with one question for all; those there are not are left out. */
  findAll(
    ids: readonly string[],
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined }[]>;
  /** The same for who is about to write: the role is as it is now, the document only where `isCurrent` says so. */
  access(
    id: string,
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined; isCurrent: boolean } | undefined>;
  /** The newest version. */
  version(id: string): Promise<number | undefined>;
  /** What the user owns or was given, newest change first. */
  list(filter: DocumentFilter): Promise<{ document: StoredDocument; role: DocumentRole }[]>;
  byIds(ids: readonly string[]): Promise<StoredDocument[]>;
  idsFor(userId: string): Promise<string[]>;
  allIds(): AsyncIterable<string>;
  rename(stamp: Stamp, id: string, title: string): Promise<void>;
  setDeleted(stamp: Stamp, id: string, deletedAt: number | null): Promise<void>;
  /** Forgets documents deleted before a time, with all their history. */
  purge(stamp: Stamp, before: number, limit: number): Promise<number>;

  /** role undefined takes the access away. The owner's role cannot be changed here. */
  share(stamp: Stamp, id: string, userId: string, role: Exclude<DocumentRole, 'owner'> | undefined): Promise<void>;
  /** Gives each of these users this role, all or none. */
  shareAll(stamp: Stamp, id: string, userIds: readonly string[], role: Exclude<DocumentRole, 'owner'>): Promise<void>;
  members(id: string): Promise<{ userId: string; role: DocumentRole }[]>;

  /**
   * Appends in order, all or none. The first must have the document's version + 1, and where `follows` is given the
   * document must be at that very revision; else VersionTaken. KeyTaken: the idempotency key of one of the stamps is taken.
   * Snapshots above the version it follows are of a history that is gone, and are discarded. Search reads
   * the document again some seconds later, or when one of those who changed it searches.
   */
  append(id: string, entries: readonly Appended[], follows?: RevisionMark): Promise<void>;
  /** Lists the document for search, although nobody has changed it. */
  reindex(id: string): Promise<void>;
  revisions(id: string, after: number, limit: number): Promise<Revision[]>;
  history(id: string, before: number, limit: number): Promise<RevisionSummary[]>;
  /** Of these versions, both included, those that with their inverse are at most so many characters long. */
  shortRevisions(
    id: string,
    from: number,
    to: number,
    maxLength: number,
  ): Promise<Pick<Revision, 'version' | 'mutations' | 'inverse'>[]>;

  /**
   * Always fits: without it a document only gets slower to open. False where the document has not got that version, or has
   * another revision there than `of`: then nothing is stored. An object that it takes the place of is discarded.
   */
  saveSnapshot(id: string, snapshot: StoredSnapshot, of?: RevisionMark): Promise<boolean>;
  /** Newest first, at most that version, and never above the document's own. */
  snapshots(id: string, atMost: number): Promise<StoredSnapshot[]>;
  /** Versions of stored snapshots that the document has not got: of a history that is gone. */
  snapshotsAhead(id: string): Promise<number[]>;
  /** Keeps the one of version 0: a copied or imported document begins with it, and its log alone does not. */
  dropSnapshots(id: string, before: number): Promise<string[]>;

  /** Images of a user, by reference. */
  addImage(stamp: Stamp, image: StoredImage): Promise<void>;
  image(id: string): Promise<StoredImage | undefined>;
}

export interface StoredImage {
  id: string;
  ownerId: string;
  blobKey: string;
  contentType: string;
  width: number;
  height: number;
  size: number;
}

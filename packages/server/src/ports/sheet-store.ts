import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';

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
  /** Seed for random functions in formulas; with `at`, a replay computes the same values on every node. */
  seed: number;
  /** Mutations as JSON. */
  mutations: string;
  /** The inverse mutations (undo), as JSON. */
  inverse: string;
}

/** A revision and the stamp of the call that made it. */
export interface AppendEntry {
  readonly stamp: Stamp;
  readonly revision: Revision;
}

export type RevisionSummary = Omit<Revision, 'mutations' | 'inverse' | 'seed'>;

/**
 * Identifies a revision. The version alone is not unique: after a restore from backup, another revision may get the
 * same number.
 */
export type RevisionId = Pick<Revision, 'version' | 'at' | 'seed'>;

/** Thrown when the document is not at the expected revision: reload the log, apply again, retry. */
export class VersionConflict extends Error {
  constructor() {
    super('the document is not at the version that this revision follows');
    this.name = 'VersionConflict';
  }
}

/** Thrown when the document would exceed its maximum size. Nothing was written. */
export class DocumentTooLarge extends RefusalError<{ reason: 'document_full'; bytes: number; limit: number }> {}

export interface StoredSnapshot {
  version: number;
  blobKey: string;
  size: number;
  sha256: string;
}

export interface DocumentFilter {
  userId: string;
  deleted?: boolean;
  /** Keyset pagination: entries after this one, newest first. */
  after?: { modifiedAt: number; id: string };
  limit: number;
}

/**
 * Documents, their revision log and their snapshots. Guarantees: `append` is durable when it resolves; versions have no
 * gaps or duplicates, however many nodes write; appended revisions never change. All stored data of a document counts
 * against its owner's quota: `create`, `append` and `addImage` throw QuotaExceeded; `create` and `append` also throw
 * DocumentTooLarge.
 */
export interface SheetStore {
  /** `snapshot` is the initial state; its blob must be stored already. */
  create(
    stamp: Stamp,
    document: { id: string; title: string; ownerId: string },
    revisions: readonly Revision[],
    snapshot?: StoredSnapshot,
  ): Promise<void>;
  /** The document with the user's role, undefined if none. Includes deleted documents. */
  find(id: string, userId: string): Promise<{ document: StoredDocument; role: DocumentRole | undefined } | undefined>;
  /** Like `find`, for several documents in one query and in the order of the ids; missing documents are left out. */
  findAll(
    ids: readonly string[],
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined }[]>;
  /**
   * Like `find`, for writers: the role is always current; the document may be cached and stale unless `isCurrent` is
   * true.
   */
  access(
    id: string,
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined; isCurrent: boolean } | undefined>;
  /** The newest version. */
  version(id: string): Promise<number | undefined>;
  /** Documents the user owns or has been given access to, last modified first. */
  list(filter: DocumentFilter): Promise<{ document: StoredDocument; role: DocumentRole }[]>;
  byIds(ids: readonly string[]): Promise<StoredDocument[]>;
  idsFor(userId: string): Promise<string[]>;
  allIds(): AsyncIterable<string>;
  rename(stamp: Stamp, id: string, title: string): Promise<void>;
  setDeleted(stamp: Stamp, id: string, deletedAt: number | null): Promise<void>;
  /** Deletes documents trashed before a time for good, with their history. */
  purge(stamp: Stamp, before: number, limit: number): Promise<number>;

  /** A role of undefined revokes access. The owner's role cannot be changed here. */
  share(stamp: Stamp, id: string, userId: string, role: Exclude<DocumentRole, 'owner'> | undefined): Promise<void>;
  /** Gives each of these users this role, all or none. */
  shareAll(stamp: Stamp, id: string, userIds: readonly string[], role: Exclude<DocumentRole, 'owner'>): Promise<void>;
  members(id: string): Promise<{ userId: string; role: DocumentRole }[]>;

  /**
   * Appends in order, all or none. The first revision must have the document's version + 1 and, if `follows` is given,
   * the document must be at exactly that revision; otherwise throws VersionConflict. Throws IdempotencyKeyConflict if an idempotency key
   * is taken. Discards snapshots above the followed version: they belong to a history that a restore has undone. The
   * search index is updated some seconds later, or when a user who changed the document searches.
   */
  append(id: string, entries: readonly AppendEntry[], follows?: RevisionId): Promise<void>;
  /** Queues an unchanged document for the search index. */
  reindex(id: string): Promise<void>;
  revisions(id: string, after: number, limit: number): Promise<Revision[]>;
  history(id: string, before: number, limit: number): Promise<RevisionSummary[]>;
  /** Revisions from `from` to `to` (inclusive) whose mutations and inverse together have at most `maxLength` characters. */
  shortRevisions(
    id: string,
    from: number,
    to: number,
    maxLength: number,
  ): Promise<Pick<Revision, 'version' | 'mutations' | 'inverse'>[]>;

  /**
   * Never throws QuotaExceeded: a missing snapshot only makes opening slower. Returns false and stores nothing if the
   * document has no such version, or a revision other than `of` at that version. A replaced snapshot's blob is
   * discarded.
   */
  saveSnapshot(id: string, snapshot: StoredSnapshot, of?: RevisionId): Promise<boolean>;
  /** Snapshots up to version `atMost` and the document's own version, newest first. */
  snapshots(id: string, atMost: number): Promise<StoredSnapshot[]>;
  /** Versions of snapshots above the document's version: they belong to a history that a restore has undone. */
  orphanedSnapshots(id: string): Promise<number[]>;
  /** Keeps the snapshot of version 0: it is the initial state of a copied or imported document, which its log lacks. */
  dropSnapshots(id: string, before: number): Promise<string[]>;

  /** Images that documents of the owner refer to by id. */
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

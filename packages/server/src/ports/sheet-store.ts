import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';
import type { DocumentLease } from './document-leases.ts';

export type DocumentRole = 'owner' | 'editor' | 'commenter' | 'viewer';

export interface StoredDocument {
  id: string;
  title: string;
  ownerId: string;
  /** Number of the newest revision; 0 if there is no revision. */
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
  /** Seed for random functions in formulas. With this seed and the time `at`, every node computes the same values. */
  seed: number;
  mutations: string;
  /** Inverse mutations as JSON, for undo. */
  inverse: string;
}

/** A revision and the stamp of the call that created it. */
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

/**
 * Thrown when the document is not at the expected revision. The caller must reload the log, apply its change again and
 * retry.
 */
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
  /** Position for keyset pagination: only documents after it are returned. The order is newest first. */
  after?: { modifiedAt: number; id: string };
  limit: number;
}

/**
 * Stores documents, their revision log and their snapshots. `append` is durable when it resolves. Versions have no gaps
 * or duplicates, even if several nodes write. Revisions never change. All stored data of a document is charged to its
 * owner's quota.
 */
export interface SheetStore {
  /** Creates a document. `snapshot` is its initial state, whose blob must be stored already. */
  create(
    stamp: Stamp,
    document: { id: string; title: string; ownerId: string },
    revisions: readonly Revision[],
    snapshot?: StoredSnapshot,
  ): Promise<void>;
  /**
   * Returns a document, even a deleted one, with the user's role; the role is undefined if the user has none. Returns
   * undefined if there is no document.
   */
  find(id: string, userId: string): Promise<{ document: StoredDocument; role: DocumentRole | undefined } | undefined>;
  /**
   * Returns several documents like `find`, in one query and in the order of the ids. Missing documents are left out.
   */
  findAll(
    ids: readonly string[],
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined }[]>;
  /**
   * Returns a document and the user's role, for writes. The role is always current. The document may be outdated if
   * `isCurrent` is false.
   */
  access(
    id: string,
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined; isCurrent: boolean } | undefined>;
  /** Returns the number of the newest revision, or undefined if there is no document. */
  version(id: string): Promise<number | undefined>;
  /** Lists documents that the user owns or that were shared with the user, last modified first. */
  list(filter: DocumentFilter): Promise<{ document: StoredDocument; role: DocumentRole }[]>;
  byIds(ids: readonly string[]): Promise<StoredDocument[]>;
  idsFor(userId: string): Promise<string[]>;
  allIds(): AsyncIterable<string>;
  rename(stamp: Stamp, id: string, title: string): Promise<void>;
  setDeleted(stamp: Stamp, id: string, deletedAt: number | null): Promise<void>;
  /**
   * Permanently deletes up to `limit` documents, with their history, that were moved to the trash before the time
   * `before`. Returns their number.
   */
  purge(stamp: Stamp, before: number, limit: number): Promise<number>;

  /** Sets a user's role; undefined revokes access. Cannot change the owner's role. */
  share(stamp: Stamp, id: string, userId: string, role: 'viewer' | 'editor' | undefined): Promise<void>;
  /** Gives all of these users this role, in one transaction. */
  shareAll(stamp: Stamp, id: string, userIds: readonly string[], role: 'viewer' | 'editor'): Promise<void>;
  members(id: string): Promise<{ userId: string; role: DocumentRole }[]>;

  /**
   * Appends revisions in order, in one transaction. Throws VersionConflict if the first revision is not the document's
   * version + 1, or if the document is not at the revision `follows`. Throws LeaseLost if another node holds the lease
   * now, and IdempotencyKeyConflict if an idempotency key was used before. Deletes snapshots above the version of
   * `follows`, because they belong to revisions that a restore removed.
   */
  append(id: string, entries: readonly AppendEntry[], follows?: RevisionId, lease?: DocumentLease): Promise<void>;
  /** Resolves when all appends that any node has started are committed or refused. */
  settle(id: string): Promise<void>;
  /**
   * Starts indexing the changed documents that were not edited in the last seconds. A document that is still being
   * edited is indexed about once a minute without this call. Called every few seconds.
   */
  indexSettled(): Promise<void>;
  /** Queues an unchanged document for the search index. */
  reindex(id: string): Promise<void>;
  revisions(id: string, after: number, limit: number): Promise<Revision[]>;
  history(id: string, before: number, limit: number): Promise<RevisionSummary[]>;
  /**
   * Returns the revisions with versions from `from` to `to` (inclusive). Omits each revision whose own mutations and
   * inverse mutations together have more than `maxLength` characters.
   */
  shortRevisions(
    id: string,
    from: number,
    to: number,
    maxLength: number,
  ): Promise<Pick<Revision, 'version' | 'mutations' | 'inverse'>[]>;

  /**
   * Stores a snapshot and deletes the blob of the snapshot that it replaces. Returns false and stores nothing if the
   * document has no such version, or if that version is not the revision `of`. Snapshots are stored even beyond the
   * quota, because documents open slowly without them.
   */
  saveSnapshot(id: string, snapshot: StoredSnapshot, of?: RevisionId): Promise<boolean>;
  /** Lists snapshots up to version `atMost` and up to the document's own version, newest first. */
  snapshots(id: string, atMost: number): Promise<StoredSnapshot[]>;
  /**
   * Returns the versions of snapshots above the document's version. They belong to revisions that a restore removed.
   */
  orphanedSnapshots(id: string): Promise<number[]>;
  /**
   * Deletes snapshots below the version `before` and returns their blob keys. Keeps version 0, because the revision log
   * does not contain the initial state of a copied or imported document.
   */
  dropSnapshots(id: string, before: number): Promise<string[]>;

  /** Stores an image. Documents of its owner refer to it by id. */
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

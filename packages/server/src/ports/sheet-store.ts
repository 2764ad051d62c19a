import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';
import type { DocumentLease } from './document-leases.ts';

export type DocumentRole = 'owner' | 'editor' | 'commenter' | 'viewer';

export interface StoredDocument {
  id: string;
  title: string;
  ownerId: string;
  /** Number of the document's newest revision (committed edit); 0 if there is none. */
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
  /** Mutations that reverse the revision, as JSON, for undo. */
  inverse: string;
}

/**
 * A revision to append, and the stamp of the call that created it (the caller, the time and the operation, for the
 * audit log).
 */
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
 * Stores spreadsheet documents, their revision logs and their snapshots (complete states at one version). `append` is
 * durable when it resolves. Versions have no gaps or duplicates, even if several nodes write. Revisions never change.
 * All stored data of a document is charged to its owner's quota.
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
   * Returns a document and the user's role, for calls that write; faster than `find`. The role is always current. If
   * `isCurrent` is false, the document may be outdated: another node may have changed it.
   */
  access(
    id: string,
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined; isCurrent: boolean } | undefined>;
  /** Returns the number of the newest revision, or undefined if there is no document. */
  version(id: string): Promise<number | undefined>;
  /**
   * Lists documents that the user owns or that were shared with the user, last modified first. With `filter.deleted`,
   * lists the user's own documents in the trash instead.
   */
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
  /** Gives all of these users the same role on the document, in one transaction. */
  shareAll(stamp: Stamp, id: string, userIds: readonly string[], role: 'viewer' | 'editor'): Promise<void>;
  members(id: string): Promise<{ userId: string; role: DocumentRole }[]>;

  /**
   * Appends revisions in order, in one transaction. Throws VersionConflict if the first revision is not the document's
   * version + 1, or if the document is not at the revision `follows`. Throws LeaseLost if another node has taken over
   * the lease (the right to edit the document), and IdempotencyKeyConflict if an idempotency key was used before. Also
   * deletes snapshots above the document's version, whose revisions were lost when the database was restored from a
   * backup.
   */
  append(id: string, entries: readonly AppendEntry[], follows?: RevisionId, lease?: DocumentLease): Promise<void>;
  /**
   * Resolves when all appends to the document that any node has started are committed or refused. A node calls it after
   * it has taken over the document from another one.
   */
  settle(id: string): Promise<void>;
  /**
   * Starts indexing the changed documents that were not edited in the last seconds. A document that is still being
   * edited is indexed about once a minute without this call. Called every few seconds.
   */
  indexSettled(): Promise<void>;
  /**
   * Queues a document for the search index without a change of the document. Needed after a restored backup, because
   * the index may contain edits that the database does not.
   */
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
   * Stores a snapshot. Replaces an earlier snapshot of the same version and deletes its blob. Returns false and stores
   * nothing if the document has not reached this version, or if its revision log does not contain the revision `of`.
   * Snapshots are stored even beyond the quota, because documents open slowly without them.
   */
  saveSnapshot(id: string, snapshot: StoredSnapshot, of?: RevisionId): Promise<boolean>;
  /** Lists snapshots up to version `atMost` and up to the document's own version, newest first. */
  snapshots(id: string, atMost: number): Promise<StoredSnapshot[]>;
  /**
   * Returns the versions of snapshots above the document's version. They belong to revisions that were lost when the
   * database was restored from a backup.
   */
  orphanedSnapshots(id: string): Promise<number[]>;
  /**
   * Deletes the entries of snapshots below the version `before` and returns their blob keys; the caller must delete the
   * blobs. Keeps the snapshot of version 0, because the revision log does not contain the initial state of a copied or
   * imported document.
   */
  dropSnapshots(id: string, before: number): Promise<string[]>;

  /**
   * Stores the record of an image and charges its size to the owner's quota. The image's blob must be stored already.
   * The owner can then insert the image into spreadsheets by its id. `stamp` is null if a later write of the same call
   * has the stamp.
   */
  addImage(stamp: Stamp | null, image: StoredImage, at: number): Promise<void>;
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

import { RefusalError } from './refusal-error.ts';
import type { Stamp } from './audit-stamp.ts';
import type { DocumentLease } from './document-leases.ts';

export type DocumentRole = 'owner' | 'editor' | 'commenter' | 'viewer';

export interface StoredDocument {
  id: string;
  title: string;
  ownerId: string;
  /** Number of the newest revision; 0 if there is none yet. */
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
  /**
   * Seed for random functions in formulas. With the same seed and the time `at`, a replay computes the same values on
   * every node.
   */
  seed: number;
  mutations: string;
  /** Inverse mutations as JSON, for undo. */
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
  /** Position for keyset pagination: only documents that follow it in the order, newest first, are returned. */
  after?: { modifiedAt: number; id: string };
  limit: number;
}

/**
 * Stores documents, their revision log and their snapshots. Guarantees: `append` is durable when it resolves; versions
 * have no gaps or duplicates, however many nodes write; appended revisions never change. All stored data of a document
 * is charged to its owner's quota: `create`, `append` and `addImage` throw QuotaExceeded; `create` and `append` also
 * throw DocumentTooLarge.
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
   * Returns a document, even if it is deleted, with the user's role; the role is undefined if the user has none.
   * Returns undefined if there is no document.
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
   * Returns a document like `find`, for writes. The role is always current, but the document may be outdated if
   * `isCurrent` is false.
   */
  access(
    id: string,
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined; isCurrent: boolean } | undefined>;
  /** Returns the number of the newest revision, or undefined if there is no document. */
  version(id: string): Promise<number | undefined>;
  /** Lists documents that the user owns or has been given access to, last modified first. */
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
  /** Gives each of these users this role, all or none. */
  shareAll(stamp: Stamp, id: string, userIds: readonly string[], role: 'viewer' | 'editor'): Promise<void>;
  members(id: string): Promise<{ userId: string; role: DocumentRole }[]>;

  /**
   * Appends revisions in order, all or none. The first must have the document's version + 1 and, if `follows` is given,
   * the document must be at exactly that revision; otherwise throws VersionConflict. If `lease` is given, throws
   * LeaseLost once another node has taken that lease over. Throws IdempotencyKeyConflict if an idempotency key was used
   * before. Discards snapshots above the followed version, because they belong to a history that a restore has undone.
   * The search index is updated when `indexSettled` finds that the edits have ended, within a minute if they go on, or
   * when a user who changed the document searches.
   */
  append(id: string, entries: readonly AppendEntry[], follows?: RevisionId, lease?: DocumentLease): Promise<void>;
  /** Resolves when the appends that are being committed, by any node, are committed or refused. */
  settle(id: string): Promise<void>;
  /** Starts indexing the documents whose editing on this node has ended. Called every few seconds. */
  indexSettled(): Promise<void>;
  /** Queues an unchanged document for the search index. */
  reindex(id: string): Promise<void>;
  revisions(id: string, after: number, limit: number): Promise<Revision[]>;
  history(id: string, before: number, limit: number): Promise<RevisionSummary[]>;
  /**
   * Returns the revisions from `from` to `to` (inclusive) whose mutations and inverse together have at most `maxLength`
   * characters.
   */
  shortRevisions(
    id: string,
    from: number,
    to: number,
    maxLength: number,
  ): Promise<Pick<Revision, 'version' | 'mutations' | 'inverse'>[]>;

  /**
   * Stores a snapshot and discards the blob of the snapshot that it replaces. Returns false and stores nothing if the
   * document does not have the snapshot's version, or if that version is not the revision `of`. The snapshot is stored
   * even beyond the quota, because without it the document would open more slowly.
   */
  saveSnapshot(id: string, snapshot: StoredSnapshot, of?: RevisionId): Promise<boolean>;
  /** Lists snapshots up to version `atMost` and up to the document's own version, newest first. */
  snapshots(id: string, atMost: number): Promise<StoredSnapshot[]>;
  /**
   * Returns the versions of snapshots above the document's version. They belong to a history that a restore has undone.
   */
  orphanedSnapshots(id: string): Promise<number[]>;
  /**
   * Deletes snapshots below the version `before` and returns their blob keys. Keeps version 0, the initial state of a
   * copied or imported document, because the revision log does not contain it.
   */
  dropSnapshots(id: string, before: number): Promise<string[]>;

  /** Stores an image that documents of its owner refer to by id. */
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

import {
  VersionConflict,
  type AppendEntry,
  type DocumentFilter,
  type DocumentRole,
  type Revision,
  type RevisionId,
  type RevisionSummary,
  type SheetStore,
  type StoredDocument,
  type StoredImage,
  type StoredSnapshot,
} from '../../../ports/sheet-store.ts';
import type { DocumentLease } from '../../../ports/document-leases.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import { unchanged, type Database } from '../database.ts';
import { rowMapper, type Row } from '../row.ts';
import { inOrderOf, queryInChunks, raw, sql } from '../statement.ts';
import { revisionBytes, updateCountedBytes, addStoredBytes, type DocumentLimits } from './document-accounting.ts';
import { advanceDocuments } from './advance-documents.ts';
import { addImage, findImage } from './images.ts';
import { purgeDocument } from './purge-document.ts';
import { QueuedDocuments } from './queued-documents.ts';
import { addRevisions, listHistory, listRevisions, listShortRevisions } from './revisions.ts';
import {
  discardOrphanedSnapshots,
  dropSnapshots,
  insertSnapshot,
  listSnapshots,
  listOrphanedSnapshots,
  saveSnapshot,
} from './snapshots.ts';
import { DocumentCache, type CachedAccess } from './document-cache.ts';
import { adoptBlob } from '../blob-accounting.ts';
import { requireLease } from '../document-leases.ts';
import { listLiveIds } from '../live-ids.ts';
import { addCellNotices } from '../inbox/cell-notices.ts';
import { makeDelayedDue, queueForIndex, queueForIndexLater } from '../queue-for-index.ts';
import { deleteGrant } from '../permissions/shared-notes.ts';
import { documentRoleOf, grantedLevel, grantedObjects, levels } from '../permissions/grants.ts';

type DocumentRow = Row<StoredDocument>;
type LeveledRow = DocumentRow & { level: number | null };

const columns = 'd.id, d.title, d.owner_id, d.version, d.created_at, d.modified_at, d.deleted_at';
const toDocument = rowMapper<StoredDocument>()('id, title, owner_id, version, created_at, modified_at, deleted_at');

export class SqlSheetStore implements SheetStore {
  readonly #db: Database;
  readonly #changes: QueuedDocuments;
  readonly #limits: DocumentLimits;
  readonly #cache: DocumentCache;

  /**
   * `clock` must be the clock that the indexer uses. This store writes due times into the queue of changes to index
   * (`search_outbox`), and the indexer compares them with its own time.
   */
  constructor(db: Database, limits: DocumentLimits, clock: Clock = { now: () => Date.now() }) {
    this.#db = db;
    this.#changes = new QueuedDocuments(clock);
    this.#limits = limits;
    this.#cache = new DocumentCache(db);
  }

  async create(...[stamp, document, revisions, snapshot]: Parameters<SheetStore['create']>): Promise<void> {
    await this.#db.write(stamp, { target: document.id, isolation: 'repeatable read' }, async (tx) => {
      await tx.execute(sql`INSERT INTO document (id, title, owner_id, version, created_at, modified_at)
        VALUES (${document.id}, ${document.title}, ${document.ownerId}, ${revisions.length}, ${stamp.at}, ${stamp.at})`);
      await addRevisions(tx, document.id, revisions);
      if (snapshot) {
        await adoptBlob(tx, snapshot.blobKey);
        await insertSnapshot(tx, document.id, snapshot);
      }
      await addStoredBytes(tx, document.id, revisionBytes(revisions) + (snapshot?.size ?? 0), this.#limits);
      await queueForIndex(tx, 'sheet', document.id);
    });
  }

  /**
   * Clears the cache of documents and roles. Called after a write of this process that may have changed who has access
   * to any document.
   */
  invalidateAccess(): void {
    this.#cache.invalidateAll();
  }

  find(id: string, userId: string): Promise<{ document: StoredDocument; role: DocumentRole | undefined } | undefined> {
    return this.#cache.find(id, userId, () => this.#find(id, userId));
  }

  async findAll(
    ids: readonly string[],
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined }[]> {
    const rows = await queryInChunks<LeveledRow>([...new Set(ids)], (list) =>
      this.#db.all(sql`SELECT ${raw(columns)}, ${grantedLevel('sheet', userId, raw('d.id'))} AS level FROM document d
        WHERE d.id IN (${list})`),
    );
    const byId = new Map(rows.map((row) => [row.id, { document: toDocument(row), role: roleOf(row, userId) }]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  access(id: string, userId: string): Promise<CachedAccess | undefined> {
    return this.#cache.access(id, userId, () => this.#find(id, userId));
  }

  async version(id: string): Promise<number | undefined> {
    return (await this.#db.get<{ version: number }>(sql`SELECT version FROM document WHERE id = ${id}`))?.version;
  }

  async #find(
    id: string,
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined } | undefined> {
    const row = await this.#db.get<LeveledRow>(sql`SELECT ${raw(columns)},
      ${grantedLevel('sheet', userId, sql`${id}`)} AS level FROM document d WHERE d.id = ${id}`);
    return row && { document: toDocument(row), role: roleOf(row, userId) };
  }

  async list(filter: DocumentFilter): Promise<{ document: StoredDocument; role: DocumentRole }[]> {
    // List deleted documents only for their owner. For other users, a deleted document does not exist.
    const { modifiedAt, id } = filter.after ?? { modifiedAt: Number.MAX_SAFE_INTEGER, id: '' };
    const { userId, limit } = filter;
    const page = sql`AND (d.modified_at < ${modifiedAt} OR (d.modified_at = ${modifiedAt} AND d.id > ${id}))
      ORDER BY d.modified_at DESC, d.id LIMIT ${limit}`;
    const own = sql`SELECT ${raw(columns)}, ${raw(levels.own)} AS level FROM document d WHERE d.owner_id = ${userId}`;
    // Combine two queries, each with its own index. A single query with OR would scan the documents of all users.
    const rows = await this.#db.all<LeveledRow>(
      filter.deleted
        ? sql`${own} AND d.deleted_at IS NOT NULL ${page}`
        : sql`SELECT * FROM (
            SELECT * FROM (${own} AND d.deleted_at IS NULL ${page}) AS own
            UNION ALL
            SELECT * FROM (SELECT ${raw(columns)}, g.level FROM ${grantedObjects('sheet', userId)} AS g
              JOIN document d ON d.id = g.id
              WHERE d.owner_id <> ${userId} AND d.deleted_at IS NULL ${page}) AS shared
          ) AS d ORDER BY d.modified_at DESC, d.id LIMIT ${limit}`,
    );
    return rows.map((row) => ({ document: toDocument(row), role: roleOf(row, filter.userId)! }));
  }

  async byIds(ids: readonly string[]): Promise<StoredDocument[]> {
    const rows = await queryInChunks<DocumentRow>([...new Set(ids)], (list) =>
      this.#db.all(sql`SELECT ${raw(columns)} FROM document d WHERE d.id IN (${list})`),
    );
    return inOrderOf(ids, rows.map(toDocument));
  }

  async idsFor(userId: string): Promise<string[]> {
    const rows = await this.#db.all<{ id: string }>(sql`SELECT d.id FROM document d WHERE d.owner_id = ${userId}
      AND d.deleted_at IS NULL UNION SELECT d.id FROM ${grantedObjects('sheet', userId)} AS g JOIN document d
      ON d.id = g.id WHERE d.deleted_at IS NULL`);
    return rows.map((row) => row.id);
  }

  allIds(): AsyncIterable<string> {
    return listLiveIds(this.#db, 'document');
  }

  async rename(stamp: Stamp, id: string, title: string): Promise<void> {
    await this.#db.write(stamp, { target: id, lock: `document:${id}` }, async (tx) => {
      await tx.execute(sql`UPDATE document SET title = ${title}, modified_at = ${stamp.at} WHERE id = ${id}`);
      await queueForIndex(tx, 'sheet', id);
    });
    this.#cache.invalidate(id);
  }

  async setDeleted(stamp: Stamp, id: string, deletedAt: number | null): Promise<void> {
    await this.#db.write(stamp, { target: id, lock: `document:${id}`, changesAccess: true }, async (tx) => {
      await tx.execute(sql`UPDATE document SET deleted_at = ${deletedAt} WHERE id = ${id}`);
      await queueForIndex(tx, 'sheet', id);
    });
    this.#cache.invalidate(id);
  }

  async purge(stamp: Stamp, before: number, limit: number): Promise<number> {
    const due = await this.#db.all<{ id: string; owner_id: string }>(sql`SELECT id, owner_id FROM document
      WHERE deleted_at IS NOT NULL AND deleted_at < ${before} LIMIT ${limit}`);
    let purged = 0;
    for (const { id, owner_id: userId } of due) {
      const done = await this.#db.write(
        { ...stamp, userId },
        {
          target: id,
          lock: `document:${id}`,
        },
        (tx) => purgeDocument(tx, id, before),
      );
      if (done) purged += 1;
      this.#cache.invalidate(id);
    }
    return purged;
  }

  async share(...[stamp, id, userId, role]: Parameters<SheetStore['share']>): Promise<void> {
    await this.#db.write(stamp, { target: id, lock: `document:${id}`, changesAccess: true }, async (tx) => {
      await deleteGrant(tx, 'sheet', id, userId);
      await tx.execute(sql`DELETE FROM document_member WHERE document_id = ${id} AND user_id = ${userId}`);
      if (role)
        await tx.execute(sql`INSERT INTO document_member (document_id, user_id, role, added_at)
          VALUES (${id}, ${userId}, ${role}, ${stamp.at})`);
    });
    this.#cache.invalidate(id);
  }

  async shareAll(...[stamp, id, userIds, role]: Parameters<SheetStore['shareAll']>): Promise<void> {
    await this.#db.write(stamp, { target: id, lock: `document:${id}`, changesAccess: true }, async (tx) => {
      for (const userId of userIds) {
        await deleteGrant(tx, 'sheet', id, userId);
        await tx.execute(sql`DELETE FROM document_member WHERE document_id = ${id} AND user_id = ${userId}`);
        await tx.execute(sql`INSERT INTO document_member (document_id, user_id, role, added_at)
          VALUES (${id}, ${userId}, ${role}, ${stamp.at})`);
      }
    });
    this.#cache.invalidate(id);
  }

  async members(id: string): Promise<{ userId: string; role: DocumentRole }[]> {
    const owner = await this.#db.get<{ owner_id: string }>(sql`SELECT owner_id FROM document WHERE id = ${id}`);
    const rows = await this.#db.all<{ user_id: string; role: string }>(sql`SELECT user_id, role FROM document_member
      WHERE document_id = ${id} ORDER BY user_id`);
    const others = rows.map((row) => ({ userId: row.user_id, role: row.role as DocumentRole }));
    return owner ? [{ userId: owner.owner_id, role: 'owner' }, ...others] : others;
  }

  async append(
    id: string,
    entries: readonly AppendEntry[],
    follows?: RevisionId,
    lease?: DocumentLease,
  ): Promise<void> {
    const [first] = entries;
    const last = entries.at(-1)?.revision;
    if (!first || !last) return;
    const revisions = entries.map(({ revision }) => revision);
    const added = revisionBytes(revisions);
    const userIds = entries.map(({ stamp }) => stamp.userId);
    const unlisted = this.#changes.missing(id, userIds);
    await this.#db.write(
      entries.map(({ stamp }) => stamp),
      { target: id, lock: `document:${id}`, batch: 'documents' },
      async (tx) => {
        // Refuse the append if another node has taken over the lease for editing this document. A node that takes over
        // the lease then calls `settle`, which waits for the lock that this write holds. The new node therefore sees
        // every revision that this node appends with the old lease.
        if (lease) await requireLease(tx, lease);
        const base = first.revision.version - 1;
        const { version, at } = last;
        const use = await tx.batched(advanceDocuments, { id, base, version, at, added, follows });
        if (use === unchanged) throw new VersionConflict();
        await updateCountedBytes(tx, use, added, this.#limits);
        if ((use.newest_snapshot ?? 0) > base) await discardOrphanedSnapshots(tx, id, base);
        await addRevisions(tx, id, revisions);
        await addCellNotices(tx, id, revisions);
        await queueForIndexLater(tx, 'sheet', id, unlisted.userIds, unlisted.at);
      },
    );
    this.#changes.added(id, unlisted);
    for (const userId of this.#changes.overtaken(id, userIds))
      await this.#db.write(null, { isolation: 'repeatable read' }, (tx) => queueForIndex(tx, 'sheet', id, userId));
    this.#cache.appended(id, last.version, last.at);
  }

  async settle(id: string): Promise<void> {
    await this.#db.write(null, { lock: `document:${id}` }, async () => undefined);
  }

  async indexSettled(): Promise<void> {
    const settled = this.#changes.takeSettled();
    if (settled.length > 0) await makeDelayedDue(this.#db, 'sheet', settled);
  }

  async reindex(id: string): Promise<void> {
    await this.#db.write(null, { isolation: 'repeatable read' }, (tx) => queueForIndex(tx, 'sheet', id));
  }

  revisions(id: string, after: number, limit: number): Promise<Revision[]> {
    return listRevisions(this.#db, id, after, limit);
  }

  history(id: string, before: number, limit: number): Promise<RevisionSummary[]> {
    return listHistory(this.#db, id, before, limit);
  }

  shortRevisions(
    id: string,
    from: number,
    to: number,
    maxLength: number,
  ): Promise<Pick<Revision, 'version' | 'mutations' | 'inverse'>[]> {
    return listShortRevisions(this.#db, id, from, to, maxLength);
  }

  saveSnapshot(id: string, snapshot: StoredSnapshot, of?: RevisionId): Promise<boolean> {
    return saveSnapshot(this.#db, id, snapshot, of);
  }

  snapshots(id: string, atMost: number): Promise<StoredSnapshot[]> {
    return listSnapshots(this.#db, id, atMost);
  }

  orphanedSnapshots(id: string): Promise<number[]> {
    return listOrphanedSnapshots(this.#db, id);
  }

  dropSnapshots(id: string, before: number): Promise<string[]> {
    return dropSnapshots(this.#db, id, before);
  }

  addImage(stamp: Stamp | null, image: StoredImage, at: number): Promise<void> {
    return addImage(this.#db, stamp, image, at, this.#limits);
  }

  image(id: string): Promise<StoredImage | undefined> {
    return findImage(this.#db, id);
  }
}

function roleOf(row: LeveledRow, userId: string): DocumentRole | undefined {
  return row.owner_id === userId ? 'owner' : documentRoleOf(row.level);
}

import {
  VersionTaken,
  type Appended,
  type DocumentFilter,
  type DocumentRole,
  type Revision,
  type RevisionSummary,
  type SheetStore,
  type StoredDocument,
  type StoredImage,
  type StoredSnapshot,
} from '../../../ports/sheet-store.ts';
import type { Stamp } from '../../../ports/stamp.ts';
import type { Database, Param, Sql } from '../database.ts';
import {
  bytesOf,
  countDocument,
  storeMore,
  useColumns,
  type DocumentLimits,
  type DocumentUse,
} from './document-bytes.ts';
import { purgeDocument } from './purge.ts';
import { RememberedDocuments } from './remembered-documents.ts';
import { StorageFull } from '../../../ports/kept-objects.ts';
import { takeOver } from '../kept-objects.ts';
import { noteChange } from '../search-outbox.ts';
import { addAuditRows } from '../stamping.ts';
import { addStorage } from '../storage-use.ts';

interface DocumentRow {
  id: string;
  title: string;
  owner_id: string;
  version: number;
  created_at: number;
  modified_at: number;
  deleted_at: number | null;
}

const columns = 'd.id, d.title, d.owner_id, d.version, d.created_at, d.modified_at, d.deleted_at';
const insertRevisions =
  'INSERT INTO revision (document_id, version, user_id, at, tool, seed, mutations, inverse) VALUES ';
const revisionRow = '(?, ?, ?, ?, ?, ?, ?, ?)';
const addOne = insertRevisions + revisionRow;
/** Rows of one statement: its cost is shared, and only two texts need to be prepared. */
const rowsAtOnce = 16;
const addMany = insertRevisions + Array.from({ length: rowsAtOnce }, () => revisionRow).join(', ');

function revisionValues(id: string, r: Revision): Param[] {
  return [id, r.version, r.userId, r.at, r.tool, r.seed, r.mutations, r.inverse];
}

async function addRevisions(tx: Sql, id: string, revisions: readonly Revision[]): Promise<void> {
  let next = 0;
  for (; next + rowsAtOnce <= revisions.length; next += rowsAtOnce)
    await tx.execute(addMany, ...revisions.slice(next, next + rowsAtOnce).flatMap((one) => revisionValues(id, one)));
  for (; next < revisions.length; next++) await tx.execute(addOne, ...revisionValues(id, revisions[next]!));
}

export class SqlSheetStore implements SheetStore {
  readonly #db: Database;
  readonly #limits: DocumentLimits;
  readonly #remembered: RememberedDocuments;

  constructor(db: Database, limits: DocumentLimits) {
    this.#db = db;
    this.#limits = limits;
    this.#remembered = new RememberedDocuments(db);
  }

  async create(
    stamp: Stamp,
    document: { id: string; title: string; ownerId: string },
    revisions: readonly Revision[],
    snapshot?: StoredSnapshot,
  ): Promise<void> {
    stamp.target ??= document.id;
    await this.#db.write(
      stamp,
      async (tx) => {
        await tx.execute(
          'INSERT INTO document (id, title, owner_id, version, created_at, modified_at) VALUES (?, ?, ?, ?, ?, ?)',
          document.id,
          document.title,
          document.ownerId,
          revisions.length,
          stamp.at,
          stamp.at,
        );
        await addRevisions(tx, document.id, revisions);
        if (snapshot) {
          await takeOver(tx, snapshot.blobKey);
          await insertSnapshot(tx, document.id, snapshot);
        }
        await storeMore(tx, document.id, bytesOf(revisions) + (snapshot?.size ?? 0), this.#limits);
        await noteChange(tx, 'sheet', document.id);
      },
      { blind: true },
    );
  }

  find(id: string, userId: string): Promise<{ document: StoredDocument; role: DocumentRole | undefined } | undefined> {
    return this.#remembered.find(id, userId, () => this.#find(id, userId));
  }

  async #find(
    id: string,
    userId: string,
  ): Promise<{ document: StoredDocument; role: DocumentRole | undefined } | undefined> {
    const row = await this.#db.get<DocumentRow & { role: string | null }>(
      `SELECT ${columns}, m.role FROM document d LEFT JOIN document_member m ON m.document_id = d.id AND m.user_id = ? WHERE d.id = ?`,
      userId,
      id,
    );
    return row && { document: toDocument(row), role: roleOf(row, userId) };
  }

  async list(filter: DocumentFilter): Promise<{ document: StoredDocument; role: DocumentRole }[]> {
    // The trash is the owner's alone: to others a deleted document is unknown.
    const { modifiedAt, id } = filter.after ?? { modifiedAt: Number.MAX_SAFE_INTEGER, id: '' };
    const rows = await this.#db.all<DocumentRow & { role: string | null }>(
      `SELECT ${columns}, m.role FROM document d LEFT JOIN document_member m ON m.document_id = d.id AND m.user_id = ?
       WHERE ${filter.deleted ? 'd.owner_id = ? AND d.deleted_at IS NOT NULL' : '(d.owner_id = ? OR m.user_id IS NOT NULL) AND d.deleted_at IS NULL'}
         AND (d.modified_at < ? OR (d.modified_at = ? AND d.id > ?))
       ORDER BY d.modified_at DESC, d.id LIMIT ?`,
      filter.userId,
      filter.userId,
      modifiedAt,
      modifiedAt,
      id,
      filter.limit,
    );
    return rows.map((row) => ({ document: toDocument(row), role: roleOf(row, filter.userId)! }));
  }

  async byIds(ids: readonly string[]): Promise<StoredDocument[]> {
    const found: StoredDocument[] = [];
    for (const id of ids) {
      const row = await this.#db.get<DocumentRow>(`SELECT ${columns} FROM document d WHERE d.id = ?`, id);
      if (row) found.push(toDocument(row));
    }
    return found;
  }

  async idsFor(userId: string): Promise<string[]> {
    const rows = await this.#db.all<{ id: string }>(
      `SELECT d.id FROM document d WHERE d.owner_id = ? AND d.deleted_at IS NULL
       UNION SELECT m.document_id FROM document_member m JOIN document d ON d.id = m.document_id WHERE m.user_id = ? AND d.deleted_at IS NULL`,
      userId,
      userId,
    );
    return rows.map((row) => row.id);
  }

  async *allIds(): AsyncGenerator<string> {
    for (let after = ''; ;) {
      const rows = await this.#db.all<{ id: string }>(
        'SELECT id FROM document WHERE deleted_at IS NULL AND id > ? ORDER BY id LIMIT 500',
        after,
      );
      for (const row of rows) yield row.id;
      if (rows.length === 0) return;
      after = rows.at(-1)!.id;
    }
  }

  async rename(stamp: Stamp, id: string, title: string): Promise<void> {
    stamp.target ??= id;
    await this.#db.write(stamp, async (tx) => {
      await tx.run('UPDATE document SET title = ?, modified_at = ? WHERE id = ?', title, stamp.at, id);
      await noteChange(tx, 'sheet', id);
    });
    this.#remembered.forget(id);
  }

  async setDeleted(stamp: Stamp, id: string, deletedAt: number | null): Promise<void> {
    stamp.target ??= id;
    await this.#db.write(stamp, async (tx) => {
      await tx.run('UPDATE document SET deleted_at = ? WHERE id = ?', deletedAt, id);
      await noteChange(tx, 'sheet', id);
    });
    this.#remembered.forget(id);
  }

  async purge(stamp: Stamp, before: number, limit: number): Promise<number> {
    const due = await this.#db.all<{ id: string; owner_id: string }>(
      'SELECT id, owner_id FROM document WHERE deleted_at IS NOT NULL AND deleted_at < ? LIMIT ?',
      before,
      limit,
    );
    let purged = 0;
    for (const { id, owner_id: userId } of due) {
      const done = await this.#db.write(
        { ...stamp, userId, target: id, recorded: false },
        (tx) => purgeDocument(tx, id, before),
        { lock: `document:${id}` },
      );
      if (done) purged += 1;
      this.#remembered.forget(id);
    }
    return purged;
  }

  async share(
    stamp: Stamp,
    id: string,
    userId: string,
    role: Exclude<DocumentRole, 'owner'> | undefined,
  ): Promise<void> {
    stamp.target ??= id;
    await this.#db.write(stamp, async (tx) => {
      await tx.run('DELETE FROM document_member WHERE document_id = ? AND user_id = ?', id, userId);
      if (role)
        await tx.execute('INSERT INTO document_member (document_id, user_id, role) VALUES (?, ?, ?)', id, userId, role);
    });
    this.#remembered.forget(id);
  }

  async members(id: string): Promise<{ userId: string; role: DocumentRole }[]> {
    const owner = await this.#db.get<{ owner_id: string }>('SELECT owner_id FROM document WHERE id = ?', id);
    const rows = await this.#db.all<{ user_id: string; role: string }>(
      'SELECT user_id, role FROM document_member WHERE document_id = ? ORDER BY user_id',
      id,
    );
    const others = rows.map((row) => ({ userId: row.user_id, role: row.role as DocumentRole }));
    return owner ? [{ userId: owner.owner_id, role: 'owner' }, ...others] : others;
  }

  async append(id: string, entries: readonly Appended[]): Promise<void> {
    const [first] = entries;
    const last = entries.at(-1)?.revision;
    if (!first || !last) return;
    for (const { stamp } of entries) stamp.target ??= id;
    const alone = entries.length === 1 ? first.stamp : null;
    const revisions = entries.map(({ revision }) => revision);
    const added = bytesOf(revisions);
    await this.#db.write(
      alone,
      async (tx) => {
        const use = await tx.get<DocumentUse>(
          `UPDATE document SET version = ?, modified_at = ?, stored_bytes = stored_bytes + ? WHERE id = ? AND version = ? RETURNING ${useColumns}`,
          last.version,
          last.at,
          added,
          id,
          first.revision.version - 1,
        );
        if (!use) throw new VersionTaken();
        await countDocument(tx, use, added, this.#limits);
        await addRevisions(tx, id, revisions);
        if (alone) return;
        const statements: [string, Param[]][] = [];
        addAuditRows(
          entries.map(({ stamp }) => stamp),
          (text, params) => void statements.push([text, params]),
        );
        for (const [text, params] of statements) await tx.run(text, ...params);
      },
      { lock: `document:${id}` },
    );
    for (const { stamp } of entries) stamp.recorded = true;
    this.#remembered.appended(id, last.version, last.at);
  }

  async contentChanged(id: string): Promise<void> {
    await this.#db.write(null, (tx) => noteChange(tx, 'sheet', id), { blind: true });
  }

  async revisions(id: string, after: number, limit: number): Promise<Revision[]> {
    const rows = await this.#db.all<RevisionRow>(
      'SELECT version, user_id, at, tool, seed, mutations, inverse FROM revision WHERE document_id = ? AND version > ? ORDER BY version LIMIT ?',
      id,
      after,
      limit,
    );
    return rows.map(({ user_id: userId, ...rest }) => ({ ...rest, userId }));
  }

  async history(id: string, before: number, limit: number): Promise<RevisionSummary[]> {
    const rows = await this.#db.all<Pick<RevisionRow, 'version' | 'user_id' | 'at' | 'tool'>>(
      'SELECT version, user_id, at, tool FROM revision WHERE document_id = ? AND version < ? ORDER BY version DESC LIMIT ?',
      id,
      before,
      limit,
    );
    return rows.map(({ user_id: userId, ...rest }) => ({ ...rest, userId }));
  }

  async saveSnapshot(id: string, snapshot: StoredSnapshot): Promise<void> {
    await this.#db.write(
      null,
      async (tx) => {
        const before = await tx.get<{ size: number }>(
          'SELECT size FROM document_snapshot WHERE document_id = ? AND version = ?',
          id,
          snapshot.version,
        );
        await insertSnapshot(tx, id, snapshot);
        await storeMore(tx, id, snapshot.size - (before?.size ?? 0));
      },
      { lock: `document:${id}` },
    );
  }

  async snapshots(id: string, atMost: number): Promise<StoredSnapshot[]> {
    const rows = await this.#db.all<{ version: number; blob_key: string; size: number; sha256: string }>(
      'SELECT version, blob_key, size, sha256 FROM document_snapshot WHERE document_id = ? AND version <= ? ORDER BY version DESC',
      id,
      atMost,
    );
    return rows.map(({ blob_key: blobKey, ...rest }) => ({ ...rest, blobKey }));
  }

  async dropSnapshots(id: string, before: number): Promise<string[]> {
    return this.#db.write(
      null,
      async (tx) => {
        const rows = await tx.all<{ blob_key: string; size: number }>(
          'SELECT blob_key, size FROM document_snapshot WHERE document_id = ? AND version < ? AND version > 0',
          id,
          before,
        );
        await tx.run('DELETE FROM document_snapshot WHERE document_id = ? AND version < ? AND version > 0', id, before);
        await storeMore(tx, id, -rows.reduce((sum, row) => sum + row.size, 0));
        return rows.map((row) => row.blob_key);
      },
      { lock: `document:${id}` },
    );
  }

  async addImage(stamp: Stamp, image: StoredImage): Promise<void> {
    stamp.target ??= image.id;
    await this.#db.write(
      stamp,
      async (tx) => {
        await takeOver(tx, image.blobKey);
        const over = await addStorage(tx, image.ownerId, image.size, this.#limits.quotaBytes);
        if (over) throw new StorageFull('content', image.size, over);
        await tx.run(
          'INSERT INTO sheet_image (id, owner_id, blob_key, content_type, width, height, size, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
          image.id,
          image.ownerId,
          image.blobKey,
          image.contentType,
          image.width,
          image.height,
          image.size,
          stamp.at,
        );
      },
      { blind: true },
    );
  }

  async image(id: string): Promise<StoredImage | undefined> {
    const row = await this.#db.get<{
      id: string;
      owner_id: string;
      blob_key: string;
      content_type: string;
      width: number;
      height: number;
      size: number;
    }>('SELECT id, owner_id, blob_key, content_type, width, height, size FROM sheet_image WHERE id = ?', id);
    return (
      row && {
        id: row.id,
        ownerId: row.owner_id,
        blobKey: row.blob_key,
        contentType: row.content_type,
        width: row.width,
        height: row.height,
        size: row.size,
      }
    );
  }
}

async function insertSnapshot(tx: Sql, id: string, snapshot: StoredSnapshot): Promise<void> {
  await tx.run(
    `INSERT INTO document_snapshot (document_id, version, blob_key, size, sha256) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (document_id, version) DO UPDATE SET blob_key = excluded.blob_key, size = excluded.size, sha256 = excluded.sha256`,
    id,
    snapshot.version,
    snapshot.blobKey,
    snapshot.size,
    snapshot.sha256,
  );
}

interface RevisionRow {
  version: number;
  user_id: string;
  at: number;
  tool: string;
  seed: number;
  mutations: string;
  inverse: string;
}

function toDocument(row: DocumentRow): StoredDocument {
  return {
    id: row.id,
    title: row.title,
    ownerId: row.owner_id,
    version: row.version,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    deletedAt: row.deleted_at,
  };
}

function roleOf(row: DocumentRow & { role: string | null }, userId: string): DocumentRole | undefined {
  if (row.owner_id === userId) return 'owner';
  return (row.role as DocumentRole | null) ?? undefined;
}

import { unescapeText } from '../../lib/escaped-text.ts';
import type { ChangedKind, ChangedObject, ChangeLog, LoggedWrite, LogPosition } from '../../ports/change-log.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AccessRole, PermissionStore } from '../../ports/permission-store.ts';
import type { Database } from './database.ts';
import { queryInChunks, raw, sql, type Statement } from './statement.ts';
import { isReferenceSql } from './wiki/wiki-rows.ts';

/**
 * Time in milliseconds after which an id missing in the sequence of audit rows counts as rolled back. Before that, the
 * transaction that took the id may still commit.
 */
const settledMs = 60_000;
/** Maximum number of missing ids that a log position lists, so that the position fits into a cursor. */
const maxMissing = 150;
/**
 * Maximum time in milliseconds by which rows of the audit log can be out of order. A row has the time at which its call
 * began but is written when the call ends.
 */
const maxDisorderMs = 600_000;

interface AuditRow {
  id: number;
  at: number;
  user_id: string;
  key_id: string;
  operation: string;
  target: string;
  reason: string;
}

interface ObjectRow {
  id: string;
  title: string;
  container_id: string;
  folder_id: string;
  deleted_at: number | null;
}

/** SQL queries that return the columns of ObjectRow, by kind of object. */
const objectQueries: Record<ChangedKind, (list: Statement) => Statement> = {
  note: (list) => sql`SELECT id, title, notebook_id AS container_id, '' AS folder_id, deleted_at FROM note
    WHERE id IN (${list})`,
  notebook: (list) => sql`SELECT id, name AS title, parent_id AS container_id, '' AS folder_id, NULL AS deleted_at
    FROM notebook WHERE id IN (${list})`,
  item: (list) => sql`SELECT id, title, base_id AS container_id, folder_id, deleted_at FROM wiki_item
    WHERE id IN (${list})`,
  folder: (list) => sql`SELECT id, name AS title, base_id AS container_id, parent_id AS folder_id, deleted_at
    FROM wiki_folder WHERE id IN (${list})`,
  base: (list) => sql`SELECT id, name AS title, '' AS container_id, '' AS folder_id, deleted_at FROM wiki_base
    WHERE id IN (${list})`,
  sheet: (list) => sql`SELECT id, title, '' AS container_id, '' AS folder_id, deleted_at FROM document
    WHERE id IN (${list})`,
};

const storedEscaped: ReadonlySet<ChangedKind> = new Set(['item', 'folder', 'base']);

export class SqlChangeLog implements ChangeLog {
  readonly #db: Database;
  readonly #permissions: Pick<PermissionStore, 'roles'>;
  readonly #clock: Clock;

  constructor(db: Database, permissions: Pick<PermissionStore, 'roles'>, clock: Clock) {
    this.#db = db;
    this.#permissions = permissions;
    this.#clock = clock;
  }

  /**
   * Finds the position in the audit log for a time by binary search. Times do not ascend strictly with ids, because a
   * row has the time at which its call began. The search therefore uses a time that is earlier by `maxDisorderMs`.
   */
  async positionAt(time: number): Promise<LogPosition> {
    const wanted = time - maxDisorderMs;
    // Use two queries, because on SQLite a single query for MIN and MAX scans the whole table.
    const first = await this.#db.get<{ id: number | null }>('SELECT MIN(id) AS id FROM audit');
    const last = await this.#db.get<{ id: number | null }>('SELECT MAX(id) AS id FROM audit');
    let low = (first?.id ?? 1) - 1;
    let high = last?.id ?? low;
    while (low < high) {
      const middle = Math.floor((low + high) / 2) + 1;
      const row = await this.#db.get<{ id: number; at: number }>(sql`SELECT id, at FROM audit WHERE id >= ${middle}
        ORDER BY id LIMIT 1`);
      if (row && row.at < wanted && row.id <= high) low = row.id;
      else high = middle - 1;
    }
    return { after: low, missing: [] };
  }

  async end(): Promise<LogPosition> {
    const newest = await this.#db.get<{ last: number | null }>('SELECT MAX(id) AS last FROM audit');
    return { after: newest?.last ?? 0, missing: [] };
  }

  async read(from: LogPosition, limit: number): ReturnType<ChangeLog['read']> {
    const now = this.#clock.now();
    const columns = raw('id, at, user_id, key_id, operation, target, reason');
    const late = await queryInChunks<AuditRow>(
      from.missing.map(([id]) => id),
      (list) => this.#db.all(sql`SELECT ${columns} FROM audit WHERE id IN (${list})`),
    );
    const page = await this.#db.all<AuditRow>(sql`SELECT ${columns} FROM audit WHERE id > ${from.after}
      ORDER BY id LIMIT ${limit}`);
    let { after } = from;
    let missing = from.missing.filter(([, since]) => now - since < settledMs);
    const writes: LoggedWrite[] = [];
    for (const row of [...late, ...page]) {
      if (row.id <= from.after) missing = missing.filter(([id]) => id !== row.id);
      else {
        const isRecent = now - row.at < settledMs;
        for (let gone = Math.max(after + 1, row.id - maxMissing); isRecent && gone < row.id; gone++)
          missing.push([gone, now]);
        missing = missing.slice(-maxMissing);
        after = row.id;
      }
      const { user_id: userId, key_id: keyId, at, operation, target, reason } = row;
      writes.push({ at, userId, keyId, operation, target, reason, next: { after, missing } });
    }
    return { writes, isEnd: page.length < limit, next: { after, missing } };
  }

  async describe(userId: string, ids: readonly string[]): Promise<Map<string, ChangedObject>> {
    const objects = new Map<string, ChangedObject>();
    for (const [kind, prefix] of prefixes) {
      const listed = [...new Set(ids)].filter((id) => id.startsWith(prefix));
      for (const one of await this.#visible(userId, kind, listed)) objects.set(one.id, one);
    }
    const hidden = [...new Set(ids)].filter((id) => shownByItems.test(id) && !objects.has(id));
    const shown = await queryInChunks<{ id: string; content_id: string }>(hidden, (list) =>
      this.#db.all(sql`SELECT id, content_id FROM wiki_item WHERE ${raw(isReferenceSql)} AND deleted_at IS NULL
        AND content_id IN (${list})`),
    );
    const items = await this.#visible(
      userId,
      'item',
      shown.map(({ id }) => id),
    );
    for (const { id, content_id: noteId } of shown) {
      const item = items.find((one) => one.id === id);
      if (item) objects.set(noteId, item);
    }
    return objects;
  }

  async #visible(userId: string, kind: ChangedKind, ids: readonly string[]): Promise<ChangedObject[]> {
    const rows = await queryInChunks<ObjectRow>(ids, (list) => this.#db.all(objectQueries[kind](list)));
    const isInBase = kind === 'item' || kind === 'folder';
    const owners = rows.map((row) => (isInBase ? row.container_id : row.id));
    const roles = await this.#permissions.roles(isInBase ? 'base' : kind, owners, userId);
    const visible = rows.flatMap((row): ChangedObject[] => {
      const role = roles.get(isInBase ? row.container_id : row.id);
      return role === undefined ? [] : [toObject(kind, row, role)];
    });
    return kind === 'note' || kind === 'notebook' ? this.#withoutHiddenNotebooks(userId, visible) : visible;
  }

  /**
   * Clears `containerId` of objects in a notebook that the user may not read. A note or notebook can be shared without
   * the notebook that contains it.
   */
  async #withoutHiddenNotebooks(userId: string, objects: readonly ChangedObject[]): Promise<ChangedObject[]> {
    const around = [...new Set(objects.map(({ containerId }) => containerId))].filter((id) => id !== '');
    const roles = await this.#permissions.roles('notebook', around, userId);
    return objects.map((one) => (roles.has(one.containerId) ? one : { ...one, containerId: '' }));
  }
}

function toObject(kind: ChangedKind, row: ObjectRow, role: AccessRole): ChangedObject {
  const isDeleted = row.deleted_at !== null;
  // Hide the title of a deleted object from users who may only read or comment, because only users with write access
  // may see the trash.
  const hidesTitle = isDeleted && (role === 'read' || role === 'comment');
  const title = storedEscaped.has(kind) ? unescapeText(row.title) : row.title;
  return {
    kind,
    id: row.id,
    title: hidesTitle ? '' : title,
    role,
    containerId: row.container_id,
    folderId: row.folder_id,
    isDeleted,
  };
}

/**
 * Id prefixes by kind of object, to tell an object's kind from its id. Notebooks and folders of knowledge bases share a
 * prefix.
 */
const prefixes: readonly (readonly [ChangedKind, string])[] = [
  ['note', 'note_'],
  ['notebook', 'folder_'],
  ['folder', 'folder_'],
  ['item', 'media_'],
  ['base', 'kb_'],
  ['sheet', 'doc_'],
];

/**
 * Pattern of the ids of notes and AI sessions. A user who may not see such an object may still see an item of a
 * knowledge base that refers to it.
 */
const shownByItems = /^(note|session)_/;

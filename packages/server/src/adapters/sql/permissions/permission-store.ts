import {
  maxGrants,
  SharingRefused,
  type AccessRole,
  type Grant,
  type Grantee,
  type GrantedRole,
  type PermissionStore,
  type Resource,
  type ResourceKind,
  type SharedResource,
} from '../../../ports/permission-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import { unescapeText } from '../../../lib/escaped-text.ts';
import type { Database, Sql } from '../database.ts';
import { queryInChunks, raw, sql, type Statement } from '../statement.ts';
import { queueForIndex } from '../queue-for-index.ts';
import { addBaseMember, removeBaseMember } from '../wiki/base-members.ts';
import { everyone, grantedLevel, grantedObjects, levels, memberRoles, resourceLock, roleOfLevel } from './grants.ts';
import { notebooksByOwner, grantedNotebooks, sharedNotebooks, type GrantedNotebook } from './granted-notebooks.ts';
import { deleteGrant, queueNotesIn, queueSharedNote, sharedNotesOf } from './shared-notes.ts';

interface RoleRow {
  id: string;
  owner_id: string | null;
  notebook_id: string;
  deleted_at: number | null;
  level: number | null;
}

/**
 * SQL queries that return the columns of RoleRow for the objects whose ids are in `list`, by kind of object. If
 * `notebook_id` is not '', grants on that notebook or on a notebook around it apply to the object, too.
 */
const roleQueries: Record<ResourceKind, (userId: string, list: Statement) => Statement> = {
  note: (userId, list) => sql`SELECT n.id, n.user_id AS owner_id, n.notebook_id, n.deleted_at,
    ${grantedLevel('note', userId, raw('n.id'))} AS level FROM note n WHERE n.id IN (${list})`,
  notebook: (_userId, list) => sql`SELECT b.id, b.user_id AS owner_id, b.id AS notebook_id, NULL AS deleted_at,
    NULL AS level FROM notebook b WHERE b.id IN (${list})`,
  base: (userId, list) => sql`SELECT b.id, NULL AS owner_id, '' AS notebook_id, b.deleted_at,
    ${grantedLevel('base', userId, raw('b.id'))} AS level FROM wiki_base b
    WHERE b.id IN (${list}) AND b.deleted_at IS NULL`,
  sheet: (userId, list) => sql`SELECT d.id, d.owner_id, '' AS notebook_id, d.deleted_at,
    ${grantedLevel('sheet', userId, raw('d.id'))} AS level FROM document d WHERE d.id IN (${list})`,
};

interface ListRow {
  id: string;
  title: string;
  owner_id: string;
  modified_at: number;
  level: number;
}

/**
 * SQL queries that return the columns of ListRow, by kind of object. They select the objects of other users that are
 * shared with the user by a grant on the object itself.
 */
const listQueries: Record<Exclude<ResourceKind, 'notebook'>, (userId: string) => Statement> = {
  note: (userId) => sql`SELECT x.id, x.title, x.user_id AS owner_id, x.modified_at, g.level
    FROM ${grantedObjects('note', userId)} AS g JOIN note x ON x.id = g.id
    WHERE x.user_id <> ${userId} AND x.deleted_at IS NULL`,
  base: (userId) => sql`SELECT x.id, x.name AS title, x.created_by AS owner_id, x.modified_at, g.level
    FROM ${grantedObjects('base', userId)} AS g JOIN wiki_base x ON x.id = g.id
    WHERE x.created_by <> ${userId} AND x.deleted_at IS NULL`,
  sheet: (userId) => sql`SELECT x.id, x.title, x.owner_id, x.modified_at, g.level
    FROM ${grantedObjects('sheet', userId)} AS g JOIN document x ON x.id = g.id
    WHERE x.owner_id <> ${userId} AND x.deleted_at IS NULL`,
};

const existsQueries: Record<ResourceKind, (id: string) => Statement> = {
  note: (id) => sql`SELECT 1 AS found FROM note WHERE id = ${id} AND deleted_at IS NULL`,
  notebook: (id) => sql`SELECT 1 AS found FROM notebook WHERE id = ${id}`,
  base: (id) => sql`SELECT 1 AS found FROM wiki_base WHERE id = ${id} AND deleted_at IS NULL`,
  sheet: (id) => sql`SELECT 1 AS found FROM document WHERE id = ${id} AND deleted_at IS NULL`,
};

export class SqlPermissionStore implements PermissionStore {
  readonly #db: Database;
  readonly #listeners: (() => void)[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Notifies the caches of this process that access may have changed. */
  notifyChange(): void {
    for (const listener of this.#listeners) listener();
  }

  async role(kind: ResourceKind, id: string, userId: string): Promise<AccessRole | undefined> {
    return (await this.roles(kind, [id], userId)).get(id);
  }

  async roles(kind: ResourceKind, ids: readonly string[], userId: string): Promise<Map<string, AccessRole>> {
    const rows = await queryInChunks<RoleRow>([...new Set(ids)], (list) =>
      this.#db.all(roleQueries[kind](userId, list)),
    );
    const inOthers = rows.some((row) => row.owner_id !== userId && row.notebook_id !== '');
    const opened = inOthers ? await grantedNotebooks(this.#db, userId) : new Map<string, GrantedNotebook>();
    return new Map(rows.flatMap((row) => toRole(row, userId, opened.get(row.notebook_id)?.level ?? 0)));
  }

  async notesSharedWith(userId: string): Promise<string[]> {
    const direct = await this.#db.all<ListRow>(listQueries.note(userId));
    const inside = await this.#notesIn(await grantedNotebooks(this.#db, userId), userId, raw(''));
    return [...new Set([...direct, ...inside].map((row) => row.id))];
  }

  /** Reads the notes that other users own in these notebooks. `rest` is SQL that is appended to each query. */
  async #notesIn(notebooks: ReadonlyMap<string, GrantedNotebook>, userId: string, rest: Statement): Promise<ListRow[]> {
    const rows: ListRow[] = [];
    for (const [owner, ids] of notebooksByOwner(notebooks)) {
      if (owner === userId) continue;
      const found = await queryInChunks<ListRow & { notebook_id: string }>(ids, (list) =>
        this.#db.all(sql`SELECT x.id, x.title, x.user_id AS owner_id, x.modified_at, x.notebook_id FROM note x
            WHERE x.user_id = ${owner} AND x.notebook_id IN (${list}) AND x.deleted_at IS NULL ${rest}`),
      );
      rows.push(...found.map((row) => ({ ...row, level: notebooks.get(row.notebook_id)!.level })));
    }
    return rows;
  }

  sharedNotes(noteIds: readonly string[]): Promise<Set<string>> {
    return sharedNotesOf(this.#db, noteIds);
  }

  async *allSharedNotes(): AsyncGenerator<string> {
    const inside = await this.#notesIn(await sharedNotebooks(this.#db), '', raw(''));
    const direct = await this.#db.all<{ id: string }>(sql`SELECT DISTINCT subject_id AS id FROM share_grant
      WHERE kind = 'note'`);
    for (const id of new Set([...inside, ...direct].map((row) => row.id))) yield id;
  }

  async queueSharedNotes(noteIds: readonly string[]): Promise<void> {
    const shared = [...(await this.sharedNotes(noteIds))];
    if (shared.length === 0) return;
    // Queue each shared note under the user who is named in the queued change of the note itself. Searches by that user
    // then wait until the shared note is indexed, too.
    const changes = await queryInChunks<{ id: string; user_id: string | null }>(shared, (list) =>
      this.#db.all(sql`SELECT DISTINCT id, user_id FROM search_outbox WHERE space = 'note' AND id IN (${list})`),
    );
    await this.#db.write(null, { isolation: 'repeatable read' }, async (tx) => {
      for (const { id, user_id: userId } of changes) await queueForIndex(tx, 'shared_note', id, userId);
    });
  }

  async sharedWith(...[userId, filter]: Parameters<PermissionStore['sharedWith']>): Promise<SharedResource[]> {
    const { value, id } = filter.after ?? { value: Number.MAX_SAFE_INTEGER, id: '' };
    const page = sql`AND (x.modified_at < ${value} OR (x.modified_at = ${value} AND x.id > ${id}))
      ORDER BY x.modified_at DESC, x.id LIMIT ${filter.limit}`;
    const needsNotebooks = filter.kinds.includes('note') || filter.kinds.includes('notebook');
    const all = needsNotebooks ? await grantedNotebooks(this.#db, userId) : new Map<string, GrantedNotebook>();
    const only = filter.notebookId;
    const opened = only === undefined ? all : new Map([...all].filter(([notebook]) => notebook === only));
    const found = new Map<string, SharedResource>();
    const add = (kind: ResourceKind, rows: readonly ListRow[]): void => {
      for (const row of rows) {
        const role = roleOfLevel(Math.max(row.level, levels[found.get(row.id)?.role ?? 'read']))!;
        const title = kind === 'base' ? unescapeText(row.title) : row.title;
        found.set(row.id, { kind, id: row.id, role, title, ownerId: row.owner_id, modifiedAt: row.modified_at });
      }
    };
    for (const kind of filter.kinds) {
      if (kind === 'notebook') add(kind, await this.#notebooks(opened, userId, page));
      else if (only === undefined) add(kind, await this.#db.all<ListRow>(sql`${listQueries[kind](userId)} ${page}`));
      if (kind === 'note') add(kind, await this.#notesIn(opened, userId, page));
    }
    return [...found.values()]
      .sort((a, b) => b.modifiedAt - a.modifiedAt || (a.id < b.id ? -1 : 1))
      .slice(0, filter.limit);
  }

  async #notebooks(opened: ReadonlyMap<string, GrantedNotebook>, userId: string, rest: Statement): Promise<ListRow[]> {
    const others = [...opened].filter(([, notebook]) => notebook.userId !== userId).map(([id]) => id);
    const rows = await queryInChunks<Omit<ListRow, 'level'>>(others, (list) =>
      this.#db.all(sql`SELECT x.id, x.name AS title, x.user_id AS owner_id, x.modified_at FROM notebook x
        WHERE x.id IN (${list}) ${rest}`),
    );
    return rows.map((row) => ({ ...row, level: opened.get(row.id)!.level }));
  }

  async grants(kind: ResourceKind, id: string): Promise<Grant[]> {
    const people =
      kind === 'base' || kind === 'sheet'
        ? await this.#db.all<{ user_id: string; name: string | null; role: string }>(
            sql`SELECT m.user_id, u.name, m.role FROM ${raw(kind === 'base' ? 'wiki_member' : 'document_member')} m
            LEFT JOIN user_account u ON u.id = m.user_id
            WHERE ${raw(kind === 'base' ? 'm.base_id' : 'm.document_id')} = ${id} ORDER BY u.name, m.user_id`,
          )
        : [];
    const rows = await this.#db.all<{
      grantee: string;
      level: number;
      user_name: string | null;
      group_name: string | null;
    }>(
      sql`SELECT s.grantee, s.level, u.name AS user_name, g.name AS group_name FROM share_grant s
        LEFT JOIN user_account u ON u.id = s.grantee LEFT JOIN user_group g ON g.id = s.grantee
        WHERE s.kind = ${kind} AND s.subject_id = ${id} ORDER BY u.name, g.name`,
    );
    const given = rows.map((row): Grant => ({
      grantee:
        row.grantee === everyone
          ? { kind: 'everyone' }
          : { kind: row.group_name === null ? 'user' : 'group', id: row.grantee },
      name: row.user_name ?? row.group_name ?? '',
      role: roleOfLevel(row.level)!,
    }));
    const members = people.map((row): Grant => {
      const role = (Object.keys(memberRoles) as AccessRole[]).find((one) => memberRoles[one] === row.role) ?? 'read';
      return { grantee: { kind: 'user', id: row.user_id }, name: row.name ?? '', role };
    });
    const order = ['user', 'group', 'everyone'];
    return [...members, ...given].sort((a, b) => order.indexOf(a.grantee.kind) - order.indexOf(b.grantee.kind));
  }

  async grant(stamp: Stamp, resource: Resource, grantee: Grantee, role: GrantedRole): Promise<void> {
    const { kind, id } = resource;
    await this.#change(stamp, resource, async (tx) => {
      if (!(await tx.get(existsQueries[kind](id)))) throw new SharingRefused({ reason: 'no_resource', id });
      if (grantee.kind === 'user' && (kind === 'base' || kind === 'sheet')) {
        await removeMember(tx, kind, id, grantee.id);
        if (role !== 'comment') return addMember(tx, kind, id, grantee.id, memberRoles[role], stamp.at);
      }
      if (grantee.kind === 'group' && !(await tx.get(sql`SELECT 1 AS found FROM user_group WHERE id = ${grantee.id}`)))
        throw new SharingRefused({ reason: 'no_group', id: grantee.id });
      const key = grantee.kind === 'everyone' ? everyone : grantee.id;
      const others = await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM share_grant WHERE kind = ${kind}
        AND subject_id = ${id} AND grantee <> ${key}`);
      const count = others?.n ?? 0;
      if (count >= maxGrants) throw new SharingRefused({ reason: 'too_many_grants', count, limit: maxGrants });
      await tx.execute(sql`INSERT INTO share_grant (kind, subject_id, grantee, level, granted_by, created_at)
        VALUES (${kind}, ${id}, ${key}, ${levels[role]}, ${stamp.userId}, ${stamp.at})
        ON CONFLICT (kind, subject_id, grantee) DO UPDATE SET level = excluded.level, granted_by = excluded.granted_by`);
      await queueShared(tx, kind, id);
    });
  }

  async revoke(stamp: Stamp, resource: Resource, grantee: Grantee): Promise<boolean> {
    const { kind, id } = resource;
    return this.#change(stamp, resource, async (tx) => {
      if (grantee.kind === 'user' && (kind === 'base' || kind === 'sheet'))
        return removeMember(tx, kind, id, grantee.id);
      const key = grantee.kind === 'everyone' ? everyone : grantee.id;
      const removed = await tx.run(sql`DELETE FROM share_grant WHERE kind = ${kind} AND subject_id = ${id}
        AND grantee = ${key}`);
      if (removed > 0) await queueShared(tx, kind, id);
      return removed > 0;
    });
  }

  async #change<Result>(stamp: Stamp, resource: Resource, body: (tx: Sql) => Promise<Result>): Promise<Result> {
    try {
      return await this.#db.write(
        stamp,
        { target: resource.id, lock: resourceLock(resource), changesAccess: true },
        body,
      );
    } finally {
      this.notifyChange();
    }
  }
}

function toRole(row: RoleRow, userId: string, around: number): [string, AccessRole][] {
  if (row.owner_id === userId) return [[row.id, 'own']];
  const role = row.deleted_at === null ? roleOfLevel(Math.max(row.level ?? 0, around)) : undefined;
  return role ? [[row.id, role]] : [];
}

/**
 * Removes a person's access to a base or spreadsheet, which is stored in a member table or as a grant. Permission to
 * comment is always a grant, because earlier versions do not know this role and would misread it in a member table.
 */
async function removeMember(tx: Sql, kind: 'base' | 'sheet', id: string, userId: string): Promise<boolean> {
  if (kind === 'base') return removeBaseMember(tx, id, userId);
  const granted = await deleteGrant(tx, kind, id, userId);
  const listed = await tx.run(sql`DELETE FROM document_member WHERE document_id = ${id} AND user_id = ${userId}`);
  return granted || listed > 0;
}

async function addMember(
  tx: Sql,
  kind: 'base' | 'sheet',
  id: string,
  userId: string,
  role: string,
  at: number,
): Promise<void> {
  if (kind === 'base') return addBaseMember(tx, id, userId, role, at);
  await tx.execute(sql`INSERT INTO document_member (document_id, user_id, role, added_at)
    VALUES (${id}, ${userId}, ${role}, ${at})`);
}

/**
 * Called after a grant on the object was added, changed or removed. Queues all notes that the grant concerns for the
 * search index of shared notes. Other objects are not in that index.
 */
async function queueShared(tx: Sql, kind: ResourceKind, id: string): Promise<void> {
  if (kind === 'note') await queueSharedNote(tx, id);
  if (kind === 'notebook') await queueNotesIn(tx, [id]);
}

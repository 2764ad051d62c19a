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
import { queueForIndex } from '../search-outbox.ts';
import { removeBaseMember, setBaseMember } from '../wiki/base-members.ts';
import {
  everyone,
  grantedLevel,
  grantedObjects,
  levels,
  memberRoles,
  openedNotebooks,
  resourceLock,
  roleOfLevel,
} from './grants.ts';
import { queueNotesIn, queueSharedNote, sharedNotesOf } from './shared-notes.ts';

interface RoleRow {
  id: string;
  owner_id: string | null;
  deleted_at: number | null;
  level: number | null;
  around: number | null;
}

/** Selects the columns of RoleRow for objects of a kind. */
const roleQueries: Record<ResourceKind, (userId: string, list: Statement) => Statement> = {
  note: (userId, list) => sql`WITH RECURSIVE ${openedNotebooks(userId)}
    SELECT n.id, n.user_id AS owner_id, n.deleted_at, ${grantedLevel('note', userId, raw('n.id'))} AS level,
    (SELECT MAX(o.level) FROM opened o WHERE o.id = n.notebook_id) AS around FROM note n WHERE n.id IN (${list})`,
  notebook: (userId, list) => sql`WITH RECURSIVE ${openedNotebooks(userId)}
    SELECT b.id, b.user_id AS owner_id, NULL AS deleted_at, NULL AS level,
    (SELECT MAX(o.level) FROM opened o WHERE o.id = b.id) AS around FROM notebook b WHERE b.id IN (${list})`,
  base: (userId, list) => sql`SELECT b.id, NULL AS owner_id, b.deleted_at,
    ${grantedLevel('base', userId, raw('b.id'))} AS level, NULL AS around FROM wiki_base b
    WHERE b.id IN (${list}) AND b.deleted_at IS NULL`,
  sheet: (userId, list) => sql`SELECT d.id, d.owner_id, d.deleted_at,
    ${grantedLevel('sheet', userId, raw('d.id'))} AS level, NULL AS around FROM document d WHERE d.id IN (${list})`,
};

/** Selects other users' objects of a kind that the user can open; without deleted ones. */
const listQueries: Record<ResourceKind, (userId: string) => Statement> = {
  note: (userId) => sql`SELECT n.id, n.title, n.user_id AS owner_id, n.modified_at, MAX(x.level) AS level FROM (
      SELECT g.id, g.level FROM ${grantedObjects('note', userId)} AS g
      UNION ALL SELECT m.id, o.level FROM opened o JOIN note m ON m.user_id = o.user_id AND m.notebook_id = o.id
        AND m.deleted_at IS NULL
    ) AS x JOIN note n ON n.id = x.id WHERE n.user_id <> ${userId} AND n.deleted_at IS NULL
    GROUP BY n.id, n.title, n.user_id, n.modified_at`,
  notebook: (userId) => sql`SELECT b.id, b.name AS title, b.user_id AS owner_id, b.modified_at, MAX(o.level) AS level
    FROM opened o JOIN notebook b ON b.id = o.id WHERE b.user_id <> ${userId}
    GROUP BY b.id, b.name, b.user_id, b.modified_at`,
  base: (userId) => sql`SELECT b.id, b.name AS title, b.created_by AS owner_id, b.modified_at, g.level
    FROM ${grantedObjects('base', userId)} AS g JOIN wiki_base b ON b.id = g.id
    WHERE b.created_by <> ${userId} AND b.deleted_at IS NULL`,
  sheet: (userId) => sql`SELECT d.id, d.title, d.owner_id, d.modified_at, g.level
    FROM ${grantedObjects('sheet', userId)} AS g JOIN document d ON d.id = g.id
    WHERE d.owner_id <> ${userId} AND d.deleted_at IS NULL`,
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

  /** Tells the caches of this process that access may have changed. */
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
    return new Map(rows.flatMap((row) => toRole(row, userId)));
  }

  async notesSharedWith(userId: string): Promise<string[]> {
    const rows = await this.#db.all<{ id: string }>(sql`WITH RECURSIVE ${openedNotebooks(userId)}
      SELECT x.id FROM (${listQueries.note(userId)}) AS x`);
    return rows.map((row) => row.id);
  }

  sharedNotes(noteIds: readonly string[]): Promise<Set<string>> {
    return sharedNotesOf(this.#db, noteIds);
  }

  async allSharedNotes(): Promise<string[]> {
    const rows = await this.#db.all<{ id: string }>(sql`WITH RECURSIVE shared(id, user_id) AS (
        SELECT b.id, b.user_id FROM share_grant s JOIN notebook b ON b.id = s.subject_id WHERE s.kind = 'notebook'
        UNION SELECT b.id, b.user_id FROM shared w JOIN notebook b ON b.user_id = w.user_id AND b.parent_id = w.id)
      SELECT n.id FROM shared w JOIN note n ON n.user_id = w.user_id AND n.notebook_id = w.id AND n.deleted_at IS NULL
      UNION SELECT n.id FROM share_grant s JOIN note n ON n.id = s.subject_id AND n.deleted_at IS NULL
      WHERE s.kind = 'note'`);
    return rows.map((row) => row.id);
  }

  async queueSharedNotes(noteIds: readonly string[]): Promise<void> {
    const shared = [...(await this.sharedNotes(noteIds))];
    if (shared.length === 0) return;
    // Queue the entry for the user who changed the note, so that this user's search waits for it too.
    const changes = await queryInChunks<{ id: string; user_id: string | null }>(shared, (list) =>
      this.#db.all(sql`SELECT DISTINCT id, user_id FROM search_outbox WHERE space = 'note' AND id IN (${list})`),
    );
    await this.#db.write(null, { isolation: 'repeatable read' }, async (tx) => {
      for (const { id, user_id: userId } of changes) await queueForIndex(tx, 'shared_note', id, userId);
    });
  }

  async sharedWith(...[userId, filter]: Parameters<PermissionStore['sharedWith']>): Promise<SharedResource[]> {
    const { value, id } = filter.after ?? { value: Number.MAX_SAFE_INTEGER, id: '' };
    const parts = filter.kinds.map(
      (kind) =>
        sql`SELECT ${raw(`'${kind}'`)} AS kind, ${raw(kind)}.* FROM (${listQueries[kind](userId)}) AS ${raw(kind)}`,
    );
    const union = parts.slice(1).reduce((all, part) => sql`${all} UNION ALL ${part}`, parts[0]!);
    const rows = await this.#db.all<{
      kind: ResourceKind;
      id: string;
      title: string;
      owner_id: string;
      modified_at: number;
      level: number;
    }>(sql`WITH RECURSIVE ${openedNotebooks(userId)} SELECT * FROM (${union}) AS found
      WHERE found.modified_at < ${value} OR (found.modified_at = ${value} AND found.id > ${id})
      ORDER BY found.modified_at DESC, found.id LIMIT ${filter.limit}`);
    return rows.map((row) => ({
      kind: row.kind,
      id: row.id,
      role: roleOfLevel(row.level)!,
      title: row.kind === 'base' ? unescapeText(row.title) : row.title,
      ownerId: row.owner_id,
      modifiedAt: row.modified_at,
    }));
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
      if (grantee.kind === 'user' && kind === 'base')
        return setBaseMember(tx, id, grantee.id, memberRoles[role], stamp.at);
      if (grantee.kind === 'user' && kind === 'sheet') {
        await tx.execute(sql`INSERT INTO document_member (document_id, user_id, role)
          VALUES (${id}, ${grantee.id}, ${memberRoles[role]})
          ON CONFLICT (document_id, user_id) DO UPDATE SET role = excluded.role`);
        return;
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
      if (grantee.kind === 'user' && kind === 'base') return removeBaseMember(tx, id, grantee.id);
      if (grantee.kind === 'user' && kind === 'sheet')
        return (
          (await tx.run(sql`DELETE FROM document_member WHERE document_id = ${id} AND user_id = ${grantee.id}`)) > 0
        );
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

function toRole(row: RoleRow, userId: string): [string, AccessRole][] {
  if (row.owner_id === userId) return [[row.id, 'own']];
  const role = row.deleted_at === null ? roleOfLevel(Math.max(row.level ?? 0, row.around ?? 0)) : undefined;
  return role ? [[row.id, role]] : [];
}

/** Queues the notes that a grant opens for the search index of shared notes. */
async function queueShared(tx: Sql, kind: ResourceKind, id: string): Promise<void> {
  if (kind === 'note') await queueSharedNote(tx, id);
  if (kind === 'notebook') await queueNotesIn(tx, [id]);
}

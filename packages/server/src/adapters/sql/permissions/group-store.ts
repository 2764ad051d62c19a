import {
  maxGroupMembers,
  maxGroups,
  SharingRefused,
  type Group,
  type GroupStore,
} from '../../../ports/permission-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Database, Sql } from '../database.ts';
import { insertRow, rowMapper, type Row } from '../row.ts';
import { raw, sql } from '../statement.ts';
import { deleteGrantsTo } from './shared-notes.ts';

const toGroup = rowMapper<Group>()('id, name, issuer, claim, member_count, created_at');
const selectGroup = raw(`SELECT g.*, (SELECT COUNT(*) FROM group_member c WHERE c.group_id = g.id) AS member_count
  FROM user_group g`);

export class SqlGroupStore implements GroupStore {
  readonly #db: Database;
  readonly #accessChanged: () => void;

  /** `accessChanged` is called after every write that may change access, to clear caches of this process. */
  constructor(db: Database, accessChanged: () => void) {
    this.#db = db;
    this.#accessChanged = accessChanged;
  }

  createGroup(...[stamp, group]: Parameters<GroupStore['createGroup']>): Promise<Group> {
    return this.#db.write(stamp, { target: group.id, lock: 'groups' }, async (tx) => {
      const { n } = (await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM user_group'))!;
      if (n >= maxGroups) throw new SharingRefused({ reason: 'too_many_groups', count: n, limit: maxGroups });
      await refuseTakenName(tx, group.name);
      const bound =
        group.issuer !== '' &&
        (await tx.get(
          sql`SELECT 1 AS found FROM user_group WHERE issuer = ${group.issuer} AND claim = ${group.claim}`,
        ));
      if (bound) throw new SharingRefused({ reason: 'claim_bound', claim: group.claim });
      await tx.execute(
        insertRow('user_group', 'id, name, issuer, claim, created_at', { ...group, createdAt: stamp.at }),
      );
      return { ...group, memberCount: 0, createdAt: stamp.at };
    });
  }

  deleteGroup(stamp: Stamp, id: string): Promise<boolean> {
    return this.#change(stamp, id, async (tx) => {
      await deleteGrantsTo(tx, id);
      await tx.execute(sql`DELETE FROM group_member WHERE group_id = ${id}`);
      return (await tx.run(sql`DELETE FROM user_group WHERE id = ${id}`)) > 0;
    });
  }

  async group(id: string): Promise<Group | undefined> {
    const row = await this.#db.get<Row<Group>>(sql`${selectGroup} WHERE g.id = ${id}`);
    return row && toGroup(row);
  }

  async groupByName(name: string): Promise<Group | undefined> {
    const row = await this.#db.get<Row<Group>>(sql`${selectGroup} WHERE g.name = ${name}`);
    return row && toGroup(row);
  }

  async groups(): Promise<Group[]> {
    return (await this.#db.all<Row<Group>>(sql`${selectGroup} ORDER BY g.name, g.id`)).map(toGroup);
  }

  async groupsOf(userId: string): Promise<Group[]> {
    const rows = await this.#db.all<Row<Group>>(sql`${selectGroup} JOIN group_member m ON m.group_id = g.id
      AND m.user_id = ${userId} ORDER BY g.name, g.id`);
    return rows.map(toGroup);
  }

  async members(groupId: string): Promise<{ userId: string; name: string; addedAt: number }[]> {
    const rows = await this.#db.all<{ user_id: string; name: string | null; added_at: number }>(sql`SELECT m.user_id,
      u.name, m.added_at FROM group_member m LEFT JOIN user_account u ON u.id = m.user_id
      WHERE m.group_id = ${groupId} ORDER BY u.name, m.user_id`);
    return rows.map((row) => ({ userId: row.user_id, name: row.name ?? '', addedAt: row.added_at }));
  }

  addMembers(stamp: Stamp, groupId: string, userIds: readonly string[]): Promise<number> {
    return this.#change(stamp, groupId, async (tx) => {
      await requireOwnGroup(tx, groupId);
      let added = 0;
      for (const userId of userIds) added += await insertMember(tx, groupId, userId, stamp.at);
      const { n } = (await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM group_member
        WHERE group_id = ${groupId}`))!;
      if (n > maxGroupMembers)
        throw new SharingRefused({ reason: 'too_many_members', count: n, limit: maxGroupMembers });
      return added;
    });
  }

  removeMembers(stamp: Stamp, groupId: string, userIds: readonly string[]): Promise<number> {
    return this.#change(stamp, groupId, async (tx) => {
      await requireOwnGroup(tx, groupId);
      let removed = 0;
      for (const userId of userIds)
        removed += await tx.run(sql`DELETE FROM group_member WHERE group_id = ${groupId} AND user_id = ${userId}`);
      return removed;
    });
  }

  async setProviderGroups(...[stamp, userId, issuer, claims]: Parameters<GroupStore['setProviderGroups']>) {
    const bound = await this.#db.all<{ id: string; claim: string; is_in: number | null }>(sql`SELECT g.id, g.claim,
      (SELECT 1 FROM group_member m WHERE m.group_id = g.id AND m.user_id = ${userId}) AS is_in FROM user_group g
      WHERE g.issuer = ${issuer} AND g.issuer <> ''`);
    const wanted = new Set(claims);
    const changed = bound.filter(({ claim, is_in: isIn }) => wanted.has(claim) !== (isIn === 1));
    if (changed.length === 0) return;
    await this.#change(stamp, userId, async (tx) => {
      for (const { id, is_in: isIn } of changed) {
        if (isIn === 1) await tx.execute(sql`DELETE FROM group_member WHERE group_id = ${id} AND user_id = ${userId}`);
        else await insertMember(tx, id, userId, stamp.at);
      }
    });
  }

  async #change<Result>(stamp: Stamp, target: string, body: (tx: Sql) => Promise<Result>): Promise<Result> {
    try {
      return await this.#db.write(stamp, { target, lock: 'groups', changesAccess: true }, body);
    } finally {
      this.#accessChanged();
    }
  }
}

async function insertMember(tx: Sql, groupId: string, userId: string, at: number): Promise<number> {
  return tx.run(sql`INSERT INTO group_member (group_id, user_id, added_at) VALUES (${groupId}, ${userId}, ${at})
    ON CONFLICT (group_id, user_id) DO NOTHING`);
}

async function refuseTakenName(tx: Sql, name: string): Promise<void> {
  const taken = await tx.get(sql`SELECT 1 AS found FROM user_group WHERE name = ${name}`);
  if (taken) throw new SharingRefused({ reason: 'group_exists', name });
}

/** Throws if the group does not exist or its members are managed by an identity provider. */
async function requireOwnGroup(tx: Sql, id: string): Promise<void> {
  const row = await tx.get<{ issuer: string }>(sql`SELECT issuer FROM user_group WHERE id = ${id}`);
  if (!row) throw new SharingRefused({ reason: 'no_group', id });
  if (row.issuer !== '') throw new SharingRefused({ reason: 'provider_group', id });
}

/** Ends the group memberships of a deleted user and the grants to this user. */
export async function deleteSharesOfUser(tx: Sql, userId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM group_member WHERE user_id = ${userId}`);
  await deleteGrantsTo(tx, userId);
}

/** Ends the group memberships that an identity provider gave to a user. */
export function deleteProviderMemberships(tx: Sql, userId: string, issuer: string): Promise<void> {
  return tx.execute(sql`DELETE FROM group_member WHERE user_id = ${userId} AND group_id IN (SELECT id FROM user_group
    WHERE issuer = ${issuer} AND issuer <> '')`);
}

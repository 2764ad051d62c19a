import { BatchLoader } from '../../../lib/batch-loader.ts';
import { queueMatchingForIndex } from '../queue-for-index.ts';
import { escapeText } from '../../../lib/escaped-text.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import {
  WikiRefused,
  type BaseRole,
  type BaseStore,
  type Member,
  type MemberBase,
  type NewBase,
} from '../../../ports/wiki-store.ts';
import type { Database, Sql } from '../database.ts';
import { rowMapper, type Row } from '../row.ts';
import { inOrderOf, queryInChunks, raw, sql, type Statement } from '../statement.ts';
import { grantedLevel, grantedObjects } from '../permissions/grants.ts';
import { deletePublicLinksOf } from '../permissions/public-link-store.ts';
import { deleteGrantsOn } from '../permissions/shared-notes.ts';
import { addBaseMember, removeBaseMember, setBaseMember } from './base-members.ts';
import { cancelParseJobs } from './parse-jobs.ts';
import { toMemberBase, type BaseRow } from './wiki-rows.ts';
import { liveBase } from './tree-writes.ts';

/**
 * Selects the knowledge bases to which the user has access, as a member or by sharing, and that satisfy `where`. Each
 * row contains the user's highest level of access.
 */
function selectBases(userId: string, where: Statement): Statement {
  return sql`SELECT b.*, g.level, ${userId} AS member_id FROM ${grantedObjects('base', userId)} AS g
    JOIN wiki_base b ON b.id = g.id WHERE b.deleted_at IS NULL AND ${where}`;
}

/** Separates the base id and the user id in a lookup key. Ids cannot contain this character. */
const separator = '\0';

const toMember = rowMapper<Member>()('user_id, user_name, role, added_at');

type MemberBaseRow = BaseRow & { level: number; member_id: string };

export class SqlBaseStore implements BaseStore {
  readonly #db: Database;
  /**
   * Combines simultaneous lookups of the same base and user into one query, because nearly every call looks up its
   * base.
   */
  readonly #asked: BatchLoader<{ id: string; base: MemberBase | undefined }>;

  constructor(db: Database) {
    this.#db = db;
    this.#asked = new BatchLoader((keys) =>
      Promise.all(
        keys.map(async (key) => {
          const [id, userId] = key.split(separator) as [string, string];
          return { id: key, base: await this.#base(id, userId) };
        }),
      ),
    );
  }

  #write<Result>(stamp: Stamp, baseId: string, body: (tx: Sql) => Promise<Result>): Promise<Result> {
    return this.#db.write(stamp, { target: baseId, lock: `wiki:${baseId}` }, body);
  }

  createBase(stamp: Stamp, base: NewBase): Promise<MemberBase> {
    return this.#write(stamp, base.id, async (tx) => {
      await insertBase(tx, stamp.at, base);
      return toMemberBase((await tx.get<MemberBaseRow>(selectBases(base.userId, sql`b.id = ${base.id}`)))!);
    });
  }

  async ensurePersonal(stamp: Stamp, base: NewBase): Promise<void> {
    await this.#db.write(stamp, { target: base.id, lock: `wiki-personal:${base.userId}` }, async (tx) => {
      const found = await tx.get(sql`SELECT 1 AS found FROM wiki_base WHERE created_by = ${base.userId}
        AND is_personal = 1`);
      if (!found) await insertBase(tx, stamp.at, base);
    });
  }

  async hasPersonal(userId: string): Promise<boolean> {
    return (
      (await this.#db.get(sql`SELECT 1 AS found FROM wiki_base WHERE created_by = ${userId} AND is_personal = 1`)) !==
      undefined
    );
  }

  async base(id: string, userId: string): Promise<MemberBase | undefined> {
    return (await this.#asked.load(`${id}${separator}${userId}`))?.base;
  }

  async #base(id: string, userId: string): Promise<MemberBase | undefined> {
    const row = await this.#db.get<BaseRow & { level: number | null }>(sql`SELECT b.*,
      ${grantedLevel('base', userId, sql`${id}`)} AS level FROM wiki_base b WHERE b.id = ${id} AND b.deleted_at IS NULL`);
    return row && row.level !== null ? toMemberBase({ ...row, level: row.level, member_id: userId }) : undefined;
  }

  async bases(ids: readonly string[], userId: string): Promise<MemberBase[]> {
    const rows = await queryInChunks<MemberBaseRow>([...new Set(ids)], (list) =>
      this.#db.all(selectBases(userId, sql`b.id IN (${list})`)),
    );
    return inOrderOf(ids, rows.map(toMemberBase));
  }

  async basesOf(userId: string): Promise<MemberBase[]> {
    const rows = await this.#db.all<MemberBaseRow>(sql`${selectBases(userId, raw('1 = 1'))}
      ORDER BY CASE WHEN b.is_personal = 1 AND b.created_by = ${userId} THEN 0 ELSE 1 END, b.created_at DESC, b.id`);
    return rows.map(toMemberBase);
  }

  updateBase(...[stamp, id, change]: Parameters<BaseStore['updateBase']>): Promise<void> {
    return this.#write(stamp, id, async (tx) => {
      const row = await liveBase(tx, id);
      await tx.execute(
        'UPDATE wiki_base SET name = ?, description = ?, cover_url = ?, questions = ?, by_meaning = ?, modified_at = ? WHERE id = ?',
        change.name === undefined ? row.name : escapeText(change.name),
        change.description === undefined ? row.description : escapeText(change.description),
        change.coverUrl === undefined ? row.cover_url : escapeText(change.coverUrl),
        change.questions === undefined ? row.questions : JSON.stringify(change.questions),
        change.byMeaning === undefined ? row.by_meaning : Number(change.byMeaning),
        stamp.at,
        id,
      );
      if (change.byMeaning === undefined || Number(change.byMeaning) === row.by_meaning) return;
      // The setting for semantic search has changed. Queue all items and folders of the base for the search index, so
      // that their vectors are created or deleted.
      for (const table of ['wiki_item', 'wiki_folder'] as const)
        await queueMatchingForIndex(tx, table, 'base_id = ?', id);
    });
  }

  async basesWithoutEmbedding(ids: readonly string[]): Promise<Set<string>> {
    const rows = await queryInChunks<{ id: string }>(ids, (list) =>
      this.#db.all(sql`SELECT id FROM wiki_base WHERE by_meaning = 0 AND id IN (${list})`),
    );
    return new Set(rows.map((row) => row.id));
  }

  deleteBase(stamp: Stamp, id: string): Promise<void> {
    return this.#write(stamp, id, async (tx) => {
      if ((await liveBase(tx, id)).is_personal === 1) {
        throw new WikiRefused({ reason: 'personal' });
      }
      for (const table of ['wiki_item', 'wiki_folder'] as const)
        await queueMatchingForIndex(tx, table, 'base_id = ?', id);
      const unread = sql`SELECT id FROM wiki_item WHERE base_id = ${id} AND state IN ('queued', 'parsing')`;
      await cancelParseJobs(tx, unread);
      for (const table of ['wiki_item', 'wiki_folder']) {
        await tx.execute(sql`UPDATE ${raw(table)} SET deleted_at = ${stamp.at}, trash_id = ${id} WHERE base_id = ${id}
          AND deleted_at IS NULL`);
      }
      await tx.execute(sql`UPDATE wiki_item SET sealed_password = '' WHERE base_id = ${id}`);
      await tx.execute(sql`DELETE FROM wiki_member WHERE base_id = ${id}`);
      await deleteGrantsOn(tx, 'base', id);
      await deletePublicLinksOf(tx, 'base', id);
      await tx.execute(sql`UPDATE wiki_base SET deleted_at = ${stamp.at}, is_personal = 0, item_count = 0,
        member_count = 0 WHERE id = ${id}`);
    });
  }

  async members(baseId: string): Promise<Member[]> {
    const rows = await this.#db.all<
      Row<Member>
    >(sql`SELECT m.user_id, coalesce(u.name, '') AS user_name, m.role, m.added_at FROM wiki_member m LEFT JOIN user_account u
      ON u.id = m.user_id WHERE m.base_id = ${baseId} ORDER BY m.added_at, m.user_id`);
    return rows.map(toMember);
  }

  setMember(stamp: Stamp, baseId: string, userId: string, role: BaseRole): Promise<void> {
    return this.#write(stamp, baseId, async (tx) => {
      await liveBase(tx, baseId);
      await setBaseMember(tx, baseId, userId, role, stamp.at);
    });
  }

  removeMember(stamp: Stamp, baseId: string, userId: string): Promise<boolean> {
    return this.#write(stamp, baseId, (tx) => removeBaseMember(tx, baseId, userId));
  }
}

async function insertBase(tx: Sql, at: number, base: NewBase): Promise<void> {
  await tx.execute(sql`INSERT INTO wiki_base (id, created_by, name, description, cover_url, questions, is_personal,
    item_count, member_count, file_number, folder_number, last_place, created_at, modified_at)
    VALUES (${base.id}, ${base.userId}, ${escapeText(base.name)}, ${escapeText(base.description)},
    ${escapeText(base.coverUrl)}, ${JSON.stringify(base.questions)}, ${base.isPersonal ? 1 : 0}, 0, 0, 0, 0, 0, ${at},
    ${at})`);
  await addBaseMember(tx, base.id, base.userId, 'owner', at);
}

import {
  allLines,
  FollowRefused,
  maxFollows,
  type AgentWrite,
  type CommentNotice,
  type Follow,
  type FollowedChange,
  type InboxStore,
  type ReceivedShare,
} from '../../../ports/inbox-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Resource, ResourceKind } from '../../../ports/permission-store.ts';
import { unescapeText } from '../../../lib/escaped-text.ts';
import type { Database } from '../database.ts';
import { queryInChunks, sql, type Statement } from '../statement.ts';
import { entryTextIn } from './cell-notices.ts';
import { listReceivedShares } from '../permissions/received-shares.ts';
import { listAgentWrites, listChanges, listNotices } from './inbox-sources.ts';
import { listReaders } from '../permissions/object-readers.ts';

/**
 * Time in milliseconds after which the record that a user has read a single inbox line is deleted. It is longer than
 * the time for which the inbox shows a line, so that no line becomes unread again.
 */
const keptReadMs = 60 * 24 * 60 * 60 * 1000;

const titleQueries: Record<ResourceKind, (list: Statement) => Statement> = {
  note: (list) => sql`SELECT id, title FROM note WHERE id IN (${list}) AND deleted_at IS NULL`,
  notebook: (list) => sql`SELECT id, name AS title FROM notebook WHERE id IN (${list})`,
  base: (list) => sql`SELECT id, name AS title FROM wiki_base WHERE id IN (${list}) AND deleted_at IS NULL`,
  sheet: (list) => sql`SELECT id, title FROM document WHERE id IN (${list}) AND deleted_at IS NULL`,
};

export class SqlInboxStore implements InboxStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  notices(userId: string, since: number): Promise<CommentNotice[]> {
    return listNotices(this.#db, userId, since);
  }

  shares(userId: string, since: number): Promise<ReceivedShare[]> {
    return listReceivedShares(this.#db, userId, since);
  }

  changes(userId: string, since: number): Promise<FollowedChange[]> {
    return listChanges(this.#db, userId, since);
  }

  agentWrites(userId: string, since: number): Promise<AgentWrite[]> {
    return listAgentWrites(this.#db, userId, since);
  }

  async titles(kind: ResourceKind, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await queryInChunks<{ id: string; title: string }>([...new Set(ids)], (list) =>
      this.#db.all(titleQueries[kind](list)),
    );
    return new Map(rows.map(({ id, title }) => [id, kind === 'base' ? unescapeText(title) : title]));
  }

  async userNames(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await queryInChunks<{ id: string; name: string }>([...new Set(ids)], (list) =>
      this.#db.all(sql`SELECT id, name FROM user_account WHERE id IN (${list}) AND state <> 'deleted'`),
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  async cellComment(...[notice]: Parameters<InboxStore['cellComment']>): Promise<string | undefined> {
    const row = await this.#db.get<{ mutations: string }>(sql`SELECT mutations FROM revision
      WHERE document_id = ${notice.subjectId} AND version = ${notice.version}`);
    return row && entryTextIn(row.mutations, notice.entryId);
  }

  async receivers(subjectId: string, version: number): Promise<string[]> {
    const rows = await this.#db.all<{ user_id: string }>(sql`SELECT DISTINCT user_id FROM comment_notice
      WHERE subject_id = ${subjectId} AND version = ${version}`);
    return rows.map((row) => row.user_id);
  }

  async readTimes(userId: string): Promise<Map<string, number>> {
    const rows = await this.#db.all<{ line_id: string; read_at: number }>(sql`SELECT line_id, read_at FROM inbox_read
      WHERE user_id = ${userId}`);
    return new Map(rows.map((row) => [row.line_id, row.read_at]));
  }

  async markLines(stamp: Stamp, lineIds: readonly string[], readAt: number): Promise<void> {
    const { userId } = stamp;
    await this.#db.write(stamp, { target: userId, lock: `inbox:${userId}` }, async (tx) => {
      for (const id of new Set(lineIds))
        await tx.execute(sql`INSERT INTO inbox_read (user_id, line_id, read_at) VALUES (${userId}, ${id}, ${readAt})
          ON CONFLICT (user_id, line_id) DO UPDATE SET read_at = excluded.read_at`);
      await tx.execute(sql`DELETE FROM inbox_read WHERE user_id = ${userId} AND line_id <> ${allLines} AND read_at > 0
        AND read_at < ${stamp.at - keptReadMs}`);
    });
  }

  async markAll(stamp: Stamp, readAt: number): Promise<void> {
    const { userId } = stamp;
    await this.#db.write(stamp, { target: userId, lock: `inbox:${userId}` }, async (tx) => {
      const all = await tx.get<{ read_at: number }>(sql`SELECT read_at FROM inbox_read WHERE user_id = ${userId}
        AND line_id = ${allLines}`);
      if (all && all.read_at > readAt) {
        // All lines are already marked as read up to a time later than `readAt`. Move single lines with an earlier time
        // up to `readAt` instead of deleting their rows, because a line without a row counts as read up to that later
        // time.
        await tx.execute(sql`UPDATE inbox_read SET read_at = ${readAt} WHERE user_id = ${userId}
          AND read_at < ${readAt}`);
        return;
      }
      await tx.execute(sql`DELETE FROM inbox_read WHERE user_id = ${userId} AND read_at <= ${readAt}`);
      await tx.execute(
        sql`INSERT INTO inbox_read (user_id, line_id, read_at) VALUES (${userId}, ${allLines}, ${readAt})`,
      );
    });
  }

  async follow(stamp: Stamp, { kind, id }: Resource): Promise<void> {
    const { userId } = stamp;
    await this.#db.write(stamp, { target: id, lock: `inbox:${userId}` }, async (tx) => {
      // Do not count this object itself, so that following it again succeeds even at the limit.
      const found = await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM follow WHERE user_id = ${userId}
        AND is_following = 1 AND (kind <> ${kind} OR subject_id <> ${id})`);
      const count = found?.n ?? 0;
      if (count >= maxFollows) throw new FollowRefused({ reason: 'too_many', count, limit: maxFollows });
      await tx.execute(sql`INSERT INTO follow (user_id, kind, subject_id, is_following, created_at)
        VALUES (${userId}, ${kind}, ${id}, 1, ${stamp.at}) ON CONFLICT (user_id, kind, subject_id) DO UPDATE SET
        created_at = CASE WHEN follow.is_following = 1 THEN follow.created_at ELSE excluded.created_at END,
        is_following = 1`);
    });
  }

  unfollow(stamp: Stamp, { kind, id }: Resource): Promise<boolean> {
    const { userId } = stamp;
    return this.#db.write(stamp, { target: id, lock: `inbox:${userId}` }, async (tx) => {
      const ended = await tx.run(sql`UPDATE follow SET is_following = 0 WHERE user_id = ${userId} AND kind = ${kind}
        AND subject_id = ${id} AND is_following = 1`);
      return ended > 0;
    });
  }

  async followed(userId: string): Promise<Follow[]> {
    const rows = await this.#db.all<{ kind: ResourceKind; subject_id: string; created_at: number }>(sql`SELECT kind,
      subject_id, created_at FROM follow WHERE user_id = ${userId} AND is_following = 1
      ORDER BY created_at DESC, subject_id`);
    return rows.map((row) => ({ kind: row.kind, id: row.subject_id, since: row.created_at }));
  }

  readers(resource: Resource, name: string, limit: number): Promise<{ id: string; name: string }[]> {
    return listReaders(this.#db, resource, name, limit);
  }
}

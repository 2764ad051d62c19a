import { mentionCandidates, mentionedUsers } from '../../../lib/mentions.ts';
import type { Resource, ResourceKind } from '../../../ports/permission-store.ts';
import type { Database, Sql } from '../database.ts';
import { BulkInsert } from '../bulk-insert.ts';
import { queryInChunks, sql } from '../statement.ts';

const newNotices = new BulkInsert(
  `INSERT INTO comment_notice (user_id, subject_id, entry_id, kind, thread_id, reason, author_id, version, at) VALUES`,
  9,
  `ON CONFLICT (user_id, subject_id, entry_id) DO UPDATE SET reason = excluded.reason, version = excluded.version,
     at = excluded.at WHERE comment_notice.reason <> 'mention'`,
);

/** Maximum number of followers of an object who get a notice of each comment. */
const maxFollowers = 500;

export interface NewNotices {
  kind: 'note' | 'sheet';
  subjectId: string;
  threadId: string;
  entryId: string;
  authorId: string;
  version: number;
  at: number;
  mentioned: readonly string[];
  /**
   * Authors of the thread's entries, and the object's owner. These users and the object's followers get a notice of a
   * new entry. Undefined if an existing entry was edited, because then only mentioned users get a notice.
   */
  others: { participants: readonly string[]; ownerId: string } | undefined;
}

/**
 * Stores one inbox notice for each user whom a comment entry concerns, except its author: the mentioned users and, for
 * a new entry, the thread's participants, the object's owner and its followers. Returns the ids of all these users.
 */
export async function addNotices(tx: Sql, notice: NewNotices): Promise<string[]> {
  const { kind, subjectId, threadId, entryId, authorId, version, at } = notice;
  const reasons = new Map<string, string>();
  if (notice.others) {
    const followers = await tx.all<{ user_id: string }>(sql`SELECT user_id FROM follow WHERE subject_id = ${subjectId}
      AND is_following = 1 ORDER BY user_id LIMIT ${maxFollowers}`);
    for (const { user_id: userId } of followers) reasons.set(userId, 'comment');
    reasons.set(notice.others.ownerId, 'comment');
    for (const userId of notice.others.participants) reasons.set(userId, 'reply');
  }
  for (const userId of notice.mentioned) reasons.set(userId, 'mention');
  reasons.delete(authorId);
  const rows = [...reasons].map(([userId, reason]) => [
    userId,
    subjectId,
    entryId,
    kind,
    threadId,
    reason,
    authorId,
    version,
    at,
  ]);
  for (const statement of newNotices.statements(rows)) await tx.execute(statement);
  return [...reasons.keys()];
}

/** Makes a user follow an object on which the user comments, unless the user chose not to follow it. */
export function followCommented(tx: Sql, { kind, id }: Resource, userId: string, at: number): Promise<void> {
  return tx.execute(sql`INSERT INTO follow (user_id, kind, subject_id, is_following, created_at)
    VALUES (${userId}, ${kind}, ${id}, 1, ${at}) ON CONFLICT (user_id, kind, subject_id) DO NOTHING`);
}

/** Returns the active users whom a text mentions. */
export async function findMentioned(db: Pick<Database, 'all'>, text: string): Promise<{ id: string; name: string }[]> {
  const names = [...new Set(mentionCandidates(text).flat())];
  if (names.length === 0) return [];
  const rows = await queryInChunks<{ id: string; name: string }>(names, (list) =>
    db.all(sql`SELECT id, name FROM user_account WHERE state = 'active' AND name IN (${list})`),
  );
  return mentionedUsers(text, new Map(rows.map((row) => [row.name, row])));
}

/** Deletes the inbox notices about a comment entry, or about a whole thread if no entry is given. */
export function deleteNotices(tx: Sql, subjectId: string, threadId: string, entryId?: string): Promise<void> {
  return entryId === undefined
    ? tx.execute(sql`DELETE FROM comment_notice WHERE subject_id = ${subjectId} AND thread_id = ${threadId}`)
    : tx.execute(sql`DELETE FROM comment_notice WHERE subject_id = ${subjectId} AND thread_id = ${threadId}
        AND entry_id = ${entryId}`);
}

/** Deletes everything that inboxes store about an object that is deleted permanently. */
export async function deleteInboxOf(tx: Sql, kind: ResourceKind, id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM comment_notice WHERE subject_id = ${id}`);
  await tx.execute(sql`DELETE FROM follow WHERE subject_id = ${id} AND kind = ${kind}`);
}

/** Deletes the inbox of a deleted user. The user's comments remain, as other content does. */
export async function deleteInboxOfUser(tx: Sql, userId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM comment_notice WHERE user_id = ${userId}`);
  await tx.execute(sql`DELETE FROM follow WHERE user_id = ${userId}`);
  await tx.execute(sql`DELETE FROM inbox_read WHERE user_id = ${userId}`);
}

import { timeTextAt } from '../../../lib/ids.ts';
import type { AgentWrite, CommentNotice, FollowedChange } from '../../../ports/inbox-store.ts';
import type { ResourceKind } from '../../../ports/permission-store.ts';
import type { Database } from '../database.ts';
import { raw, sql, type Statement } from '../statement.ts';

type Reads = Pick<Database, 'all'>;

const maxNotices = 500;
const maxChanges = 2000;
/**
 * Maximum number of versions of each followed note or spreadsheet, counted back from the newest, that are searched for
 * changes by other users.
 */
const versionsEach = 100;
/**
 * Maximum number of rows of a user's audit log, counted back from the newest, that are searched for writes by agents
 * (API keys and connected apps).
 */
const maxAudit = 2000;

interface NoticeRow {
  kind: string;
  subject_id: string;
  thread_id: string;
  entry_id: string;
  reason: string;
  author_id: string;
  version: number;
  at: number;
  text: string | null;
}

export async function listNotices(db: Reads, userId: string, since: number): Promise<CommentNotice[]> {
  const rows = await db.all<NoticeRow>(sql`SELECT n.kind, n.subject_id, n.thread_id, n.entry_id, n.reason, n.author_id,
    n.version, n.at, c.text FROM comment_notice n LEFT JOIN note_comment c ON c.id = n.entry_id AND n.kind = 'note'
    WHERE n.user_id = ${userId} AND n.at > ${since} ORDER BY n.at DESC LIMIT ${maxNotices}`);
  return rows.map((row) => ({
    kind: row.kind as CommentNotice['kind'],
    subjectId: row.subject_id,
    threadId: row.thread_id,
    entryId: row.entry_id,
    reason: row.reason as CommentNotice['reason'],
    authorId: row.author_id,
    version: row.version,
    text: row.text ?? undefined,
    at: row.at,
  }));
}

interface SubjectRow {
  kind: string;
  subject_id: string;
  by_id: string;
  at: number;
}

const toSubject = (row: SubjectRow): FollowedChange => ({
  kind: row.kind as ResourceKind,
  id: row.subject_id,
  by: row.by_id,
  at: row.at,
});

/**
 * SQL queries for the inbox, by kind of object. Each finds the changes that other users have made since a given time to
 * objects that the user follows. A knowledge base (`base`) counts as changed when an item is added to it.
 */
const changeQueries: Record<ResourceKind, (userId: string, since: number) => Statement> = {
  note: (userId, since) => sql`SELECT f.kind, f.subject_id, v.user_id AS by_id, v.at FROM follow f
    JOIN note n ON n.id = f.subject_id AND n.deleted_at IS NULL AND n.modified_at > ${since}
    JOIN note_version v ON v.note_id = n.id AND v.version > n.version - ${raw(versionsEach)}
    WHERE f.user_id = ${userId} AND f.kind = 'note' AND f.is_following = 1 AND v.user_id NOT IN ('', ${userId})
    AND v.at > ${since} AND v.at > f.created_at`,
  notebook: (userId, since) => sql`SELECT f.kind, f.subject_id, v.user_id AS by_id, v.at FROM follow f
    JOIN notebook b ON b.id = f.subject_id
    JOIN note n ON n.user_id = b.user_id AND n.notebook_id = b.id AND n.deleted_at IS NULL AND n.modified_at > ${since}
    JOIN note_version v ON v.note_id = n.id AND v.version > n.version - ${raw(versionsEach)}
    WHERE f.user_id = ${userId} AND f.kind = 'notebook' AND f.is_following = 1 AND v.user_id NOT IN ('', ${userId})
    AND v.at > ${since} AND v.at > f.created_at`,
  sheet: (userId, since) => sql`SELECT f.kind, f.subject_id, r.user_id AS by_id, r.at FROM follow f
    JOIN document d ON d.id = f.subject_id AND d.deleted_at IS NULL AND d.modified_at > ${since}
    JOIN revision r ON r.document_id = d.id AND r.version > d.version - ${raw(versionsEach)}
    WHERE f.user_id = ${userId} AND f.kind = 'sheet' AND f.is_following = 1 AND r.user_id NOT IN ('', ${userId})
    AND r.at > ${since} AND r.at > f.created_at AND r.tool NOT LIKE 'set_comment %'`,
  base: (userId, since) => sql`SELECT f.kind, f.subject_id, i.user_id AS by_id, i.created_at AS at FROM follow f
    JOIN wiki_item i ON i.base_id = f.subject_id AND i.id > ${`media_${timeTextAt(since)}`}
    WHERE f.user_id = ${userId} AND f.kind = 'base' AND f.is_following = 1 AND i.user_id <> ${userId}
    AND i.deleted_at IS NULL AND i.created_at > f.created_at`,
};

export async function listChanges(db: Reads, userId: string, since: number): Promise<FollowedChange[]> {
  const found: FollowedChange[] = [];
  for (const query of Object.values(changeQueries)) {
    const rows = await db.all<SubjectRow>(sql`${query(userId, since)} ORDER BY at DESC LIMIT ${maxChanges}`);
    for (const row of rows) found.push(toSubject(row));
  }
  return found;
}

interface AgentRow {
  key_id: string;
  key_name: string | null;
  operation: string;
  target: string;
  at: number;
}

/**
 * Lists a user's writes through API keys and connected apps since a given time, newest first. Leaves out changes of the
 * inbox itself, and writes on the web page, whose `key_id` is the id of a session.
 */
export async function listAgentWrites(db: Reads, userId: string, since: number): Promise<AgentWrite[]> {
  const rows = await db.all<AgentRow>(sql`SELECT a.key_id, COALESCE(k.name, g.client_name) AS key_name, a.operation,
    a.target, a.at FROM (SELECT id, key_id, operation, target, at FROM audit WHERE user_id = ${userId}
      ORDER BY id DESC LIMIT ${maxAudit}) AS a
    LEFT JOIN api_key k ON k.id = a.key_id LEFT JOIN oauth_grant g ON g.id = a.key_id
    WHERE a.at > ${since} AND (a.key_id LIKE 'key_%' OR a.key_id LIKE 'connection_%') ORDER BY a.id DESC`);
  return rows
    .filter(({ operation }) => !operation.startsWith('inbox.'))
    .map((row) => ({
      keyId: row.key_id,
      keyName: row.key_name ?? '',
      operation: row.operation,
      target: row.target,
      at: row.at,
    }));
}

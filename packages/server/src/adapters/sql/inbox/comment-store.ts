import {
  CommentRefused,
  entryBytes,
  maxEntries,
  maxThreads,
  type CommentAnchor,
  type CommentChange,
  type CommentEntry,
  type CommentedNote,
  type CommentLimits,
  type CommentStore,
  type CommentThread,
  type NewEntry,
} from '../../../ports/comment-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Database, Sql } from '../database.ts';
import { insertRow } from '../row.ts';
import { sql } from '../statement.ts';
import { incrementStorage } from '../storage-usage.ts';
import { addNotices, deleteNotices, followCommented } from './notices.ts';

interface ThreadRow {
  id: string;
  note_id: string;
  quote: string;
  text_before: string;
  text_after: string;
  place: number;
  heading: string;
  created_at: number;
  resolved_at: number | null;
  resolved_by: string;
}

interface EntryRow {
  id: string;
  thread_id: string;
  user_id: string;
  text: string;
  bytes: number;
  created_at: number;
  edited_at: number | null;
}

export class SqlCommentStore implements CommentStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Writes under the note's lock, so that no comment is added to a deleted note or exceeds the note's limits. */
  #write(stamp: Stamp, note: CommentedNote, body: (tx: Sql) => Promise<CommentChange>): Promise<CommentChange> {
    return this.#db.write(stamp, { target: note.id, lock: `note:${note.id}` }, body);
  }

  begin(...[stamp, note, thread, entry, limits]: Parameters<CommentStore['begin']>): Promise<CommentChange> {
    return this.#write(stamp, note, async (tx) => {
      const found = await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM note_thread WHERE note_id = ${note.id}`);
      const count = found?.n ?? 0;
      if (count >= maxThreads) throw new CommentRefused({ reason: 'too_many_threads', count, limit: maxThreads });
      const { anchor, id } = thread;
      await tx.execute(sql`INSERT INTO note_thread (id, note_id, quote, text_before, text_after, place, heading,
        created_at, resolved_at, resolved_by) VALUES (${id}, ${note.id}, ${anchor.quote}, ${anchor.before},
        ${anchor.after}, ${anchor.at}, ${anchor.heading}, ${stamp.at}, NULL, '')`);
      const receivers = await addEntry(tx, stamp, note, { id, participants: [] }, entry, limits, anchorBytes(anchor));
      return { threadId: id, receivers };
    });
  }

  reply(...[stamp, note, thread, entry, limits]: Parameters<CommentStore['reply']>): Promise<CommentChange> {
    return this.#write(stamp, note, async (tx) => {
      const { id, resolved } = thread;
      const row = await requireThread(tx, note.id, id);
      let receivers: string[] = [];
      if (entry) {
        const others = await tx.all<{ user_id: string }>(sql`SELECT user_id FROM note_comment
          WHERE thread_id = ${id}`);
        if (others.length >= maxEntries)
          throw new CommentRefused({ reason: 'too_many_entries', count: others.length, limit: maxEntries });
        const participants = [...new Set(others.map((one) => one.user_id))];
        receivers = await addEntry(tx, stamp, note, { id, participants }, entry, limits, 0);
      }
      if (resolved !== undefined && resolved !== (row.resolved_at !== null))
        await tx.execute(sql`UPDATE note_thread SET resolved_at = ${resolved ? stamp.at : null},
          resolved_by = ${resolved ? stamp.userId : ''} WHERE id = ${id}`);
      return { threadId: id, receivers };
    });
  }

  edit(...[stamp, note, threadId, entry, limits]: Parameters<CommentStore['edit']>): Promise<CommentChange> {
    return this.#write(stamp, note, async (tx) => {
      await requireThread(tx, note.id, threadId);
      const old = await requireEntry(tx, threadId, entry.id);
      if (old.user_id !== stamp.userId) throw new CommentRefused({ reason: 'not_author', id: entry.id });
      const bytes = bytesOf(entry.text);
      await tx.execute(sql`UPDATE note_comment SET text = ${entry.text}, bytes = ${bytes}, edited_at = ${stamp.at}
        WHERE id = ${entry.id}`);
      const receivers = await addNotices(tx, {
        ...noticeOf(stamp, note, threadId, entry),
        others: undefined,
      });
      await charge(tx, note, bytes - old.bytes, limits);
      return { threadId, receivers };
    });
  }

  remove(...[stamp, note, threadId, entryId, { isOwner }]: Parameters<CommentStore['remove']>): Promise<CommentChange> {
    return this.#write(stamp, note, async (tx) => {
      const thread = await requireThread(tx, note.id, threadId);
      const old = await requireEntry(tx, threadId, entryId);
      if (old.user_id !== stamp.userId && !isOwner) throw new CommentRefused({ reason: 'not_author', id: entryId });
      await tx.execute(sql`DELETE FROM note_comment WHERE id = ${entryId}`);
      await deleteNotices(tx, note.id, threadId, entryId);
      const left = await tx.get(sql`SELECT 1 AS found FROM note_comment WHERE thread_id = ${threadId} LIMIT 1`);
      if (!left) await tx.execute(sql`DELETE FROM note_thread WHERE id = ${threadId}`);
      await refund(tx, note, old.bytes + (left ? 0 : anchorBytes(toAnchor(thread))));
      return { threadId, receivers: [] };
    });
  }

  async threads(noteId: string): Promise<CommentThread[]> {
    const threads = await this.#db.all<ThreadRow>(sql`SELECT * FROM note_thread WHERE note_id = ${noteId} ORDER BY id`);
    if (threads.length === 0) return [];
    const rows = await this.#db.all<EntryRow>(sql`SELECT id, thread_id, user_id, text, bytes, created_at, edited_at
      FROM note_comment WHERE note_id = ${noteId} ORDER BY id`);
    const entries = new Map<string, CommentEntry[]>();
    for (const row of rows) {
      const entry = {
        id: row.id,
        userId: row.user_id,
        text: row.text,
        createdAt: row.created_at,
        editedAt: row.edited_at,
      };
      const known = entries.get(row.thread_id);
      if (known) known.push(entry);
      else entries.set(row.thread_id, [entry]);
    }
    return threads.flatMap((row) => {
      const own = entries.get(row.id);
      return own
        ? {
            id: row.id,
            noteId: row.note_id,
            anchor: toAnchor(row),
            createdAt: row.created_at,
            resolvedAt: row.resolved_at,
            resolvedBy: row.resolved_by,
            entries: own,
          }
        : [];
    });
  }
}

function toAnchor(row: ThreadRow): CommentAnchor {
  return { quote: row.quote, before: row.text_before, after: row.text_after, at: row.place, heading: row.heading };
}

function anchorBytes({ quote }: CommentAnchor): number {
  return Buffer.byteLength(quote) + entryBytes;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text) + entryBytes;
}

function noticeOf(stamp: Stamp, note: CommentedNote, threadId: string, entry: NewEntry) {
  return {
    kind: 'note' as const,
    subjectId: note.id,
    threadId,
    entryId: entry.id,
    authorId: stamp.userId,
    version: 0,
    at: stamp.at,
    mentioned: entry.mentioned,
  };
}

async function addEntry(
  tx: Sql,
  stamp: Stamp,
  note: CommentedNote,
  thread: { id: string; participants: readonly string[] },
  entry: NewEntry,
  limits: CommentLimits,
  moreBytes: number,
): Promise<string[]> {
  const live = await tx.get(sql`SELECT 1 AS found FROM note WHERE id = ${note.id} AND deleted_at IS NULL`);
  if (!live) throw new CommentRefused({ reason: 'no_note', id: note.id });
  const bytes = bytesOf(entry.text);
  await tx.execute(
    insertRow('note_comment', 'id, thread_id, note_id, user_id, text, bytes, created_at, edited_at', {
      id: entry.id,
      threadId: thread.id,
      noteId: note.id,
      userId: stamp.userId,
      text: entry.text,
      bytes,
      createdAt: stamp.at,
      editedAt: null,
    }),
  );
  await followCommented(tx, { kind: 'note', id: note.id }, stamp.userId, stamp.at);
  const receivers = await addNotices(tx, {
    ...noticeOf(stamp, note, thread.id, entry),
    others: { participants: thread.participants, ownerId: note.authorId },
  });
  await charge(tx, note, bytes + moreBytes, limits);
  return receivers;
}

async function requireThread(tx: Sql, noteId: string, id: string): Promise<ThreadRow> {
  const row = await tx.get<ThreadRow>(sql`SELECT * FROM note_thread WHERE id = ${id} AND note_id = ${noteId}`);
  if (!row) throw new CommentRefused({ reason: 'no_thread', id });
  return row;
}

async function requireEntry(tx: Sql, threadId: string, id: string): Promise<EntryRow> {
  const row = await tx.get<EntryRow>(sql`SELECT id, thread_id, user_id, text, bytes, created_at, edited_at
    FROM note_comment WHERE id = ${id} AND thread_id = ${threadId}`);
  if (!row) throw new CommentRefused({ reason: 'no_entry', id });
  return row;
}

function charge(tx: Sql, note: CommentedNote, bytes: number, { quotaBytes }: CommentLimits): Promise<void> {
  return incrementStorage(
    tx,
    note.authorId,
    bytes,
    quotaBytes,
    (sum, over) => new CommentRefused({ reason: 'no_space', bytes: sum, ...over }),
  );
}

function refund(tx: Sql, note: CommentedNote, bytes: number): Promise<void> {
  return charge(tx, note, -bytes, { quotaBytes: 0 });
}

/**
 * Deletes the comments of a note that is deleted permanently. Returns the number of bytes that they occupied, so that
 * the caller can refund them to the user's storage quota.
 */
export async function deleteCommentsOf(tx: Sql, noteId: string): Promise<number> {
  const entries = await tx.all<{ bytes: number }>(sql`DELETE FROM note_comment WHERE note_id = ${noteId}
    RETURNING bytes`);
  const threads = await tx.all<ThreadRow>(sql`DELETE FROM note_thread WHERE note_id = ${noteId} RETURNING *`);
  const anchors = threads.reduce((sum, row) => sum + anchorBytes(toAnchor(row)), 0);
  return entries.reduce((sum, row) => sum + row.bytes, anchors);
}

import { nextTurn } from '../../../lib/in-turns.ts';
import { fromStorable, storable } from '../../../lib/storable-text.ts';
import { noteChangesOf } from '../search-outbox.ts';
import type { Stamp } from '../../../ports/stamp.ts';
import {
  WikiRefused,
  type Session,
  type SessionMessage,
  type SessionStore,
  type WikiLimits,
} from '../../../ports/wiki-store.ts';
import type { Database, Sql } from '../database.ts';
import { addStorage } from '../storage-use.ts';
import { takeSpace } from './items.ts';
import { inChunks, isReferenceSql } from './rows.ts';

interface SessionRow {
  id: string;
  user_id: string;
  title: string;
  message_count: number;
  bytes: number;
  created_at: number;
  modified_at: number;
}

type NewMessage = Omit<SessionMessage, 'number' | 'at'>;

const maxMessages = 10_000;

interface StorableMessage extends NewMessage {
  readonly bytes: number;
}

/** Characters processed before yielding to the event loop. */
const charactersAtOnce = 2 ** 20;

/** Escapes the messages before the transaction, to keep the transaction short. */
async function storableMessages(messages: readonly NewMessage[]): Promise<StorableMessage[]> {
  const ready: StorableMessage[] = [];
  let characters = 0;
  for (const { role, content: given } of messages) {
    const content = storable(given);
    ready.push({ role, content, bytes: Buffer.byteLength(content) });
    characters += content.length;
    if (characters < charactersAtOnce) continue;
    characters = 0;
    await nextTurn();
  }
  return ready;
}

export class SqlSessionStore implements SessionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #write<Result>(stamp: Stamp, id: string, body: (tx: Sql) => Promise<Result>): Promise<Result> {
    return this.#db.write(stamp, body, { target: id, lock: `session:${id}` });
  }

  async createSession(
    stamp: Stamp,
    session: { id: string; userId: string; title: string; messages: readonly NewMessage[] },
    limits: WikiLimits,
  ): Promise<Session> {
    const { id, userId } = session;
    const messages = await storableMessages(session.messages);
    return this.#write(stamp, id, async (tx) => {
      await tx.execute(
        'INSERT INTO wiki_session (id, user_id, title, message_count, bytes, created_at, modified_at) VALUES (?, ?, ?, 0, 0, ?, ?)',
        id,
        userId,
        storable(session.title),
        stamp.at,
        stamp.at,
      );
      return this.#add(tx, stamp.at, (await own(tx, userId, id))!, messages, limits);
    });
  }

  async appendSession(
    stamp: Stamp,
    userId: string,
    id: string,
    messages: readonly NewMessage[],
    limits: WikiLimits,
  ): Promise<Session> {
    const ready = await storableMessages(messages);
    return this.#write(stamp, id, async (tx) => {
      const row = await own(tx, userId, id);
      if (!row) throw new WikiRefused({ reason: 'no_session', id });
      return this.#add(tx, stamp.at, row, ready, limits);
    });
  }

  async #add(
    tx: Sql,
    at: number,
    row: SessionRow,
    messages: readonly StorableMessage[],
    limits: WikiLimits,
  ): Promise<Session> {
    const total = row.message_count + messages.length;
    if (total > maxMessages) throw new WikiRefused({ reason: 'too_many_messages', count: total, limit: maxMessages });
    let bytes = 0;
    let number = row.message_count;
    for (const message of messages) {
      bytes += message.bytes;
      await tx.execute(
        'INSERT INTO wiki_session_message (session_id, number, role, content, at) VALUES (?, ?, ?, ?, ?)',
        row.id,
        ++number,
        message.role,
        message.content,
        at,
      );
    }
    await takeSpace(tx, row.user_id, bytes, limits);
    await tx.execute(
      'UPDATE wiki_session SET message_count = ?, bytes = bytes + ?, modified_at = ? WHERE id = ?',
      total,
      bytes,
      at,
      row.id,
    );
    await tellItems(tx, row.id);
    return toSession({ ...row, message_count: total, modified_at: at });
  }

  async session(id: string): Promise<Session | undefined> {
    const row = await this.#db.get<SessionRow>('SELECT * FROM wiki_session WHERE id = ?', id);
    return row && toSession(row);
  }

  async sessions(ids: readonly string[]): Promise<Session[]> {
    const rows = await inChunks<SessionRow>(ids, (list, chunk) =>
      this.#db.all(`SELECT * FROM wiki_session WHERE id IN (${list})`, ...chunk),
    );
    return rows.map(toSession);
  }

  async messagesOf(ids: readonly string[]): Promise<Map<string, SessionMessage[]>> {
    const rows = await inChunks<SessionMessage & { session_id: string }>(ids, (list, chunk) =>
      this.#db.all(
        `SELECT session_id, number, role, content, at FROM wiki_session_message WHERE session_id IN (${list}) ORDER BY session_id, number`,
        ...chunk,
      ),
    );
    const found = new Map<string, SessionMessage[]>();
    for (const { session_id: id, ...message } of rows) {
      const own = found.get(id) ?? [];
      own.push({ ...message, content: fromStorable(message.content) });
      found.set(id, own);
    }
    return found;
  }

  async messages(id: string, after: number, limit: number): Promise<SessionMessage[]> {
    const rows = await this.#db.all<{ number: number; role: string; content: string; at: number }>(
      'SELECT number, role, content, at FROM wiki_session_message WHERE session_id = ? AND number > ? ORDER BY number LIMIT ?',
      id,
      after,
      limit,
    );
    return rows.map((row) => ({ ...row, content: fromStorable(row.content) }));
  }

  deleteSession(stamp: Stamp, userId: string, id: string): Promise<boolean> {
    return this.#write(stamp, id, async (tx) => {
      const row = await own(tx, userId, id);
      if (!row) return false;
      await tx.execute('DELETE FROM wiki_session_message WHERE session_id = ?', id);
      await tx.execute('DELETE FROM wiki_session WHERE id = ?', id);
      if (row.bytes > 0) await addStorage(tx, userId, -row.bytes, 0);
      await tellItems(tx, id);
      return true;
    });
  }
}

function own(tx: Pick<Sql, 'get'>, userId: string, id: string): Promise<SessionRow | undefined> {
  return tx.get<SessionRow>('SELECT * FROM wiki_session WHERE id = ? AND user_id = ?', id, userId);
}

/** Queues the items that show the session for the search index. */
async function tellItems(tx: Sql, sessionId: string): Promise<void> {
  await noteChangesOf(tx, 'wiki_item', `content_id = ? AND ${isReferenceSql}`, sessionId);
}

function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    userId: row.user_id,
    title: fromStorable(row.title),
    messageCount: row.message_count,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

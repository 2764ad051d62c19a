import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { unescapeText, escapeText } from '../../../lib/escaped-text.ts';
import { queueMatchingForIndex } from '../queue-for-index.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import {
  WikiRefused,
  type AiSession,
  type AiSessionMessage,
  type AiSessionStore,
  type WikiLimits,
} from '../../../ports/wiki-store.ts';
import type { Database, Sql } from '../database.ts';
import { rowMapper, type Row } from '../row.ts';
import { queryInChunks, sql } from '../statement.ts';
import { addStorage } from '../storage-usage.ts';
import { chargeItemStorage } from './item-store.ts';
import { isReferenceSql } from './wiki-rows.ts';

type AiSessionRow = Row<AiSession> & { bytes: number };

const toAiSession = rowMapper<AiSession>()('id, user_id, message_count, created_at, modified_at', {
  title: (row: AiSessionRow) => unescapeText(row.title),
});

type NewMessage = Omit<AiSessionMessage, 'number' | 'at'>;

const maxMessages = 10_000;

interface StorableMessage extends NewMessage {
  readonly bytes: number;
}

/** Number of characters that are escaped before yielding to the event loop. */
const charactersAtOnce = 2 ** 20;

/** Escapes the messages for storage. Called before the transaction, to keep the transaction short. */
async function storableMessages(messages: readonly NewMessage[]): Promise<StorableMessage[]> {
  const ready: StorableMessage[] = [];
  let characters = 0;
  for (const { role, content: given } of messages) {
    const content = escapeText(given);
    ready.push({ role, content, bytes: Buffer.byteLength(content) });
    characters += content.length;
    if (characters < charactersAtOnce) continue;
    characters = 0;
    await yieldToEventLoop();
  }
  return ready;
}

export class SqlAiSessionStore implements AiSessionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #write<Result>(stamp: Stamp, id: string, body: (tx: Sql) => Promise<Result>): Promise<Result> {
    return this.#db.write(stamp, { target: id, lock: `session:${id}` }, body);
  }

  async createSession(...[stamp, session, limits]: Parameters<AiSessionStore['createSession']>): Promise<AiSession> {
    const { id, userId } = session;
    const messages = await storableMessages(session.messages);
    return this.#write(stamp, id, async (tx) => {
      await tx.execute(sql`INSERT INTO wiki_session (id, user_id, title, message_count, bytes, created_at, modified_at)
        VALUES (${id}, ${userId}, ${escapeText(session.title)}, 0, 0, ${stamp.at}, ${stamp.at})`);
      return this.#add(tx, stamp.at, (await findOwnSession(tx, userId, id))!, messages, limits);
    });
  }

  async appendSession(
    stamp: Stamp,
    userId: string,
    id: string,
    messages: readonly NewMessage[],
    limits: WikiLimits,
  ): Promise<AiSession> {
    const ready = await storableMessages(messages);
    return this.#write(stamp, id, async (tx) => {
      const row = await findOwnSession(tx, userId, id);
      if (!row) throw new WikiRefused({ reason: 'no_session', id });
      return this.#add(tx, stamp.at, row, ready, limits);
    });
  }

  async #add(
    tx: Sql,
    at: number,
    row: AiSessionRow,
    messages: readonly StorableMessage[],
    limits: WikiLimits,
  ): Promise<AiSession> {
    const total = row.message_count + messages.length;
    if (total > maxMessages) throw new WikiRefused({ reason: 'too_many_messages', count: total, limit: maxMessages });
    let bytes = 0;
    let number = row.message_count;
    for (const message of messages) {
      bytes += message.bytes;
      await tx.execute(sql`INSERT INTO wiki_session_message (session_id, number, role, content, at)
        VALUES (${row.id}, ${++number}, ${message.role}, ${message.content}, ${at})`);
    }
    await chargeItemStorage(tx, row.user_id, bytes, limits);
    await tx.execute(sql`UPDATE wiki_session SET message_count = ${total}, bytes = bytes + ${bytes}, modified_at = ${at}
      WHERE id = ${row.id}`);
    await queueItemsOfSession(tx, row.id);
    return toAiSession({ ...row, message_count: total, modified_at: at });
  }

  async session(id: string): Promise<AiSession | undefined> {
    const row = await this.#db.get<AiSessionRow>(sql`SELECT * FROM wiki_session WHERE id = ${id}`);
    return row && toAiSession(row);
  }

  async sessions(ids: readonly string[]): Promise<AiSession[]> {
    const rows = await queryInChunks<AiSessionRow>(ids, (list) =>
      this.#db.all(sql`SELECT * FROM wiki_session WHERE id IN (${list})`),
    );
    return rows.map(toAiSession);
  }

  async messagesOf(ids: readonly string[]): Promise<Map<string, AiSessionMessage[]>> {
    const rows = await queryInChunks<AiSessionMessage & { session_id: string }>(ids, (list) =>
      this.#db.all(sql`SELECT session_id, number, role, content, at FROM wiki_session_message
        WHERE session_id IN (${list}) ORDER BY session_id, number`),
    );
    const found = new Map<string, AiSessionMessage[]>();
    for (const { session_id: id, ...message } of rows) {
      const own = found.get(id) ?? [];
      own.push({ ...message, content: unescapeText(message.content) });
      found.set(id, own);
    }
    return found;
  }

  async messages(id: string, after: number, limit: number): Promise<AiSessionMessage[]> {
    const rows = await this.#db.all<{ number: number; role: string; content: string; at: number }>(sql`SELECT number,
      role, content, at FROM wiki_session_message WHERE session_id = ${id} AND number > ${after} ORDER BY number
      LIMIT ${limit}`);
    return rows.map((row) => ({ ...row, content: unescapeText(row.content) }));
  }

  deleteSession(stamp: Stamp, userId: string, id: string): Promise<boolean> {
    return this.#write(stamp, id, async (tx) => {
      const row = await findOwnSession(tx, userId, id);
      if (!row) return false;
      await tx.execute(sql`DELETE FROM wiki_session_message WHERE session_id = ${id}`);
      await tx.execute(sql`DELETE FROM wiki_session WHERE id = ${id}`);
      if (row.bytes > 0) await addStorage(tx, userId, -row.bytes, 0);
      await queueItemsOfSession(tx, id);
      return true;
    });
  }
}

function findOwnSession(tx: Pick<Sql, 'get'>, userId: string, id: string): Promise<AiSessionRow | undefined> {
  return tx.get<AiSessionRow>(sql`SELECT * FROM wiki_session WHERE id = ${id} AND user_id = ${userId}`);
}

/** Queues the knowledge base items that refer to the AI session, so that the search index is updated. */
async function queueItemsOfSession(tx: Sql, sessionId: string): Promise<void> {
  await queueMatchingForIndex(tx, 'wiki_item', `content_id = ? AND ${isReferenceSql}`, sessionId);
}

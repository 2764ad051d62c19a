import type { Stamp } from '../../ports/audit-stamp.ts';
import { maxMemories, memoryBytes, MemoryRefused, type Memory, type MemoryStore } from '../../ports/memory-store.ts';
import type { Database, Sql } from './database.ts';
import { insertRow, rowMapper, type Row } from './row.ts';
import { queryInChunks, raw, sql, type Statement } from './statement.ts';
import { addStorage } from './storage-usage.ts';

const columns = 'id, user_id, app_id, app_name, text, about, created_at';
const toMemory = rowMapper<Memory>()(columns);

export class SqlMemoryStore implements MemoryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(stamp: Stamp, memory: Memory, { quotaBytes }: { quotaBytes: number }): Promise<void> {
    const { userId, appId } = memory;
    const bytes = memoryBytes + Buffer.byteLength(memory.text) + Buffer.byteLength(memory.about);
    await this.#db.write(stamp, { target: memory.id, lock: lockOf(userId) }, async (tx) => {
      const found = await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM agent_memory
        WHERE user_id = ${userId} AND app_id = ${appId}`);
      const count = found?.n ?? 0;
      if (count >= maxMemories) throw new MemoryRefused({ reason: 'too_many', count, limit: maxMemories });
      await tx.execute(insertRow('agent_memory', `${columns}, bytes`, { ...memory, bytes }));
      const over = await addStorage(tx, userId, bytes, quotaBytes);
      if (over) throw new MemoryRefused({ reason: 'no_space', bytes, ...over });
    });
  }

  async list(...[userId, { appId, before, limit }]: Parameters<MemoryStore['list']>): Promise<Memory[]> {
    const ofApp = appId === undefined ? raw('') : sql` AND app_id = ${appId}`;
    const older = before === undefined ? raw('') : sql` AND id < ${before}`;
    const rows = await this.#db.all<Row<Memory>>(sql`SELECT ${raw(columns)} FROM agent_memory
      WHERE user_id = ${userId}${ofApp}${older} ORDER BY id DESC LIMIT ${limit}`);
    return rows.map(toMemory);
  }

  erase(...[stamp, userId, { appId, ids }]: Parameters<MemoryStore['erase']>): Promise<number> {
    const ofApp = appId === undefined ? raw('') : sql` AND app_id = ${appId}`;
    return this.#db.write(stamp, { target: ids ?? userId, lock: lockOf(userId) }, async (tx) => {
      const remove = (which: Statement): Promise<{ bytes: number }[]> =>
        tx.all(sql`DELETE FROM agent_memory WHERE user_id = ${userId}${ofApp}${which} RETURNING bytes`);
      const gone =
        ids === undefined
          ? await remove(raw(''))
          : await queryInChunks<{ bytes: number }>([...new Set(ids)], (list) => remove(sql` AND id IN (${list})`));
      if (gone.length > 0) await addStorage(tx, userId, -gone.reduce((sum, { bytes }) => sum + bytes, 0), 0);
      return gone.length;
    });
  }
}

function lockOf(userId: string): string {
  return `memory:${userId}`;
}

export async function deleteMemoriesOf(tx: Sql, userId: string): Promise<void> {
  const gone = await tx.all<{ bytes: number }>(sql`DELETE FROM agent_memory WHERE user_id = ${userId} RETURNING bytes`);
  if (gone.length > 0) await addStorage(tx, userId, -gone.reduce((sum, { bytes }) => sum + bytes, 0), 0);
}

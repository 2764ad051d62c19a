import { StorageFull, type KeepOptions, type KeptObjects } from '../../ports/kept-objects.ts';
import type { Database, SharedStep, Sql } from './database.ts';
import { addStorage, giveBack, type CountedRow } from './storage-use.ts';
import { inChunks } from './wiki/rows.ts';

export class SqlKeptObjects implements KeptObjects {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async keep(userId: string, key: string, bytes: number, options: KeepOptions): Promise<void> {
    await this.#db.write(
      options.stamp ?? null,
      async (tx) => {
        const before = await tx.all<CountedRow>('DELETE FROM kept_object WHERE key = ? RETURNING user_id, bytes', key);
        if (options.madeOf !== undefined) before.push(...(await forgetUnder(tx, options.madeOf)));
        await tx.execute('INSERT INTO kept_object (key, user_id, bytes) VALUES (?, ?, ?)', key, userId, bytes);
        if (options.until !== undefined) {
          await tx.execute(
            'INSERT INTO wiki_garbage (cos_key, due_at) VALUES (?, ?) ON CONFLICT (cos_key) DO NOTHING',
            key,
            options.until,
          );
        }
        // The replaced objects already count for the user, so only the difference must fit.
        const more = before.filter((row) => row.user_id === userId).reduce((left, row) => left - row.bytes, bytes);
        await giveBack(
          tx,
          before.filter((row) => row.user_id !== userId),
        );
        const over = await addStorage(tx, userId, more, options.quotaBytes);
        if (over) throw new StorageFull({ reason: 'storage_full', field: options.field, bytes, ...over });
      },
      { lock: `kept:${userId}`, target: options.target ?? '' },
    );
  }

  async release(key: string): Promise<void> {
    await this.#db.write(null, (tx) => releaseObject(tx, key));
  }

  async releaseUnder(prefix: string): Promise<void> {
    await this.#db.write(null, async (tx) => giveBack(tx, await forgetUnder(tx, prefix)));
  }
}

/** Stops counting an object, in the transaction that deletes it or counts it elsewhere. */
export async function releaseObject(tx: Sql, key: string): Promise<void> {
  await giveBack(tx, await tx.all<CountedRow>('DELETE FROM kept_object WHERE key = ? RETURNING user_id, bytes', key));
}

/** Stops counting an object and unmarks it as garbage, because a row now refers to it and counts it. */
export async function takeOver(tx: Sql, key: string): Promise<void> {
  await releaseObject(tx, key);
  await tx.execute('DELETE FROM wiki_garbage WHERE cos_key = ?', key);
}

/** Like `takeOver`, for many objects; returns how each was counted. */
const takeOverMany: SharedStep<string, readonly CountedRow[]> = {
  async take(sql, keys) {
    const rows = await inChunks<CountedRow & { key: string }>(keys, (list, chunk) =>
      sql.all(`DELETE FROM kept_object WHERE key IN (${list}) RETURNING key, user_id, bytes`, ...chunk),
    );
    await inChunks(keys, async (list, chunk) => {
      await sql.execute(`DELETE FROM wiki_garbage WHERE cos_key IN (${list})`, ...chunk);
      return [];
    });
    return keys.map((key) => rows.filter((row) => row.key === key));
  },
};

/**
 * Like `takeOver`, for an object that now belongs to a user. Returns the change in the user's bytes: the size less what
 * already counted for the user.
 */
export async function takeOverFor(tx: Sql, key: string, userId: string, bytes: number): Promise<number> {
  const counted = await tx.share(takeOverMany, key);
  await giveBack(
    tx,
    counted.filter((row) => row.user_id !== userId),
  );
  return counted.filter((row) => row.user_id === userId).reduce((more, row) => more - row.bytes, bytes);
}

/** Deletes the rows of all keys with a prefix. Keys are ASCII, so `~` sorts after all of them. */
function forgetUnder(tx: Sql, prefix: string): Promise<CountedRow[]> {
  return tx.all<CountedRow>(
    'DELETE FROM kept_object WHERE key >= ? AND key < ? RETURNING user_id, bytes',
    prefix,
    `${prefix}~`,
  );
}

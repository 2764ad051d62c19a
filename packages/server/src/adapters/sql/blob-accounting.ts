import { QuotaExceeded, type BlobAccountingOptions, type BlobAccounting } from '../../ports/blob-accounting.ts';
import type { Database, BatchStep, Sql } from './database.ts';
import { queryInChunks, sql } from './statement.ts';
import { addStorage, refundStorage, type CountedRow } from './storage-usage.ts';

export class SqlBlobAccounting implements BlobAccounting {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async charge(userId: string, key: string, bytes: number, options: BlobAccountingOptions): Promise<void> {
    await this.#db.write(
      options.stamp ?? null,
      { lock: `kept:${userId}`, target: options.target ?? '' },
      async (tx) => {
        const before = await tx.all<CountedRow>('DELETE FROM kept_object WHERE key = ? RETURNING user_id, bytes', key);
        if (options.assembledFrom !== undefined) before.push(...(await deleteByPrefix(tx, options.assembledFrom)));
        await tx.execute(sql`INSERT INTO kept_object (key, user_id, bytes) VALUES (${key}, ${userId}, ${bytes})`);
        if (options.expiresAt !== undefined) {
          await tx.execute(sql`INSERT INTO wiki_garbage (cos_key, due_at) VALUES (${key}, ${options.expiresAt})
            ON CONFLICT (cos_key) DO NOTHING`);
        }
        // `before` lists the charges that this object replaces. Subtract those of the same user, because only the
        // difference is new and must fit into the quota.
        const more = before.filter((row) => row.user_id === userId).reduce((left, row) => left - row.bytes, bytes);
        await refundStorage(
          tx,
          before.filter((row) => row.user_id !== userId),
        );
        const over = await addStorage(tx, userId, more, options.quotaBytes);
        if (over) throw new QuotaExceeded({ reason: 'storage_full', field: options.field, bytes, ...over });
      },
    );
  }

  async release(key: string): Promise<void> {
    await this.#db.write(null, (tx) => releaseBlob(tx, key));
  }

  async releasePrefix(prefix: string): Promise<void> {
    await this.#db.write(null, async (tx) => refundStorage(tx, await deleteByPrefix(tx, prefix)));
  }
}

/**
 * Stops charging a stored object (blob) to its user's quota. Called in the transaction that deletes the object or
 * charges it differently.
 */
export async function releaseBlob(tx: Sql, key: string): Promise<void> {
  await refundStorage(
    tx,
    await tx.all<CountedRow>(sql`DELETE FROM kept_object WHERE key = ${key} RETURNING user_id, bytes`),
  );
}

/**
 * Called when a database row begins to refer to a stored object (blob). Removes the object's own quota charge and its
 * mark as garbage, if any, because its bytes are from now on charged together with the row.
 */
export async function adoptBlob(tx: Sql, key: string): Promise<void> {
  await releaseBlob(tx, key);
  await tx.execute(sql`DELETE FROM wiki_garbage WHERE cos_key = ${key}`);
}

/**
 * Deletes the separate quota charges of many stored objects and their marks as garbage. Unlike `adoptBlob`, does not
 * subtract the charged bytes from the users' usage, but returns them for each object.
 */
const adoptBlobs: BatchStep<string, readonly CountedRow[]> = async (tx, keys) => {
  const rows = await queryInChunks<CountedRow & { key: string }>(keys, (list) =>
    tx.all(sql`DELETE FROM kept_object WHERE key IN (${list}) RETURNING key, user_id, bytes`),
  );
  await queryInChunks(keys, (list) => tx.execute(sql`DELETE FROM wiki_garbage WHERE cos_key IN (${list})`));
  return keys.map((key) => rows.filter((row) => row.key === key));
};

/**
 * Called when a database row of this user begins to refer to a stored object. Removes the object's separate quota
 * charge and its mark as garbage. Returns the number of bytes that the caller must still charge to the user: the
 * object's size minus the bytes that are already charged. The result can be negative.
 */
export async function adoptBlobFor(tx: Sql, key: string, userId: string, bytes: number): Promise<number> {
  const counted = await tx.batched(adoptBlobs, key);
  await refundStorage(
    tx,
    counted.filter((row) => row.user_id !== userId),
  );
  return counted.filter((row) => row.user_id === userId).reduce((more, row) => more - row.bytes, bytes);
}

/**
 * Deletes the quota charges of all stored objects whose keys begin with the prefix, and returns them. `~` ends the
 * range, because all characters of a key sort before it.
 */
function deleteByPrefix(tx: Sql, prefix: string): Promise<CountedRow[]> {
  return tx.all<CountedRow>(sql`DELETE FROM kept_object WHERE key >= ${prefix} AND key < ${`${prefix}~`} RETURNING
    user_id, bytes`);
}

import type { Sql } from './database.ts';

export interface StorageUsage {
  used: number;
  quota: number;
}

const add = `INSERT INTO storage_use (user_id, bytes) VALUES (?, ?)
  ON CONFLICT (user_id) DO UPDATE SET bytes = storage_use.bytes + excluded.bytes`;
const addReturning = `${add} RETURNING bytes, (SELECT quota_bytes FROM user_account WHERE id = ?) AS quota_bytes`;

/**
 * Charges bytes to a user's quota within a store's transaction. Returns undefined if they fit. Otherwise returns the
 * used bytes and the quota, and the store must throw, which rolls back the charge. Negative amounts always fit.
 */
export async function addStorage(
  tx: Sql,
  userId: string,
  bytes: number,
  defaultQuota: number,
): Promise<StorageUsage | undefined> {
  if (bytes <= 0) {
    await tx.execute(add, userId, bytes);
    return undefined;
  }
  const row = await tx.get<{ bytes: number; quota_bytes: number | null }>(addReturning, userId, bytes, userId);
  const quota = row?.quota_bytes ?? defaultQuota;
  const used = row?.bytes ?? 0;
  return used > quota ? { used: used - bytes, quota } : undefined;
}

/** User and size of a deleted row. The bytes are subtracted from the storage that is charged to the user. */
export interface CountedRow {
  user_id: string;
  bytes: number;
}

export async function refundStorage(tx: Sql, rows: readonly CountedRow[]): Promise<void> {
  const byUser = new Map<string, number>();
  for (const row of rows) byUser.set(row.user_id, (byUser.get(row.user_id) ?? 0) + row.bytes);
  for (const [userId, bytes] of byUser) await addStorage(tx, userId, -bytes, 0);
}

/**
 * Adds bytes to the storage that is charged to a user. All additions in one transaction are summed and applied
 * together. If the sum exceeds the user's quota, the write fails with the error that `refuse` returns; with `mustFit`,
 * the bytes are charged nevertheless.
 */
export function incrementStorage(
  tx: Sql,
  userId: string,
  bytes: number,
  defaultQuota: number,
  refuse: (bytes: number, use: StorageUsage) => Error,
  mustFit = false,
): Promise<void> {
  return tx.increment({
    name: `storage:${userId}`,
    by: [bytes],
    async apply(tx, [sum = 0]) {
      const over = await addStorage(tx, userId, sum, defaultQuota);
      if (over && !mustFit) throw refuse(sum, over);
    },
  });
}

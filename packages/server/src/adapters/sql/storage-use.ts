import type { Sql } from './database.ts';

export interface StorageUse {
  used: number;
  quota: number;
}

const add = `INSERT INTO storage_use (user_id, bytes) VALUES (?, ?)
  ON CONFLICT (user_id) DO UPDATE SET bytes = storage_use.bytes + excluded.bytes`;
const addAndTell = `${add} RETURNING bytes, (SELECT quota_bytes FROM user_account WHERE id = ?) AS quota_bytes`;

/**
 * Counts bytes for a user inside a store's own transaction. Answers undefined when they fit, or what is used and allowed
 * when they do not: the store then throws, and its transaction takes the count back. Giving bytes back always fits.
 */
export async function addStorage(
  tx: Sql,
  userId: string,
  bytes: number,
  defaultQuota: number,
): Promise<StorageUse | undefined> {
  if (bytes <= 0) {
    await tx.execute(add, userId, bytes);
    return undefined;
  }
  const row = await tx.get<{ bytes: number; quota_bytes: number | null }>(addAndTell, userId, bytes, userId);
  const quota = row?.quota_bytes ?? defaultQuota;
  const used = row?.bytes ?? 0;
  return used > quota ? { used: used - bytes, quota } : undefined;
}

/** Rows that count for a user, now deleted. */
export interface CountedRow {
  user_id: string;
  bytes: number;
}

export async function giveBack(tx: Sql, rows: readonly CountedRow[]): Promise<void> {
  const byUser = new Map<string, number>();
  for (const row of rows) byUser.set(row.user_id, (byUser.get(row.user_id) ?? 0) + row.bytes);
  for (const [userId, bytes] of byUser) await addStorage(tx, userId, -bytes, 0);
}

/**
 * `addStorage` for writes that go together: they are added up, and refused by what `refuse` makes of what is used and allowed.
 * What must be written always fits.
 */
export function tallyStorage(
  tx: Sql,
  userId: string,
  bytes: number,
  defaultQuota: number,
  refuse: (bytes: number, use: StorageUse) => Error,
  mustFit = false,
): Promise<void> {
  return tx.tally({
    name: `storage:${userId}`,
    by: [bytes],
    async apply(sql, [sum = 0]) {
      const over = await addStorage(sql, userId, sum, defaultQuota);
      if (over && !mustFit) throw refuse(sum, over);
    },
  });
}

import type { Database } from '../sql/database.ts';

/** Stores the time at which a backup was made, in milliseconds, for the gauge of every node. */
export async function recordBackup(database: Database, createdAt: number): Promise<void> {
  await database.write(null, (tx) =>
    tx.run(
      `INSERT INTO last_backup (name, created_at) VALUES ('newest', ?)
       ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at`,
      createdAt,
    ),
  );
}

/** Returns the time of the newest backup in milliseconds, or 0 without one. */
export async function newestBackup(database: Database): Promise<number> {
  const row = await database.get<{ created_at: number }>('SELECT created_at FROM last_backup');
  return row?.created_at ?? 0;
}

import type { Database } from '../sql/database.ts';

/** Stores the time of a backup in the database, in milliseconds, so that every node can report it. */
export async function recordBackup(database: Database, createdAt: number): Promise<void> {
  await database.write(null, (tx) =>
    tx.run(
      `INSERT INTO last_backup (name, created_at) VALUES ('newest', ?)
       ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at`,
      createdAt,
    ),
  );
}

/** Returns the time of the newest backup in milliseconds, or 0 if there is no backup. */
export async function newestBackup(database: Database): Promise<number> {
  const row = await database.get<{ created_at: number }>('SELECT created_at FROM last_backup');
  return row?.created_at ?? 0;
}

import type { GaugeSource } from '../adapters/metrics/prometheus.ts';
import { newestBackup } from '../adapters/backup/last-backup.ts';
import type { Database } from '../adapters/sql/database.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * Returns gauges of database health (up, writable, newest backup) and of work queued in the database (changes to index,
 * due jobs).
 */
export function databaseHealthGauges(database: Database, clock: Clock): GaugeSource[] {
  const number = async (sql: string): Promise<number> => (await database.get<{ n: number | null }>(sql))?.n ?? 0;
  return [
    {
      name: 'sheaf_database_up',
      help: 'Whether the database answers: 1, or 0 when gauges that it is asked for keep their last value.',
      query: () => database.ping().then(() => 1),
      fallback: 0,
    },
    {
      name: 'sheaf_database_writable',
      help: 'Whether the database takes writes: 1, or 0 after one was refused (full disk, read-only standby).',
      read: () => (database.writeRefusal() === undefined ? 1 : 0),
    },
    {
      name: 'sheaf_database_damaged',
      help: 'Whether the database file was found damaged: 1, or 0. From then on writes are refused.',
      read: () => (database.damage() === undefined ? 0 : 1),
    },
    {
      name: 'sheaf_last_backup_seconds',
      help: 'When the newest backup by sheaf backup was made, in seconds since 1970; 0 without one.',
      query: async () => (await newestBackup(database)) / 1000,
    },
    {
      name: 'sheaf_search_outbox',
      help: 'Changes that are not in the search index yet.',
      query: () => number('SELECT COUNT(*) AS n FROM search_outbox'),
    },
    {
      name: 'sheaf_oldest_job_seconds',
      help: 'Seconds since the oldest waiting job became due; 0 without one.',
      async query() {
        const row = await database.get<{ n: number | null }>("SELECT MIN(run_at) AS n FROM job WHERE state = 'queued'");
        return row?.n == null ? 0 : Math.max(0, (clock.now() - row.n) / 1000);
      },
    },
  ];
}

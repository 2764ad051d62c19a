import type { Measure } from '../adapters/metrics/prometheus.ts';
import type { Database } from '../adapters/sql/database.ts';
import type { Clock } from '../ports/clock.ts';

/** What the database knows of work that waits; both kinds of it. */
export function measuresOf(database: Database, clock: Clock): Measure[] {
  const number = async (sql: string): Promise<number> => (await database.get<{ n: number | null }>(sql))?.n ?? 0;
  return [
    {
      name: 'sheaf_search_outbox',
      help: 'Changes that are not in the search index yet.',
      read: () => number('SELECT COUNT(*) AS n FROM search_outbox'),
    },
    {
      name: 'sheaf_oldest_job_seconds',
      help: 'Seconds since the oldest waiting job became due; 0 without one.',
      async read() {
        const row = await database.get<{ n: number | null }>("SELECT MIN(run_at) AS n FROM job WHERE state = 'queued'");
        return row?.n == null ? 0 : Math.max(0, (clock.now() - row.n) / 1000);
      },
    },
  ];
}

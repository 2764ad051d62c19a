import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/adapters/sql/postgres.ts';
import { freshPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';

test(
  '[finding Q11] a node under whom a newer version changed the schema says so and is not ready; its metrics tell how it is',
  { timeout: 120_000 },
  async () => {
    const databaseUrl = await freshPostgres();
    const server = await startServer({ database: 'postgres', databaseUrl, runJobs: false });
    onTestFinished(() => server.close());
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('\nsheaf_event_connection 1\n');
    expect(metrics).toContain('\nsheaf_access_lease 1\n');
    for (const name of ['database_waiting', 'database_repeats', 'search_outbox', 'oldest_job_seconds'])
      expect(metrics).toMatch(new RegExp(`^sheaf_${name} \\d`, 'm'));
    const newer = await openPostgres(databaseUrl, { connections: 1 });
    onTestFinished(() => newer.close());
    await newer.script(['SELECT 1'], "INSERT INTO schema_version (number, name) VALUES (9999, 'of a newer version')");
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status, { timeout: 30_000 }).toBe(503);
    expect(await (await fetch(`${server.url}/readyz`)).text()).toContain(
      'a newer version of sheaf has changed the database: start that one here',
    );
  },
);

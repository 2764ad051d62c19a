import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';

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
    const readiness = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;
    // A step that only adds: older nodes go on while one after the other is upgraded. The node hears of it as it renews its lease.
    await newer.script(
      ['INSERT INTO schema_support (number, works_with) VALUES (9998, 1)'],
      "INSERT INTO schema_version (number, name) VALUES (9998, 'adds')",
    );
    const renewed = async (): Promise<number> =>
      (await newer.get<{ until: number }>('SELECT MAX(lease_until) AS until FROM cluster_node'))!.until;
    for (let turn = 0; turn < 2; turn++) {
      const before = await renewed();
      await expect.poll(renewed, { timeout: 30_000 }).toBeGreaterThan(before);
    }
    expect(await readiness()).toBe(200);
    await newer.script(['SELECT 1'], "INSERT INTO schema_version (number, name) VALUES (9999, 'of a newer version')");
    await expect.poll(readiness, { timeout: 30_000 }).toBe(503);
    expect(await (await fetch(`${server.url}/readyz`)).text()).toContain(
      'a newer version of sheaf has changed the database: start that one here',
    );
  },
);

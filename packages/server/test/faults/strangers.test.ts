import { expect, onTestFinished, test } from 'vitest';
import type { PostgresDatabase } from '../../src/adapters/sql/postgres/database.ts';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';

const accounts = Number(process.env['SHEAF_DRILL_ACCOUNTS'] ?? 64);
const rounds = Number(process.env['SHEAF_DRILL_WRITES'] ?? 4);

/** Strangers share no note, document or base: on small, analyzed tables they must not fail because of each other. */
test(
  `[finding Q2] ${accounts} accounts write at once on analyzed PostgreSQL: none fails, and hardly any write runs again`,
  { timeout: 300_000 },
  async () => {
    const server = await startServer({ database: 'postgres' });
    onTestFinished(() => server.close());
    const { pool } = server.app.database as PostgresDatabase;
    const keys: Key[] = [];
    const places = new Map<Key, { file_id: string; sheet_id: string; base: string }>();
    const settle = async (): Promise<void> => {
      const key = await server.newUser();
      const { data: file } = await server.call('http', 'manage', 'create_file', { title: 'Mine' }, key);
      const { data: base } = await server.call('http', 'wiki', 'create_knowledge_base', { name: 'Mine' }, key);
      await server.call('http', 'note', 'import_doc', { content_format: 1, content: '# First' }, key);
      places.set(key, { file_id: file.file_id, sheet_id: file.sheet_id, base: base.knowledge_base_id });
      keys.push(key);
    };
    while (keys.length < accounts)
      await Promise.all(Array.from({ length: Math.min(8, accounts - keys.length) }, settle));
    await pool.query('ANALYZE');
    const before = await undone(pool);
    const failures: string[] = [];
    const started = performance.now();
    const writer = async (key: Key): Promise<void> => {
      const { file_id, sheet_id, base } = places.get(key)!;
      for (let round = 0; round < rounds; round++) {
        const calls: [string, string, object][] = [
          ['note', 'import_doc', { content_format: 1, content: `# Note ${round}\n\nof nobody else` }],
          [
            'sheet',
            'set_cell_value',
            { file_id, sheet_id, row: round, col: 0, value_type: 'NUMBER', number_value: round },
          ],
          ['wiki', 'create_folder', { knowledge_base_id: base, name: `Folder ${round}` }],
        ];
        for (const [module, operation, input] of calls) {
          const { code, msg } = await server.call('http', module, operation, input, key);
          if (code !== 0) failures.push(`${operation}: ${code} ${msg}`);
        }
      }
    };
    await Promise.all(keys.map(writer));
    const seconds = (performance.now() - started) / 1000;
    const writes = accounts * rounds * 3;
    const again = (await undone(pool)) - before;
    console.log(
      `${accounts} accounts: ${writes} writes in ${seconds.toFixed(1)} s ` +
        `(${Math.round(writes / seconds)}/s), ${failures.length} failed, ${again} transactions rolled back`,
    );
    expect(failures).toEqual([]);
    expect(again).toBeLessThan(writes / 20);
  },
);

/** How many transactions this database undid. */
async function undone(pool: PostgresDatabase['pool']): Promise<number> {
  // Counters of a connection are told to all when it has been idle for a moment.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { rows } = await pool.query<{ n: number }>(
    'SELECT xact_rollback::int AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]!.n;
}

import { expect, onTestFinished, test } from 'vitest';
import { startNode } from '../support/node-process.ts';
import { startPooler } from '../support/pooler.ts';
import { freshPostgres, postgresAdmin } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temp.ts';

test(
  '[finding Q6] through a pooler in transaction mode all calls succeed, live events arrive and no lock stays behind',
  { timeout: 120_000 },
  async () => {
    const direct = await freshPostgres();
    const pooler = await startPooler(direct, 3);
    onTestFinished(() => pooler.close());
    const server = await startServer({
      database: 'postgres',
      databaseUrl: pooler.url,
      config: { SHEAF_DATABASE_DIRECT_URL: direct },
    });
    onTestFinished(() => server.close());
    const heard: unknown[] = [];
    server.app.services.events.subscribe('pooled', (data) => heard.push(data));
    const { data: file } = await server.call('http', 'manage', 'create_file', { title: 'Pooled' });
    const calls = Array.from({ length: 100 }, (_, n) =>
      n % 2 === 0
        ? server.call('http', 'note', 'import_doc', { content_format: 1, content: `# Note ${n}` })
        : server.call('http', 'sheet', 'set_cell_value', {
            file_id: file.file_id,
            sheet_id: file.sheet_id,
            row: n,
            col: 0,
            value_type: 'NUMBER',
            number_value: n,
          }),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ code }) => code !== 0)).toEqual([]);
    await server.app.services.events.publish('pooled', 'news');
    await expect.poll(() => heard).toEqual(['news']);
    // What is written in the background holds one for as long as its transaction lasts.
    const locks = () =>
      postgresAdmin(
        "SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE l.locktype = 'advisory' AND d.datname = $1",
        [new URL(direct).pathname.slice(1)],
      );
    await expect.poll(locks, { timeout: 10_000 }).toEqual([]);
  },
);

test(
  '[finding Q6] a pooler without the direct address, or in its place, is refused at the start with the reason',
  { timeout: 120_000 },
  async () => {
    const direct = await freshPostgres();
    const pooler = await startPooler(direct, 3);
    onTestFinished(() => pooler.close());
    const start = async (env: Record<string, string>) => startNode({ folder: await temporaryFolder(), env });
    await expect(start({ SHEAF_DATABASE_URL: pooler.url })).rejects.toThrow(
      'SHEAF_DATABASE_DIRECT_URL: is required because SHEAF_DATABASE_URL goes through a connection pooler',
    );
    await expect(start({ SHEAF_DATABASE_URL: pooler.url, SHEAF_DATABASE_DIRECT_URL: pooler.url })).rejects.toThrow(
      'SHEAF_DATABASE_DIRECT_URL: must be the address of PostgreSQL itself',
    );
  },
);

import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddings } from '@sheaf/tools/testing/embeddings-endpoint.ts';
import { startNode } from '@sheaf/tools/testing/node-process.ts';
import { startPooler } from '@sheaf/tools/testing/connection-pooler.ts';
import { freshPostgres, postgresAdmin } from '@sheaf/tools/testing/postgres.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

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
    expect(pooler.sessionState).toEqual([]);
  },
);

test(
  '[finding Q13] through a pooler with four connections 200 searches by 16 callers succeed, and nothing is left in a connection',
  { timeout: 180_000 },
  async () => {
    const direct = await freshPostgres();
    const pooler = await startPooler(direct, 4);
    onTestFinished(() => pooler.close());
    const embeddings = await startEmbeddings();
    onTestFinished(() => embeddings.close());
    const server = await startServer({
      database: 'postgres',
      databaseUrl: pooler.url,
      config: { SHEAF_DATABASE_DIRECT_URL: direct, SHEAF_EMBED_URL: embeddings.url, SHEAF_EMBED_MODEL: 'words' },
    });
    onTestFinished(() => server.close());
    const done = async (module: string, operation: string, input: object): Promise<any> => {
      const answer = await server.call('http', module, operation, input);
      expect([operation, answer.code, answer.msg]).toEqual([operation, 0, 'success']);
      return answer.data;
    };
    const { knowledge_base_id } = await done('wiki', 'create_knowledge_base', { name: 'Birds' });
    for (let i = 0; i < 8; i++) {
      const content = `# Doctor ${i}\n\nThe physician saw bird ${i}.`;
      const { note_id } = await done('note', 'import_doc', { content_format: 1, content });
      const note_info = { content_id: note_id };
      await done('wiki', 'add_knowledge', { media_type: 11, title: `Bird ${i}`, knowledge_base_id, note_info });
      await done('manage', 'create_file', { title: `Birds of doctor ${i}` });
    }
    await server.app.services.searchFeed.waitUntilDrained();
    const searches: [module: string, operation: string, input: (query: string) => object][] = [
      ['note', 'search_note', (title) => ({ query_info: { title }, start: 0, end: 20 })],
      ['wiki', 'search_knowledge', (query) => ({ query, cursor: '', knowledge_base_id })],
      ['wiki', 'search_all', (query) => ({ query })],
      ['wiki', 'search_passages', (query) => ({ query })],
      ['manage', 'search_file', (query) => ({ query })],
    ];
    let asked = 0;
    const failures: unknown[] = [];
    const caller = async (): Promise<void> => {
      for (let i = asked++; i < 200; i = asked++) {
        const [module, operation, input] = searches[i % searches.length]!;
        const answer = await server.call('http', module, operation, input(`doctor ${i % 8}`));
        if (answer.code !== 0) failures.push([operation, answer.code, answer.msg]);
      }
    };
    await Promise.all(Array.from({ length: 16 }, caller));
    expect(failures).toEqual([]);
    expect(asked).toBe(216);
    expect([...new Set(pooler.sessionState)]).toEqual([]);
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

import { expect, onTestFinished, test } from 'vitest';
import type { PostgresDatabase } from '../../src/adapters/sql/postgres/database.ts';
import { postgresAdmin } from '@sheaf/tools/testing/postgres.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';

test(
  '[finding Q7] after the connection for events was lost, every stream is told where things stand',
  { timeout: 120_000 },
  async () => {
    const server = await startServer({ database: 'postgres' });
    onTestFinished(() => server.close());
    const { data: file } = await server.call('http', 'manage', 'create_file', { title: 'Live' });
    const control = new AbortController();
    onTestFinished(() => control.abort());
    const response = await fetch(`${server.url}/openapi/sheet/v1/events?file_id=${file.file_id}`, {
      headers: { authorization: server.owner.apiKey },
      signal: control.signal,
    });
    const heard: { version: number }[] = [];
    const reading = (async () => {
      let text = '';
      for await (const chunk of response.body!) {
        text += new TextDecoder().decode(chunk);
        const parts = text.split('\n\n');
        text = parts.pop()!;
        for (const part of parts)
          if (part.startsWith('data: ')) heard.push(JSON.parse(part.slice(6)) as { version: number });
      }
    })().catch(() => undefined);
    await expect.poll(() => heard).toEqual([{ version: 1 }]);
    const { pool } = server.app.database as PostgresDatabase;
    const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
    await postgresAdmin(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND application_name = $2',
      [rows[0]!.name, 'sheaf events'],
    );
    // Committed while the node may hear nothing: its own event may be lost.
    await server.call('http', 'sheet', 'set_cell_value', {
      file_id: file.file_id,
      sheet_id: file.sheet_id,
      cell: { row: 0, col: 0, value_type: 'NUMBER', number_value: 1 },
    });
    // Where things stand is told as at the beginning, with nothing but the version; an edit's own event has more.
    const stands = (): number => heard.filter((event) => Object.keys(event).length === 1).length;
    await expect.poll(stands, { timeout: 30_000 }).toBe(2);
    await expect.poll(() => Math.max(...heard.map(({ version }) => version)), { timeout: 30_000 }).toBe(2);
    control.abort();
    await reading;
  },
);

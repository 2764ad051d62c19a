import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { call } from '../../src/client/index.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temp.ts';

let server: TestServer | undefined;
afterAll(() => server?.close());

test('[finding P2] a repeat of a write whose answer was lost with the server says that it was applied', async () => {
  const folder = await temporaryFolder();
  const before = await startServer({ folder });
  const options = { url: before.url, clientId: before.owner.clientId, apiKey: before.owner.apiKey };
  const file = await call(options, 'manage', 'create_file', { title: 'Lost' });
  const { file_id, sheet_id } = file.data as { file_id: string; sheet_id: string };
  const edit = { file_id, sheet_id, start_row: 0, start_col: 0, rows: [['once']] };
  expect(await call(options, 'sheet', 'enter_cells', edit, { idempotencyKey: 'lost' })).toMatchObject({ code: 0 });
  await before.close();
  // As it is when the process ends between the commit and the answer.
  const database = await openSqlite(join(folder, 'sheaf.db'));
  await database.write(null, (tx) => tx.run('UPDATE idempotency SET answer = NULL WHERE key = ?', 'lost'));
  await database.close();

  server = await startServer({ folder });
  const again = { ...options, url: server.url };
  expect(await call(again, 'sheet', 'enter_cells', edit, { idempotencyKey: 'lost' })).toMatchObject({
    code: 310008,
    data: { applied: true },
  });
  const history = await call(again, 'sheet', 'get_history', { file_id });
  expect((history.data['revisions'] as { tool: string }[]).map((one) => one.tool)).toEqual([
    'enter_cells',
    'create_file',
  ]);
});

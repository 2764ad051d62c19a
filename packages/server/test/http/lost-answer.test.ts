import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { call, type RawAnswer } from '@sheaf/client';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

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

test('[finding Q16] a repeat after a restart does nothing again, even where it would be refused now; another request is a conflict', async () => {
  const folder = await temporaryFolder();
  const before = await startServer({ folder });
  const options = { url: before.url, clientId: before.owner.clientId, apiKey: before.owner.apiKey };
  const { data: file } = await call(options, 'manage', 'create_file', { title: 'Repeats' });
  const { data: note } = await call(options, 'note', 'import_doc', { content_format: 1, content: '# Repeats' });
  const { note_id } = note;
  const about = { file_id: file['file_id'], sheet_id: file['sheet_id'] };
  const writes: [module: string, operation: string, input: object, other: object, conflict: number][] = [
    ['note', 'import_doc', { content_format: 1, content: '# A' }, { content: '# B' }, 210008],
    ['note', 'append_doc', { note_id, content_format: 1, content: 'a', base_version: 1 }, { content: 'b' }, 210008],
    ['note', 'update_note', { note_id, content: 'a', base_version: 2 }, { content: 'b' }, 210008],
    ['wiki', 'create_knowledge_base', { name: 'A' }, { name: 'B' }, 110001],
    ['sheet', 'enter_cells', { ...about, start_row: 0, start_col: 0, rows: [['a']] }, { start_row: 1 }, 310008],
  ];
  const sent = async (url: string, isOther = false): Promise<RawAnswer[]> => {
    const answers: RawAnswer[] = [];
    for (const [module, operation, input, other] of writes) {
      const body = isOther ? { ...input, ...other } : input;
      answers.push(await call({ ...options, url }, module, operation, body, { idempotencyKey: operation }));
    }
    return answers;
  };
  const audited = (of: TestServer): Promise<unknown[]> =>
    of.app.database.all('SELECT operation FROM audit ORDER BY id');
  const answers = await sent(before.url);
  expect(answers.map(({ code, msg }) => [code, msg])).toEqual(writes.map(() => [0, 'success']));
  const effects = await audited(before);
  await before.close();

  const after = await startServer({ folder });
  onTestFinished(() => after.close());
  for (let times = 0; times < 2; times++) {
    const others = await sent(after.url, true);
    expect(others.map(({ code }) => code)).toEqual(writes.map(([, , , , conflict]) => conflict));
    const again = await sent(after.url);
    expect(again.map(({ code, data }) => [code, data])).toEqual(answers.map(({ data }) => [0, data]));
  }
  expect(await audited(after)).toEqual(effects);
});

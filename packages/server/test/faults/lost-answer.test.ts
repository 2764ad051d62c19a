import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import type { Database } from '../../src/adapters/sql/database.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { call, type RawAnswer } from '@sheaf/client';
import { NetworkLink } from '@sheaf/tools/testing/network-link.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { startDedicatedPostgres } from '@sheaf/tools/testing/dedicated-postgres.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const preload = fileURLToPath(new URL('./dying-sync.cjs', import.meta.url));

/** One write of each module, and of a document's thread. */
const writes: [name: string, input: object][] = [
  ['note.import_doc', { content_format: 1, content: '# Once' }],
  ['wiki.create_knowledge_base', { name: 'Once' }],
  ['manage.create_file', { title: 'Once' }],
  ['sheet.enter_cells', { start_row: 0, start_col: 0, rows: [['once']] }],
  ['account.test_webhook', {}],
];

type Send = (name: string, input: object, key?: string) => Promise<RawAnswer>;

async function sender(node: () => NodeProcess, folder: string): Promise<Send> {
  const { clientId, apiKey } = await ownerKey(folder);
  return (name, input, key) => {
    const [module, operation] = name.split('.') as [string, string];
    return call({ url: node().url, clientId, apiKey }, module, operation, input, { idempotencyKey: key });
  };
}

/** The inputs, with what they are about. */
async function prepared(send: Send): Promise<[name: string, input: object][]> {
  const { data: file } = await send('manage.create_file', { title: 'Book' });
  const about = { file_id: file['file_id'], sheet_id: file['sheet_id'] };
  const url = 'https://example.com/hook';
  const { data: hook } = await send('account.create_webhook', { url, file_id: file['file_id'] });
  const { webhook_id } = hook['webhook'] as { webhook_id: string };
  return writes.map(([name, input]) => [
    name,
    {
      ...input,
      ...(name.startsWith('sheet.') ? about : {}),
      ...(name.startsWith('account.') ? { webhook_id } : {}),
    },
  ]);
}

async function effects(database: Database, name: string): Promise<number> {
  const [row] = await database.all<{ n: number }>('SELECT COUNT(*) AS n FROM audit WHERE operation = ?', name);
  return row!.n;
}

test(
  '[finding Q16] the connection to PostgreSQL is lost between the commit and the answer: a repeat gets the first answer',
  { timeout: 300_000 },
  async () => {
    const postgres = await startDedicatedPostgres();
    onTestFinished(() => postgres.end());
    const link = await NetworkLink.to(postgres.url);
    onTestFinished(() => link.close());
    const folder = await temporaryFolder();
    const env = { SHEAF_DATABASE_URL: link.through(postgres.url) };
    let node = await startNode({ folder, env });
    onTestFinished(async () => void (await node.stop()));
    const database = await openPostgres(postgres.url);
    onTestFinished(() => database.close());
    const send = await sender(() => node, folder);
    const given = await prepared(send);
    const before = new Map<string, number>();
    for (const [name, input] of given) {
      before.set(name, await effects(database, name));
      link.loseCommitOf(name);
      expect((await send(name, input, `key of ${name}`)).code, name).not.toBe(0);
      expect(await effects(database, name), `${name} was committed`).toBe(before.get(name)! + 1);
    }
    const repeat = (): Promise<RawAnswer[]> =>
      Promise.all(given.map(([name, input]) => send(name, input, `key of ${name}`)));
    const first = await repeat();
    expect(first.map(({ code, msg }) => [code, msg])).toEqual(given.map(() => [0, 'success']));
    expect(await node.stop()).toBe(0);
    node = await startNode({ folder, env });
    expect((await repeat()).map(({ data }) => data)).toEqual(first.map(({ data }) => data));
    for (const [name] of given) expect(await effects(database, name), name).toBe(before.get(name)! + 1);
  },
);

test(
  '[finding Q19] the commit of several calls of one document loses its answer: none of them happens twice',
  { timeout: 300_000 },
  async () => {
    const postgres = await startDedicatedPostgres();
    onTestFinished(() => postgres.end());
    const link = await NetworkLink.to(postgres.url);
    onTestFinished(() => link.close());
    const folder = await temporaryFolder();
    const node = await startNode({ folder, env: { SHEAF_DATABASE_URL: link.through(postgres.url) } });
    onTestFinished(async () => void (await node.stop()));
    const send = await sender(() => node, folder);
    const { data: file } = await send('manage.create_file', { title: 'Rows' });
    const place = { file_id: file['file_id'], sheet_id: file['sheet_id'] };
    const words = Array.from({ length: 24 }, (_, index) => `row ${index}`);
    link.loseCommitOf('the last of them');
    const answers = await Promise.all(
      words.map((word, index) => {
        const reason = index === words.length - 1 ? { reason: 'the last of them' } : {};
        // Every third call has a key: whether it was done is known, so it may run again.
        const key = index % 3 === 0 ? word : undefined;
        return send('sheet.append_rows', { ...place, rows: [[word]], ...reason }, key);
      }),
    );
    const unknown = words.filter((_, index) => answers[index]!.code !== 0);
    expect(unknown.length).toBeGreaterThan(1);
    const region = { ...place, start_row: 0, start_col: 0, end_row: 99, end_col: 0, return_csv: true };
    const rows = async (): Promise<string[]> => {
      const { data } = await send('sheet.get_cell_data', region);
      return String(data['csv_data'])
        .split('\n')
        .filter((line) => line !== '')
        .sort();
    };
    expect(await rows()).toEqual([...words].sort());
    // Who repeats a keyed call gets its answer, and nothing more happens.
    for (const word of words.filter((_, index) => index % 3 === 0))
      expect((await send('sheet.append_rows', { ...place, rows: [[word]] }, word)).code).toBe(0);
    expect(await rows()).toEqual([...words].sort());
  },
);

test(
  '[finding Q16] the node dies between the sync and the answer on SQLite: a repeat gets the first answer',
  { timeout: 300_000 },
  async () => {
    const folder = await temporaryFolder();
    const dies = join(await temporaryFolder(), 'dies');
    const env = {
      NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
      DIE_WITH: dies,
      SYNCED_LOG: join(folder, 'sheaf.db-wal'),
    };
    let node = await startNode({ folder, env });
    onTestFinished(async () => void (await node.stop()));
    const send = await sender(() => node, folder);
    const given = await prepared(send);
    for (const [name, input] of given) {
      const count = async (): Promise<number> => {
        const database = await openSqlite(join(folder, 'sheaf.db'));
        return effects(database, name).finally(() => database.close());
      };
      const before = await count();
      const key = `key of ${name}`;
      const ended = once(node.child, 'exit');
      await writeFile(dies, key);
      await expect(send(name, input, key), name).rejects.toThrow();
      expect(await ended).toEqual([null, 'SIGKILL']);
      await rm(dies);
      expect(await count(), `${name} was committed`).toBe(before + 1);
      node = await startNode({ folder, env });
      const first = await send(name, input, key);
      expect([first.code, first.msg], name).toEqual([0, 'success']);
      expect(await send(name, input, key)).toMatchObject({ code: 0, data: first.data });
      expect(await count(), name).toBe(before + 1);
    }
  },
);

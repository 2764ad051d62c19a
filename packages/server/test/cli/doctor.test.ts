import { execFile } from 'node:child_process';
import { chmod, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkSchema } from '../../src/adapters/doctor/database.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/database.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/database.ts';
import { callable } from '@sheaf/tools/testing/call-client.ts';
import {
  startDedicatedPostgres,
  startStandby,
  type DedicatedPostgres,
} from '@sheaf/tools/testing/dedicated-postgres.ts';
import { ownerKey, startNode } from '@sheaf/tools/testing/node-process.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startS3 } from '@sheaf/tools/testing/s3.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const script = fileURLToPath(new URL('../../../../tools/sheaf.mjs', import.meta.url));

interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failure';
  says: string;
  advice?: string;
}

async function sheaf(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const run = promisify(execFile)(process.execPath, [script, ...args], { env: { PATH: process.env['PATH'], ...env } });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

async function doctor(env: Record<string, string>, ...args: string[]): Promise<{ code: number; findings: Finding[] }> {
  const { code, stdout, stderr } = await sheaf(['doctor', '--json', ...args], env);
  if (stdout === '') throw new Error(stderr);
  return { code, findings: JSON.parse(stdout) as Finding[] };
}

const troubles = (findings: readonly Finding[]): Finding[] => findings.filter(({ state }) => state !== 'ok');

/** An installation with a note, a spreadsheet with a snapshot, and an upload; the server has stopped. */
async function installation(env: Record<string, string> = {}): Promise<Record<string, string>> {
  const folder = await temporaryFolder();
  const node = await startNode({ folder, env });
  const { call } = callable(node.url, await ownerKey(folder));
  await call('http', 'note', 'import_doc', { content_format: 1, content: '# Note' });
  const { data: file } = await call('http', 'manage', 'create_file', { title: 'Sheet' });
  await call('http', 'sheet', 'append_rows', { file_id: file.file_id, sheet_id: file.sheet_id, rows: [['a', 1]] });
  await call('http', 'manage', 'copy_file', { file_id: file.file_id, title: 'Copy' });
  const { data: base } = await call('http', 'wiki', 'create_knowledge_base', { name: 'Base' });
  const upload = { file_name: 'a.md', content: Buffer.from('# Text').toString('base64') };
  await call('http', 'wiki', 'upload_knowledge', { knowledge_base_id: base.knowledge_base_id, ...upload });
  await node.stop();
  return { SHEAF_DATA: folder, ...env };
}

async function files(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('sheaf doctor on files and SQLite', () => {
  let env: Record<string, string>;
  beforeAll(async () => {
    env = await installation();
  });

  test('an installation that is well: every check is told, and the command succeeds', async () => {
    const { code, stdout } = await sheaf(['doctor', '--full'], env);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Everything is well\.$/m)]);
    const { findings } = await doctor(env);
    expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'versions ok',
      'settings ok',
      'disk ok',
      'rights ok',
      'store ok',
      'database ok',
      'schema ok',
      'work ok',
      'integrity ok',
      'files ok',
    ]);
  });

  test('it leaves nothing behind and runs beside the server', async () => {
    const before = await files(join(env['SHEAF_DATA']!, 'blobs'));
    const node = await startNode({ folder: env['SHEAF_DATA']! });
    onTestFinished(async () => void (await node.stop()));
    expect(await doctor(env)).toMatchObject({ code: 0 });
    expect(await files(join(env['SHEAF_DATA']!, 'blobs'))).toEqual(before);
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
  });

  test('files that others can read are a warning with the command that mends it', async () => {
    const path = join(env['SHEAF_DATA']!, 'credentials.json');
    await chmod(path, 0o644);
    const { code, findings } = await doctor(env);
    await chmod(path, 0o600);
    expect([code, troubles(findings)]).toEqual([
      0,
      [
        {
          check: 'rights',
          state: 'warning',
          says: `${path} can be read by other users of this machine (mode 644)`,
          advice: `Run: chmod 600 ${path}`,
        },
      ],
    ]);
  });

  test('a host without a public address is a warning', async () => {
    const { findings } = await doctor({ ...env, SHEAF_HOST: '0.0.0.0' });
    expect(troubles(findings)).toMatchObject([
      { check: 'settings', says: expect.stringContaining('SHEAF_PUBLIC_URL') },
    ]);
  });

  test('[finding Q21] a misspelled setting stops every command and names the right one; an unknown one is a warning', async () => {
    expect(await sheaf(['doctor'], { ...env, SHEAF_DATABSE_URL: 'postgres://127.0.0.1/x' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SHEAF_DATABSE_URL: there is no such setting; did you mean SHEAF_DATABASE_URL?'),
    });
    const { code, findings } = await doctor({ ...env, SHEAF_COLOUR: 'green', SHEAF_API_KEY: 'sk_x' });
    expect([code, troubles(findings)]).toMatchObject([
      0,
      [{ check: 'settings', state: 'warning', says: 'SHEAF_COLOUR: sheaf knows no such setting and ignores it' }],
    ]);
  });

  test('[finding Q21] a data folder that cannot be is told with what to do', async () => {
    const inside = join(env['SHEAF_DATA']!, 'credentials.json', 'inside');
    const { findings } = await doctor({ SHEAF_DATA: inside, SHEAF_DATABASE_URL: 'postgres://127.0.0.1:9/x' });
    expect(troubles(findings)).toContainEqual({
      check: 'disk',
      state: 'failure',
      says: expect.stringContaining('nothing can be written to'),
      advice: 'Set SHEAF_DATA to a folder that can be created, or mount the disk that holds it.',
    });
    expect(troubles(findings)).toContainEqual({
      check: 'database',
      state: 'failure',
      says: expect.stringContaining('cannot be opened'),
      advice: 'Nothing listens at that address: start PostgreSQL, or correct host and port in SHEAF_DATABASE_URL.',
    });
  });

  test('a setting that is wrong, an unknown option and a folder without data are told as everywhere', async () => {
    expect(await sheaf(['doctor'], { ...env, SHEAF_PORT: 'x' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SHEAF_PORT'),
    });
    expect(await sheaf(['doctor', '--all'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"--all"'),
    });
    expect(await sheaf(['doctor'], { SHEAF_DATA: await temporaryFolder() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no database in'),
    });
  });
});

describe('sheaf doctor finds', () => {
  test('a newer schema that this version can go on with, as something to be mended, not as a failure', () => {
    expect(checkSchema({ newest: 9999, needed: 9999 })).toMatchObject({ state: 'failure' });
    expect(checkSchema({ newest: 9999, needed: 1 })).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/^schema version 9999, which this version of sheaf \(\d+\) can go on with$/),
    });
  });

  test('a gap in the log of a spreadsheet, a note without its text, a newer schema', async () => {
    const env = await installation();
    const database = await openSqlite(join(env['SHEAF_DATA']!, 'sheaf.db'));
    await database.write(null, async (tx) => {
      await tx.run('DELETE FROM revision WHERE version = 1');
      await tx.run('DELETE FROM note_version');
      await tx.run("INSERT INTO schema_version (number, name) VALUES (999, 'from the future')");
    });
    await database.close();
    const { code, findings } = await doctor(env);
    expect(code).toBe(1);
    expect(troubles(findings)).toMatchObject([
      { check: 'schema', state: 'failure', advice: expect.stringContaining('newer version') },
      { check: 'integrity', says: expect.stringMatching(/^1 notes without their newest text: note_/) },
      { check: 'integrity', says: expect.stringContaining('notes whose newest version that is whole') },
      { check: 'integrity', says: expect.stringMatching(/log has a gap or ends before their version: doc_/) },
    ]);
  });

  test('[finding Q21] a snapshot of a version that its spreadsheet has not got, as a restored database may have it', async () => {
    const env = await installation();
    const database = await openSqlite(join(env['SHEAF_DATA']!, 'sheaf.db'));
    await database.write(null, (tx) => tx.run('UPDATE document_snapshot SET version = version + 90'));
    await database.close();
    const { code, findings } = await doctor(env);
    expect([code, troubles(findings)]).toMatchObject([
      1,
      [
        {
          check: 'integrity',
          state: 'failure',
          says: expect.stringContaining('a snapshot of a version that they have not got'),
        },
      ],
    ]);
  });

  test(
    '[finding R20] one changed byte of a note and of a spreadsheet, by --full; a backup and its restore tell it too',
    { timeout: 120_000 },
    async () => {
      const env = await installation();
      const texts = async (full: Record<string, string>) =>
        (await doctor(full, '--full')).findings.find(({ check }) => check === 'texts');
      const before = await texts(env);
      expect(before).toMatchObject({
        state: 'ok',
        says: expect.stringMatching(/^\d+ versions .* as they were written$/),
      });
      const database = await openSqlite(join(env['SHEAF_DATA']!, 'sheaf.db'));
      const ids = await database.get<{ note: string; sheet: string; older: number }>(
        `SELECT (SELECT MIN(note_id) FROM note_version) AS note, (SELECT MIN(document_id) FROM revision) AS sheet,
         (SELECT COUNT(*) FROM revision WHERE version > 1) AS older`,
      );
      const { note, sheet, older } = ids!;
      await database.write(null, async (tx) => {
        await tx.run("UPDATE note_version SET body = CAST('# Nota' AS BLOB) WHERE note_id = ? AND version = 1", note);
        await tx.run("UPDATE revision SET inverse = inverse || ' ' WHERE document_id = ? AND version = 1", sheet);
        await tx.run('UPDATE revision SET checksum = NULL WHERE version > 1');
      });
      await database.close();
      expect(older).toBeGreaterThan(0);
      const told = await texts(env);
      expect(told).toMatchObject({ state: 'failure', advice: expect.stringContaining('Restore the newest backup') });
      expect(told!.says).toMatch(
        new RegExp(`^2 of \\d+ versions .*: ${note} version 1, ${sheet} version 1; ${older} of`),
      );

      const target = join(await temporaryFolder(), 'backup');
      const named = expect.stringContaining(
        `not as they were written, and are kept as they were found: ${note} version 1`,
      );
      expect(await sheaf(['backup', target], env)).toMatchObject({ code: 1, stderr: named });
      const restored = { SHEAF_DATA: join(await temporaryFolder(), 'data') };
      expect(await sheaf(['restore', target], restored)).toMatchObject({ code: 0, stderr: named });
      expect(await texts(restored)).toEqual(told);
    },
  );

  test('[finding R20] what a recovery of the log lost, until its record is deleted', async () => {
    const env = await installation();
    const path = join(env['SHEAF_DATA']!, 'lost-frames.jsonl');
    await writeFile(path, '{"frames":7,"bytes":28672,"firstDamaged":3,"at":0}\n');
    const { code, findings } = await doctor(env);
    expect([code, troubles(findings)]).toEqual([
      0,
      [
        {
          check: 'recovery',
          state: 'warning',
          says: 'at 1970-01-01T00:00:00.000Z the log of the database was damaged: 7 pages (28672 bytes) were not recovered',
          advice: `Look whether what people wrote last before that is missing, and at the disk; then delete ${path}.`,
        },
      ],
    ]);
    await rm(path);
    expect((await doctor(env)).code).toBe(0);
  });

  test('stored files that are missing, cut short, or damaged inside', async () => {
    const env = await installation();
    const stored = (await files(join(env['SHEAF_DATA']!, 'blobs'))).filter((path) => !path.includes('.upload'));
    const [first, second] = stored;
    expect(stored.length).toBeGreaterThanOrEqual(2);
    await truncate(second!, 1);
    expect(troubles((await doctor(env)).findings)).toMatchObject([
      { check: 'files', state: 'failure', says: expect.stringMatching(/has \d+ bytes instead of \d+|is damaged/) },
    ]);
    await rm(first!);
    await rm(second!);
    const { code, findings } = await doctor(env);
    expect([code, troubles(findings)]).toMatchObject([
      1,
      [{ check: 'files', says: expect.stringContaining('is missing') }],
    ]);
  });

  test('a database file that is damaged', async () => {
    const env = await installation();
    const path = join(env['SHEAF_DATA']!, 'sheaf.db');
    for (const end of ['-wal', '-shm']) await rm(path + end, { force: true });
    await writeFile(path, Buffer.alloc(64 * 1024, 7), { flag: 'r+' });
    const { code, findings } = await doctor(env);
    expect([code, troubles(findings)]).toMatchObject([1, [{ check: 'database', state: 'failure' }]]);
  });
});

describe('sheaf doctor on PostgreSQL and S3', () => {
  test(
    '[finding Q21] says what the server is and that the clocks agree; settings that lose data are a failure',
    { timeout: 120_000 },
    async () => {
      const s3 = await startS3();
      onTestFinished(() => s3.stop());
      const env = await installation({
        SHEAF_DATABASE_URL: await freshPostgres(),
        SHEAF_S3_ENDPOINT: s3.endpoint,
        SHEAF_S3_BUCKET: s3.bucket,
        SHEAF_S3_ACCESS_KEY: s3.accessKey,
        SHEAF_S3_SECRET_KEY: s3.secretKey,
      });
      const { code, findings } = await doctor(env, '--full');
      const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
      // The PostgreSQL of the tests need not wait for its disk.
      expect([code, states]).toEqual([
        1,
        {
          versions: 'ok',
          settings: 'ok',
          rights: 'ok',
          store: 'ok',
          database: 'ok',
          durability: 'failure',
          clock: 'ok',
          schema: 'ok',
          connections: 'ok',
          work: 'ok',
          integrity: 'ok',
          texts: 'ok',
          files: 'ok',
        },
      ]);
      const database = await openPostgres(env['SHEAF_DATABASE_URL']!, { connections: 1 });
      await database.write(null, (tx) => tx.run('DELETE FROM revision WHERE version = 1'));
      await database.close();
      const wrongKey = { ...env, SHEAF_S3_SECRET_KEY: 'wrong' };
      const second = await doctor(wrongKey);
      expect(second.code).toBe(1);
      // A busy machine makes the database slow, which is a warning of its own.
      const told = troubles(second.findings).filter(({ check }) => check !== 'database');
      expect(told).toMatchObject([
        { check: 'store', state: 'failure', advice: expect.stringContaining('SHEAF_S3_ENDPOINT') },
        { check: 'durability' },
        { check: 'integrity', says: expect.stringContaining('log has a gap') },
      ]);
    },
  );

  test(
    '[finding Q22] says what standbys are for what was acknowledged, and that a standby itself is no database to use',
    { timeout: 180_000 },
    async () => {
      const primary = await startDedicatedPostgres();
      onTestFinished(() => primary.end());
      const standby = await startStandby(primary);
      onTestFinished(() => standby.end());
      const env = await installation({ SHEAF_DATABASE_URL: primary.url });
      const told = async (): Promise<Finding | undefined> =>
        (await doctor(env)).findings.find(({ check }) => check === 'standbys');
      await expect.poll(() => count(primary), { timeout: 30_000 }).toBe(1);
      expect(await told()).toEqual({
        check: 'standbys',
        state: 'ok',
        says: '1 standby, asynchronous: the last acknowledged writes may be missing when it is promoted',
      });
      await set(primary, "synchronous_standby_names = '*'");
      expect(await told()).toMatchObject({
        state: 'ok',
        says: '1 standby, synchronous: what was acknowledged is on it',
      });
      await set(primary, 'synchronous_commit = local');
      expect(await told()).toMatchObject({
        state: 'warning',
        says: 'synchronous_commit is local: writes do not wait for the synchronous standby',
        advice: expect.stringContaining('synchronous_commit'),
      });
      await set(primary, 'synchronous_commit = on');
      const { code, findings } = await doctor({ ...env, SHEAF_DATABASE_URL: standby.url });
      expect([code, troubles(findings)]).toMatchObject([
        1,
        expect.arrayContaining([
          {
            check: 'database',
            state: 'failure',
            says: expect.stringContaining('a standby that has not been promoted'),
            advice: 'Let SHEAF_DATABASE_URL lead to the primary, or promote this standby if the primary is gone.',
          },
        ]),
      ]);
      await standby.goAway();
      await expect.poll(() => count(primary), { timeout: 30_000 }).toBe(0);
      expect(await told()).toMatchObject({
        state: 'warning',
        says: 'synchronous_standby_names is set and no standby is connected: writes wait until one is',
      });
    },
  );

  test('a database that is away is told, and everything else all the same', async () => {
    const folder = await temporaryFolder();
    const { code, findings } = await doctor({ SHEAF_DATA: folder, SHEAF_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' });
    expect(code).toBe(1);
    expect(troubles(findings)).toMatchObject([
      { check: 'settings', says: expect.stringContaining('the files are not') },
      { check: 'database', state: 'failure', advice: expect.stringContaining('Nothing listens at that address') },
    ]);
  });
});

async function onServer<Result>({ url }: DedicatedPostgres, statement: string): Promise<Result[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Result[];
  } finally {
    await client.end();
  }
}

async function count(server: DedicatedPostgres): Promise<number> {
  const streams = "SELECT COUNT(*)::int AS n FROM pg_stat_replication WHERE state = 'streaming'";
  return (await onServer<{ n: number }>(server, streams))[0]!.n;
}

/** Changes a setting and waits until new connections have it. */
async function set(server: DedicatedPostgres, setting: string): Promise<void> {
  await onServer(server, `ALTER SYSTEM SET ${setting}`);
  await onServer(server, 'SELECT pg_reload_conf()');
  const [name, value] = setting.replaceAll("'", '').split(' = ') as [string, string];
  await expect.poll(async () => (await onServer<Record<string, string>>(server, `SHOW ${name}`))[0]![name]).toBe(value);
}

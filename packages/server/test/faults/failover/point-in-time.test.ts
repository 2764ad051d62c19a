/**
 * pgBackRest: a full backup and incremental ones while nodes write, then a restore to a moment between two of them under the
 * same nodes, together with copies of the object store that only add.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { callable, type Callable } from '@sheaf/tools/testing/call-client.ts';
import { ownerKey, startNode } from '@sheaf/tools/testing/node-process.ts';
import { ask } from '@sheaf/tools/testing/patroni-cluster.ts';
import { missingBackupPackages, PgBackRest } from '@sheaf/tools/testing/pgbackrest.ts';
import { startS3, type TestS3 } from '@sheaf/tools/testing/s3.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const program = fileURLToPath(new URL('../../../../../tools/sheaf.mjs', import.meta.url));
const agreedMs = 5_000;

const environment = (backups: PgBackRest, store: TestS3): Record<string, string> => ({
  SHEAF_DATABASE_URL: backups.postgres.url,
  SHEAF_DATABASE_CONNECTIONS: '6',
  SHEAF_S3_ENDPOINT: store.endpoint,
  SHEAF_S3_BUCKET: store.bucket,
  SHEAF_S3_REGION: store.region,
  SHEAF_S3_ACCESS_KEY: store.accessKey,
  SHEAF_S3_SECRET_KEY: store.secretKey,
});

/** A spreadsheet, a note and an uploaded file, written under a word over both nodes. */
class Work {
  readonly #nodes: readonly Callable[];
  #place = { file_id: '', sheet_id: '', knowledge_base_id: '' };
  readonly mediaIds = new Map<string, string>();

  constructor(nodes: readonly Callable[]) {
    this.#nodes = nodes;
  }

  async prepare(): Promise<void> {
    const { file_id, sheet_id } = await this.call(0, 'manage', 'create_file', { title: 'Rows' });
    const { knowledge_base_id } = await this.call(0, 'wiki', 'create_knowledge_base', { name: 'Files' });
    this.#place = { file_id, sheet_id, knowledge_base_id };
  }

  async write(word: string): Promise<void> {
    const { file_id, sheet_id, knowledge_base_id } = this.#place;
    for (const node of this.#nodes.keys())
      await this.call(node, 'sheet', 'append_rows', { file_id, sheet_id, rows: [[`${word} ${node}`]] });
    await this.call(1, 'note', 'import_doc', { content_format: 1, content: `# ${word}\n\nof the drill` });
    const content = Buffer.from(`# ${word}\n\nin a file`).toString('base64');
    const input = { knowledge_base_id, file_name: `${word}.md`, content };
    const { media_id } = await this.call(0, 'wiki', 'upload_knowledge', input);
    this.mediaIds.set(word, media_id as string);
  }

  async rows(node: number): Promise<string[]> {
    const { file_id, sheet_id } = this.#place;
    const region = { start_row: 0, start_col: 0, end_row: 100, end_col: 0, return_csv: true };
    const { csv_data: csv } = await this.call(node, 'sheet', 'get_cell_data', { file_id, sheet_id, ...region });
    return (csv as string).split('\n').filter((line) => line !== '');
  }

  async found(node: number, word: string): Promise<number> {
    const input = { search_type: 0, query_info: { title: word }, start: 0, end: 20 };
    return ((await this.call(node, 'note', 'search_note', input)).search_note_infos as unknown[]).length;
  }

  async files(node: number): Promise<string[]> {
    const { knowledge_base_id } = this.#place;
    const { knowledge_list: items } = await this.call(node, 'wiki', 'get_knowledge_list', {
      knowledge_base_id,
      cursor: '',
      limit: 50,
    });
    return (items as { title: string }[]).map(({ title }) => title).sort();
  }

  async call(node: number, module: string, operation: string, input: object): Promise<any> {
    const { code, msg, data } = await this.#nodes[node]!.call('http', module, operation, input);
    if (code !== 0) throw new Error(`${operation}: ${code} ${msg}`);
    return data;
  }
}

test(
  '[finding Q22] the database is restored to a point in time under running nodes, and the object store from copies that only add',
  { timeout: 400_000 },
  async (context) => {
    const missing = missingBackupPackages();
    if (missing.length > 0) return context.skip(`not installed: ${missing.join(', ')} (Debian 12; apt-get install)`);
    const backups = await PgBackRest.start();
    const { postgres } = backups;
    onTestFinished(() => postgres.end());
    let store = await startS3();
    onTestFinished(() => store.stop());
    const env = environment(backups, store);
    const folder = await temporaryFolder();
    const nodes = [await startNode({ folder, env })];
    nodes.push(await startNode({ folder: await temporaryFolder(), env }));
    onTestFinished(async () => {
      for (const node of nodes) await node.stop();
    });
    const key = await ownerKey(folder);
    const work = new Work(nodes.map(({ url }) => callable(url, key)));
    await work.prepare();

    // The store is copied after each backup of the database: whatever the backup names is in the copy.
    const copies = `${await temporaryFolder()}/copies`;
    await mkdir(copies);
    const copyStore = (): Promise<void> =>
      cp(store.folder, copies, { recursive: true, force: false, errorOnExist: false });
    await work.write('first');
    await backups.backUp('full');
    await copyStore();
    await work.write('second');
    await backups.backUp('incr');
    await copyStore();
    await work.write('third');
    await copyStore();
    const [{ moment }] = (await ask<{ moment: string }>(postgres.url, 'SELECT clock_timestamp()::text AS moment')) as [
      { moment: string },
    ];
    await sleep(50);
    await work.write('lost');
    const kept = ['first', 'second', 'third'];
    for (const node of [0, 1]) await expect.poll(() => work.found(node, 'lost'), { timeout: 20_000 }).toBe(1);
    const [full, incremental] = await backups.list();
    expect([full!.type, incremental!.type]).toEqual(['full', 'incr']);
    expect(incremental!.repositoryBytes).toBeLessThan(full!.repositoryBytes / 2);

    // Everything is lost: the database goes back to the moment, the store to its copies, and nobody restarts a node.
    await ask(postgres.url, 'SELECT pg_switch_wal()');
    await postgres.goAway();
    await store.stop();
    await rm(store.folder, { recursive: true });
    await cp(copies, store.folder, { recursive: true });
    await backups.restoreTo(moment);
    store = await startS3(store);
    await postgres.comeBack();
    const isBack = async (): Promise<boolean> =>
      (await ask<{ is_back: boolean }>(postgres.url, 'SELECT NOT pg_is_in_recovery() AS is_back').catch(() => []))[0]
        ?.is_back === true;
    await expect.poll(isBack, { timeout: 60_000 }).toBe(true);
    await sleep(agreedMs);
    const rows = kept.flatMap((word) => [`${word} 0`, `${word} 1`]);
    for (const node of [0, 1]) {
      expect(await work.rows(node)).toEqual(rows);
      expect([await work.found(node, 'lost'), await work.found(node, 'third')]).toEqual([0, 1]);
      expect(await work.files(node)).toEqual(['first.md', 'second.md', 'third.md']);
      for (const word of kept) {
        const { content } = await work.call(node, 'wiki', 'get_knowledge_content', {
          media_id: work.mediaIds.get(word),
        });
        expect(content).toContain(word);
      }
    }
    await work.write('again');
    for (const node of [0, 1]) expect(await work.rows(node)).toEqual([...rows, 'again 0', 'again 1']);
    for (const node of [0, 1]) await expect.poll(() => work.found(node, 'again'), { timeout: 20_000 }).toBe(1);
    expect(nodes.map((node) => [node.isAlive(), node.log().includes('the database was put back')])).toEqual([
      [true, true],
      [true, true],
    ]);

    // Nothing that the database names is missing in the store, and backups go on, on the new timeline.
    const doctor = await promisify(execFile)(process.execPath, [program, 'doctor', '--full', '--json'], {
      env: { PATH: process.env['PATH'], SHEAF_DATA: folder, ...env },
    }).catch((error: unknown) => error as { stdout: string });
    const findings = JSON.parse(doctor.stdout) as { check: string; state: string; says: string }[];
    expect(findings.filter(({ check, state }) => check === 'integrity' && state !== 'ok')).toEqual([]);
    await backups.backUp('incr');
    expect((await backups.list()).map(({ type }) => type)).toEqual(['full', 'incr', 'incr']);
  },
);

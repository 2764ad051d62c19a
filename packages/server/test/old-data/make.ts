/**
 * Fills data folders with the product of a checkout and packs them, with what it said about them, as a fixture:
 *
 *   npm run old-data -- CHECKOUT TARGET      (node tools/old-data.mjs; CHECKOUT needs its node_modules and its build)
 *
 * TARGET gets sqlite.zip (the data folder), postgres.zip (the folder, and the database as text), and engine.json.gz
 * (every kind of mutation in that engine). packages/server/test/old-data/opens.test.ts opens them with today's code.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync, zipSync } from 'fflate';
import pg from 'pg';
import { packed, recordEngine, type Engine } from './engine-log.ts';
import { callerOf, must, observeDocument, observeLibrary, type Caller, type Library } from './observe.ts';
import { dumpPostgres } from './postgres-dump.ts';
import { programs, type Program } from './program.ts';

export interface RecordedDocument {
  readonly title: string;
  readonly file_id: string;
  readonly version: number;
  readonly states: Readonly<Record<number, unknown>>;
  /** Of each revision, newest first: what undo_revision answered, and the document then. */
  readonly undone: readonly { readonly version: number; readonly code: number; readonly state?: unknown }[];
}

export interface Recorded {
  readonly documents: readonly RecordedDocument[];
  readonly library: Library;
  readonly libraryState: unknown;
}

interface Running {
  readonly child: ChildProcess;
  readonly call: Caller;
}

/** Derived beside the database, or gone with the process. */
const notKept = /(^|\/)(search[^/]*|[^/]*\.lock|.*-wal|.*-shm|tmp\/.*)$/;

export async function run([checkout, target]: readonly string[]): Promise<void> {
  if (!checkout || !target) throw new Error('usage: node tools/old-data.mjs CHECKOUT TARGET');
  const product = resolve(checkout);
  await mkdir(target, { recursive: true });
  const engine = (await import(pathToFileURL(join(product, 'dist', 'engine.js')).href)) as unknown as Engine;
  await writeFile(join(target, 'engine.json.gz'), gzipSync(packed(recordEngine(engine)), { level: 9, mtime: 0 }));
  const work = await mkdtemp(join(tmpdir(), 'sheaf-old-data-'));
  const postgres = await startPostgres(product, work);
  try {
    await Promise.all([
      record(product, join(work, 'sqlite'), undefined, join(target, 'sqlite.zip')),
      record(product, join(work, 'postgres'), postgres.url, join(target, 'postgres.zip')),
    ]);
  } finally {
    await stop(postgres.child);
    await rm(work, { recursive: true, force: true });
  }
}

async function record(product: string, folder: string, databaseUrl: string | undefined, target: string): Promise<void> {
  const { library, libraryState, made } = await serving(product, folder, databaseUrl, async (call) => {
    const filled = [];
    for (const program of programs) filled.push(await fillDocument(call, program));
    return { ...(await fillLibrary(call)), made: filled };
  });
  const files: Record<string, Uint8Array> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (entry.isFile() && !notKept.test(name)) files[`data/${name}`] = await readFile(path);
  }
  if (databaseUrl !== undefined) files['postgres.json'] = packed(await dumpPostgres(databaseUrl));
  // What follows changes the documents: it is only written down.
  const documents = await serving(product, folder, databaseUrl, async (call) => {
    const undone: RecordedDocument[] = [];
    for (const document of made) undone.push({ ...document, undone: await undoEach(call, document) });
    return undone;
  });
  files['expected.json'] = packed({ documents, library, libraryState } satisfies Recorded);
  await writeFile(target, zipSync(files, { level: 9, mtime: new Date('2026-01-01T00:00:00Z') }));
}

async function fillDocument(
  call: Caller,
  { title, xlsx, steps, observeEvery, snapshotsAfter }: Program,
): Promise<Omit<RecordedDocument, 'undone'>> {
  const { file_id } = xlsx
    ? await must(call, 'manage', 'import_file', {
        title,
        format: 'xlsx',
        content: Buffer.from(xlsx).toString('base64'),
      })
    : await must(call, 'manage', 'create_file', { title });
  const [{ sheet_id }] = (await must(call, 'sheet', 'get_sheet_info', { file_id })).sheets;
  const states: Record<number, unknown> = {};
  const versionOf = async (): Promise<number> =>
    (await must(call, 'manage', 'query_file_info', { file_id })).file.version;
  const all = steps(sheet_id);
  for (const [index, [tool, input]] of all.entries()) {
    const named = await withIds(call, file_id, sheet_id, input);
    const inDocument =
      tool === 'batch' || tool === 'revert' || tool === 'undo_revision' || tool === 'replace' || tool === 'move_sheet';
    await must(call, 'sheet', tool, { file_id, ...(inDocument ? {} : { sheet_id }), ...named });
    const done = index + 1;
    if (done % observeEvery === 0 || done === all.length)
      states[await versionOf()] = await observeDocument(call, file_id);
    // Left alone for five seconds after search has read it, and looked after every two.
    if (snapshotsAfter.includes(done)) await sleep(16_000);
  }
  return { title, file_id, version: await versionOf(), states };
}

/** Fields that name something by its place: the ids are only known when it is there. */
async function withIds(
  call: Caller,
  file_id: string,
  sheet_id: string,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const found = { ...input };
  if (input['protect_range_id'] === '$protect0') {
    found['protect_range_id'] = (
      await must(call, 'sheet', 'get_protect_ranges', { file_id, sheet_id })
    ).ranges[0].protect_range_id;
  }
  if (input['object_id'] === '$image0')
    found['object_id'] = (await must(call, 'sheet', 'get_images', { file_id, sheet_id })).images[0].object_id;
  return found;
}

/** Each revision taken back alone, and the document brought back to where it was. */
export async function undoEach(
  call: Caller,
  { file_id, version, states }: Pick<RecordedDocument, 'file_id' | 'version' | 'states'>,
): Promise<RecordedDocument['undone']> {
  const undone: { version: number; code: number; state?: unknown }[] = [];
  // Those of a long document say little more than those of a short one.
  for (const one of Object.keys(states).map(Number).toReversed()) {
    const { code } = await call('sheet', 'undo_revision', { file_id, version: one });
    if (code !== 0) undone.push({ version: one, code });
    else {
      undone.push({ version: one, code, state: await observeDocument(call, file_id) });
      await must(call, 'sheet', 'revert', { file_id, version });
    }
  }
  return undone;
}

async function fillLibrary(call: Caller): Promise<{ library: Library; libraryState: unknown }> {
  const wiki = (operation: string, input: unknown): Promise<any> => must(call, 'wiki', operation, input);
  const note = (operation: string, input: unknown): Promise<any> => must(call, 'note', operation, input);
  const { knowledge_base_id: base } = await wiki('create_knowledge_base', { name: 'Orchard', description: 'Trees' });
  const { folder_id } = await wiki('create_folder', { knowledge_base_id: base, name: 'Reports' });
  const upload = async (file_name: string, text: string, extra: object = {}): Promise<string> =>
    (
      await wiki('upload_knowledge', {
        knowledge_base_id: base,
        file_name,
        content: Buffer.from(text).toString('base64'),
        ...extra,
      })
    ).media_id;
  const items = [
    await upload('pears.md', '# Pears\n\nConference and Comice.'),
    await upload('年报.txt', '2024年报：收入增长。'),
    await upload('prices.csv', 'fruit,price\npear,3\n', { folder_id }),
  ];
  const gone = await upload('gone.md', '# Gone');
  await wiki('get_knowledge_state', { media_ids: [...items, gone], wait_seconds: 20 });
  await wiki('delete_knowledge', { knowledge_base_id: base, media_ids: [gone] });
  await wiki('add_tag', { media_id: items[0], tags: ['fruit'] });
  await wiki('create_session', { title: 'Talk', messages: [{ role: 'user', content: 'Which pear?' }] });
  const { folder } = await note('add_notebook', { name: 'Diary' });
  const first = (
    await note('import_doc', {
      content_format: 1,
      content: '# Monday\n\nPruned *two* trees.\n',
      folder_id: folder.folder_id,
    })
  ).note_id as string;
  await note('append_doc', { note_id: first, content_format: 1, content: 'And a third.' });
  await note('update_note', {
    note_id: first,
    content_format: 1,
    content: '# Monday\n\nPruned three trees.\n\n- pear\n- plum\n',
  });
  const second = (await note('import_doc', { content_format: 1, content: '# 星期二\n\n下雨。' })).note_id as string;
  const lost = (await note('import_doc', { content_format: 1, content: 'to the trash' })).note_id as string;
  await note('delete_note', { note_id: lost });
  const { media_id } = await wiki('add_knowledge', {
    media_type: 11,
    title: 'Diary note',
    knowledge_base_id: base,
    note_info: { content_id: second },
  });
  await wiki('get_knowledge_state', { media_ids: [media_id], wait_seconds: 20 });
  const library = { base, items: [...items, media_id], notes: [first, second] };
  return { library, libraryState: await observeLibrary(call, library) };
}

async function serving<Result>(
  product: string,
  folder: string,
  databaseUrl: string | undefined,
  work: (call: Caller) => Promise<Result>,
): Promise<Result> {
  const { child, call } = await start(product, folder, databaseUrl);
  try {
    return await work(call);
  } finally {
    await stop(child);
  }
}

async function start(product: string, folder: string, databaseUrl: string | undefined): Promise<Running> {
  const env = {
    ...process.env,
    SHEAF_DATA: folder,
    SHEAF_HOST: '127.0.0.1',
    SHEAF_PORT: '0',
    SHEAF_RATE_LIMIT: '0',
    SHEAF_LOG_LEVEL: 'error',
  };
  const main = pathToFileURL(join(product, 'dist', 'main.js')).href;
  const child = spawn(process.execPath, ['-e', `import('${main}').then(({ main }) => main(['serve']))`], {
    env: databaseUrl === undefined ? env : { ...env, SHEAF_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((ready, failed) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /ready at (\S+)/.exec(text)?.[1];
      if (found) ready(found);
    });
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
  });
  const { client_id, api_key } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
    client_id: string;
    api_key: string;
  };
  return { child, call: callerOf(url, client_id, api_key) };
}

async function startPostgres(product: string, work: string): Promise<{ child: ChildProcess; url: string }> {
  const folder = join(work, 'postgres-server');
  await mkdir(folder, { recursive: true });
  const child = spawn(
    process.execPath,
    [join(product, 'tools', 'testing', 'postgres-server.mjs'), folder, String(process.pid)],
    { stdio: 'ignore' },
  );
  const ready = join(folder, 'server.json');
  for (let tries = 0; !existsSync(ready); tries++) {
    if (tries > 900 || child.exitCode !== null) throw new Error('PostgreSQL did not start');
    await sleep(100);
  }
  const { port } = JSON.parse(await readFile(ready, 'utf8')) as { port: number };
  const client = new pg.Client({ connectionString: `postgres://sheaf@127.0.0.1:${port}/postgres` });
  await client.connect();
  await client.query('CREATE DATABASE old_data');
  await client.end();
  return { child, url: `postgres://sheaf@127.0.0.1:${port}/old_data` };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

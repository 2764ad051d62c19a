import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PostgresSearchIndex } from '@sheaf/server/adapters/search/postgres-index.ts';
import { SqliteSearchIndex } from '@sheaf/server/adapters/search/sqlite-index.ts';
import { migrate } from '@sheaf/server/adapters/sql/migrate.ts';
import { openPostgres } from '@sheaf/server/adapters/sql/postgres/database.ts';
import type { SearchEntry, SearchIndex } from '@sheaf/server/ports/search-index.ts';
import { atLeast, atMost, percentile, report, root, type Row } from './measure/figures.ts';
import { startPostgres } from './measure/servers.ts';

/**
 * Measures search relevance on SQLite and on PostgreSQL: nDCG@10, recall@10 and the share of empty results over public
 * question sets. Also reports the wall time per query, and for how many queries both return the same first ten. The
 * question sets are in `../shared/relevance` or the given folder.
 *
 *   npm run bench -- relevance [folder]
 */
const sets = [
  { name: 'scifact-even', goal: 0.68 },
  { name: 'xquad-en', goal: 0.965 },
  { name: 'cmrc-dev', goal: 0.98 },
] as const;

interface Question {
  text: string;
  relevant: Record<string, number>;
}

const top = 10;

export async function run(args: readonly string[] = []): Promise<void> {
  const folder = args[0] ?? join(root, '..', 'shared', 'relevance');
  const present = sets.filter(({ name }) => existsSync(join(folder, `${name}.docs.jsonl.gz`)));
  if (present.length === 0) {
    process.stdout.write(`no question sets in ${folder}\n`);
    return;
  }
  const worker = join(root, 'dist', 'workers', 'search.js');
  const data = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const postgres = await startPostgres();
  const database = await openPostgres(postgres.url);
  await migrate(database);
  const indexes: [name: string, index: SearchIndex][] = [
    ['SQLite', await SqliteSearchIndex.open({ path: join(data, 'search.db'), worker })],
    ['PostgreSQL', await PostgresSearchIndex.open({ database, worker })],
  ];
  try {
    for (const { name, goal } of present) {
      const texts = rows<{ id: string; text: string }>(folder, name, 'docs');
      const questions = rows<Question>(folder, name, 'queries');
      const answers: string[][] = [];
      const lines: Row[] = [];
      for (const [where, index] of indexes) {
        await fill(index, name, texts);
        const { found, times } = await ask(index, name, questions);
        answers.push(found.map((ids) => ids.join(' ')));
        const { gain, recall, empty } = quality(questions, found);
        lines.push(
          atLeast(`${where}: nDCG@10`, gain, goal, gain.toFixed(3)),
          { what: `${where}: recall@10`, value: recall.toFixed(3) },
          atMost(`${where}: empty answers, %`, 100 * empty, 0.5),
          {
            what: `${where}: milliseconds p50 / p95`,
            value: `${percentile(times, 50).toFixed(2)} / ${percentile(times, 95).toFixed(2)}`,
          },
        );
      }
      const [one, other] = answers;
      const same = one!.filter((ids, i) => ids === other![i]).length / one!.length;
      lines.push(atLeast('same top ten on both, %', 100 * same, 99));
      report(`relevance, ${name}: ${texts.length} texts, ${questions.length} questions`, lines);
    }
  } finally {
    for (const [, index] of indexes) await index.close();
    await database.close();
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

function spaceOf(set: string): string {
  return `bench${set.replaceAll(/[^a-z]/g, '')}`;
}

function rows<Entry>(folder: string, set: string, kind: string): Entry[] {
  const text = gunzipSync(readFileSync(join(folder, `${set}.${kind}.jsonl.gz`))).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}

async function fill(index: SearchIndex, set: string, texts: readonly { id: string; text: string }[]): Promise<void> {
  const entries = texts.map(({ id, text }): SearchEntry => ({
    space: spaceOf(set),
    id,
    owner: 'base',
    title: `${id}.md`,
    headings: '',
    body: text,
    created: 1,
    modified: 1,
    titleKey: id,
    size: text.length,
  }));
  await index.clear(spaceOf(set));
  for (let from = 0; from < entries.length; from += 500) await index.put(entries.slice(from, from + 500));
}

async function ask(
  index: SearchIndex,
  set: string,
  questions: readonly Question[],
): Promise<{ found: string[][]; times: number[] }> {
  const found: string[][] = [];
  const times: number[] = [];
  for (const { text } of questions) {
    const query = { space: spaceOf(set), owners: ['base'], anywhere: text.slice(0, 1000), order: 'rank' } as const;
    const start = performance.now();
    const { hits } = await index.search({ ...query, offset: 0, limit: top });
    times.push(performance.now() - start);
    found.push(hits.map((hit) => hit.id));
  }
  return { found, times };
}

function quality(
  questions: readonly Question[],
  found: readonly string[][],
): { gain: number; recall: number; empty: number } {
  const worth = (grade: number, at: number): number => (2 ** grade - 1) / Math.log2(at + 2);
  let gain = 0;
  let recall = 0;
  let empty = 0;
  questions.forEach(({ relevant }, i) => {
    const ids = found[i] ?? [];
    if (ids.length === 0) empty += 1;
    const ideal = Object.values(relevant)
      .sort((one, other) => other - one)
      .slice(0, top)
      .reduce((sum, grade, at) => sum + worth(grade, at), 0);
    gain += ids.reduce((sum, id, at) => sum + worth(relevant[id] ?? 0, at), 0) / ideal;
    const wanted = Object.keys(relevant).filter((id) => (relevant[id] ?? 0) > 0);
    recall += wanted.filter((id) => ids.includes(id)).length / wanted.length;
  });
  const count = questions.length;
  return { gain: gain / count, recall: recall / count, empty: empty / count };
}

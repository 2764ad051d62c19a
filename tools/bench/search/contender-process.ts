import { createRequire } from 'node:module';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { PostgresSearchIndex } from '@sheaf/server/adapters/search/postgres-index.ts';
import { Searcher } from '@sheaf/server/adapters/search/searcher.ts';
import { SqliteSegmentStore } from '@sheaf/server/adapters/search/sqlite-segment-store.ts';
import { SqliteSearchIndex } from '@sheaf/server/adapters/search/sqlite-index.ts';
import { migrate } from '@sheaf/server/adapters/sql/migrate.ts';
import { openPostgres } from '@sheaf/server/adapters/sql/postgres/database.ts';
import { parseQuery } from '@sheaf/search/query/parse-query';
import { visitTokens } from '@sheaf/search/analysis/tokenizer';
import type { SearchEntry, SearchQuery, SearchResult } from '@sheaf/server/ports/search-index.ts';
import { corpus, plantedWords, questions, queryWords, smallOwner } from './corpus.ts';
import { onceEach, residentMiB, timed, type Times } from './call-times.ts';
import type { Release } from './earlier-release.ts';
import { writeNotes, type Written } from './write-throughput.ts';

/** The measurements of each child process; one contender per process, so that memory and time are its own. */
export interface Job {
  contender: 'build' | 'query' | 'bare' | 'minisearch' | 'orama' | 'postgres' | 'notes';
  count: number;
  /** Root folder of the repository. */
  root: string;
  file: string;
  /** Processor time limit for building; a peer that exceeds it is compared on what it has indexed. */
  maxCpuSeconds: number;
  /** Words to query, for a contender that must get the same words as another. */
  rare?: string[];
  /** An earlier release to measure instead of the working tree. */
  release?: Release | undefined;
  /** PostgreSQL connection URL. */
  url?: string;
}

export interface Built {
  seconds: number;
  cpuSeconds: number;
  fileMiB: number;
  residentMiB: number;
}

export interface Queried {
  /** Words that occur in few entries. */
  rare?: string[];
  residentMiB: number;
  matches: Record<string, number>;
  times: Record<string, Times>;
}

export interface Peer extends Queried {
  /** Number of indexed entries. */
  built: number;
  seconds: number;
  cpuSeconds: number;
}

export async function child(job: Job): Promise<void> {
  const work = { build, query, bare: measureFts5, minisearch, orama, postgres, notes }[job.contender];
  process.stdout.write(`${JSON.stringify(await work(job))}\n`);
}

const batch = 500;
const rounds = 15;
const halfRounds = 20;
const words = queryWords(200);
const asked = questions(60);
/** Queries that are asked only once. */
const askedOnce = questions(300).slice(60);

/** The interface that the working tree and the release share. */
type Index = Pick<SqliteSearchIndex, 'put' | 'close'> & {
  search(query: SearchQuery): Promise<Pick<SearchResult, 'total'>>;
};

async function openIndex({ release, file, root }: Job): Promise<Index> {
  if (!release) return SqliteSearchIndex.open({ path: file, worker: workerOf(root) });
  const module = (await import(pathToFileURL(release.index).href)) as { SqliteSearchIndex: typeof SqliteSearchIndex };
  return module.SqliteSearchIndex.open({ path: file, worker: release.worker });
}

function workerOf(root: string): string {
  return join(root, 'dist', 'workers', 'search.js');
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function build(job: Job): Promise<Built> {
  const entries = [...corpus({ count: job.count })];
  const index = await openIndex(job);
  const start = performance.now();
  const cpu = cpuSeconds();
  for (let i = 0; i < entries.length; i += batch) await index.put(entries.slice(i, i + batch));
  const seconds = (performance.now() - start) / 1000;
  const used = cpuSeconds() - cpu;
  if (!job.release) await waitForMerge(job.file);
  await index.close();
  return { seconds, cpuSeconds: used, fileMiB: statSync(job.file).size / 2 ** 20, residentMiB: residentMiB() };
}

/** Waits until the writer has merged the segments of the batches, as it does whenever a server is idle. */
async function waitForMerge(file: string): Promise<void> {
  const db = new DatabaseSync(file, { readOnly: true });
  const pieces = (): number => (db.prepare('SELECT count(*) AS n FROM segment').get() as { n: number }).n;
  for (let quiet = 0, last = pieces(); quiet < 20;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const now = pieces();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
  }
  db.close();
}

async function query(job: Job): Promise<Queried> {
  const index = await openIndex(job);
  const everybody = ['ann', smallOwner];
  // The most expensive owner: nearly all entries belong to it, yet each match must be checked.
  const page = (anywhere: string, over: Partial<SearchQuery> = {}): SearchQuery => ({
    space: 'note',
    owners: ['ann'],
    anywhere,
    order: 'rank',
    offset: 0,
    limit: 20,
    ...over,
  });
  const half = [plantedWords.half, plantedWords.halfHan];
  const rare: string[] = job.rare ?? [];
  if (!job.rare)
    for (const word of words) if ((await index.search(page(word))).total <= job.count / 100) rare.push(word);
  const twenty = [plantedWords.twenty];
  const matches: Record<string, number> = {
    half: (await index.search(page(half[0] ?? ''))).total,
    twenty: (await index.search(page(twenty[0] ?? ''))).total,
    rareWords: rare.length,
  };
  const ask = (list: readonly string[], over: Partial<SearchQuery> = {}): Promise<Times> =>
    timed(list, list.length < 10 ? halfRounds : rounds, (word) => index.search(page(word, over)));
  const times: Record<string, Times> = {
    selective: await ask(rare),
    selectiveModified: await ask(rare, { order: 'modified' }),
    half: await ask(half),
    halfModified: await ask(half, { order: 'modified' }),
  };
  // Measure memory here, after the same work on both sides: the release is not queried further.
  const resident = residentMiB();
  if (!job.release)
    Object.assign(times, {
      selectiveAll: await ask(rare, { owners: everybody }),
      selectiveSmallOwner: await ask(rare, { owners: [smallOwner] }),
      twenty: await timed(twenty, 500, (word) => index.search(page(word))),
      list: await ask([''], { order: 'modified' }),
      halfTitle: await ask(half, { order: 'title' }),
      halfMiddle: await ask(half, { order: 'modified', offset: Math.floor(job.count / 4) }),
      halfAll: await ask(half, { owners: everybody }),
      halfSmallOwner: await ask(half, { owners: [smallOwner] }),
      twoWords: await ask([`${plantedWords.half} 的`]),
      singleCharacter: await ask(['的', '一'], { order: 'modified' }),
      questionsOnce: await onceEach(askedOnce, (question) => index.search(page(question))),
      questions: await ask(asked),
      questionsCold: await coldQuestions(job.file, page),
    });
  await index.close();
  return { residentMiB: resident, matches, times, rare };
}

/** Runs each query with a fresh reader, which knows the segments but has nothing cached. */
async function coldQuestions(file: string, page: (question: string) => SearchQuery): Promise<Times> {
  let store: SqliteSegmentStore | undefined;
  const readers = new Map<string, Searcher>();
  return onceEach(askedOnce.slice(0, 60), (question) => readers.get(question)!.search(page(question)), {
    async before(question) {
      store?.close();
      store = new SqliteSegmentStore(file);
      readers.set(question, new Searcher(store));
      await readers.get(question)!.search(page(''));
    },
  }).finally(() => store?.close());
}

/** Measures the same entries, words and queries in PostgreSQL, in wall time, because other processes do the work. */
async function postgres(job: Job): Promise<Queried> {
  const database = await openPostgres(job.url!);
  await migrate(database);
  const index = await PostgresSearchIndex.open({ database, worker: workerOf(job.root) });
  for (const entries of batches(job.count)) await index.put(entries);
  const pieces = async (): Promise<number> =>
    (await database.get<{ n: number }>('SELECT count(*) AS n FROM search_segment'))!.n;
  for (let quiet = 0, last = await pieces(); quiet < 20;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const now = await pieces();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
  }
  const query = { space: 'note', owners: ['ann'], order: 'rank', offset: 0, limit: 20 } as const;
  const ask = (anywhere: string): Promise<SearchResult> => index.search({ ...query, anywhere });
  const times = {
    // Each query runs once, with nothing cached.
    questionsFirst: await onceEach(askedOnce, ask),
    questions: await timed(asked, rounds, ask),
    selective: await timed(job.rare ?? [], 3, ask),
    half: await timed([plantedWords.half, plantedWords.halfHan], halfRounds, ask),
  };
  const resident = residentMiB();
  const segments = await pieces();
  await index.close();
  await database.close();
  return { residentMiB: resident, matches: { segments }, times };
}

/** The environment determines the database. */
async function notes(job: Job): Promise<Written> {
  return writeNotes(job.count);
}

/** Measures FTS5 over the same tokens: any word may match, its own ranking, the first twenty and the total. */
async function measureFts5(job: Job): Promise<Queried> {
  const file = `${job.file}.fts5`;
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    CREATE VIRTUAL TABLE text_note USING fts5(title, headings, body, content = '', contentless_delete = 1, tokenize = 'ascii')`);
  const insert = db.prepare('INSERT INTO text_note (rowid, title, headings, body) VALUES (?, ?, ?, ?)');
  let number = 0;
  db.exec('BEGIN');
  for (const { title, headings, body } of corpus({ count: job.count }))
    insert.run(++number, ...[title, headings, body].map((text) => tokensFor(text).join(' ')));
  db.exec("COMMIT; INSERT INTO text_note(text_note) VALUES ('optimize')");
  db.exec('PRAGMA cache_size = -16000; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY');
  const first = db.prepare(
    'SELECT rowid FROM text_note WHERE text_note MATCH ? ORDER BY bm25(text_note, 4, 2, 1) LIMIT 20',
  );
  const count = db.prepare('SELECT count(*) AS n FROM text_note WHERE text_note MATCH ?');
  const ask = (question: string): unknown => {
    const expression = queryTokens(question)
      .map((token) => `"${token}"`)
      .join(' OR ');
    return [count.get(expression), first.all(expression)];
  };
  const half = [plantedWords.half, plantedWords.halfHan];
  const times = {
    bareSelective: await timed(job.rare ?? [], rounds, ask),
    bareHalf: await timed(half, halfRounds, ask),
    bareQuestionsOnce: await onceEach(askedOnce, ask),
    bareQuestions: await timed(asked, rounds, ask),
  };
  db.close();
  return { residentMiB: residentMiB(), matches: {}, times };
}

/** A library with an in-memory index. */
interface Contender {
  add(entries: SearchEntry[]): unknown;
  /** Returns the number of matches; the first twenty are ranked. */
  ask(word: string): Promise<number>;
}

/**
 * Builds within the processor time limit, reports the number of entries, and waits for a signal. Peers build in parallel,
 * each on its own core, but are queried one after the other.
 */
async function peer(job: Job, make: () => Contender): Promise<Peer> {
  const { add, ask } = make();
  let built = 0;
  let seconds = 0;
  let used = 0;
  for (const entries of batches(job.count)) {
    const start = performance.now();
    const cpu = cpuSeconds();
    await add(entries);
    seconds += (performance.now() - start) / 1000;
    used += cpuSeconds() - cpu;
    built += entries.length;
    if (used > job.maxCpuSeconds) break;
  }
  process.stdout.write(`${JSON.stringify({ built })}\n`);
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
  const rare: string[] = [];
  for (const word of words) if ((await ask(word)) <= built / 100) rare.push(word);
  const half = [plantedWords.half, plantedWords.halfHan];
  const times = { selective: await timed(rare, rounds, ask), half: await timed(half, halfRounds, ask) };
  return {
    built,
    seconds,
    cpuSeconds: used,
    residentMiB: residentMiB(),
    matches: { half: await ask(plantedWords.half), rareWords: rare.length },
    times,
  };
}

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

/** Peers get our tokens, because their own tokenizers do not find a Chinese word inside a sentence. */
function tokensFor(text: string): string[] {
  const tokens: string[] = [];
  const add = (token: string): void => {
    tokens.push(token);
  };
  visitTokens(text, { positioned: add, unpositioned: add });
  return tokens;
}

/** Returns the tokens that our index looks up for a query, without those of phrases. */
function queryTokens(question: string): string[] {
  return parseQuery(question).terms.flatMap(({ alternatives }) =>
    alternatives.filter(({ positions }) => !positions).map(({ tokens }) => tokens[0]!),
  );
}

async function imported<Module>(job: Job, name: string): Promise<Module> {
  const require = createRequire(join(job.root, 'tools', 'bench', 'package.json'));
  return (await import(pathToFileURL(require.resolve(name)).href)) as Module;
}

interface MiniSearchModule {
  default: new (options: object) => {
    addAll(entries: object[]): void;
    search(query: object | string, options?: object): { length: number };
  };
}

async function minisearch(job: Job): Promise<Peer> {
  const { default: MiniSearch } = await imported<MiniSearchModule>(job, 'minisearch');
  return peer(job, () => {
    const index = new MiniSearch({
      fields: ['title', 'headings', 'body'],
      tokenize: tokensFor,
      processTerm: (term: string) => term,
    });
    const options = { tokenize: queryTokens, combineWith: 'AND', boost: { title: 4, headings: 2 } };
    return { add: (entries) => index.addAll(entries), ask: async (word) => index.search(word, options).length };
  });
}

interface OramaModule {
  create(options: object): unknown;
  insertMultiple(db: unknown, entries: object[], batchSize?: number): Promise<unknown>;
  search(db: unknown, query: object): Promise<{ count: number }>;
}

/** Orama has no whole-word search that works for Chinese: `exact` expects spaces around words. It also stores the texts. */
async function orama(job: Job): Promise<Peer> {
  const { create, insertMultiple, search } = await imported<OramaModule>(job, '@orama/orama');
  return peer(job, () => {
    let asking = false;
    const tokenizer = {
      language: 'english',
      normalizationCache: new Map(),
      tokenize: (text: string) => (asking ? queryTokens(text) : tokensFor(text)),
    };
    const db = create({ schema: { title: 'string', headings: 'string', body: 'string' }, components: { tokenizer } });
    return {
      add: (entries) =>
        insertMultiple(
          db,
          entries.map(({ id, title, headings, body }) => ({ id, title, headings, body })),
          batch,
        ),
      async ask(word) {
        asking = true;
        return (
          await search(db, { term: word, exact: false, threshold: 0, limit: 20, boost: { title: 4, headings: 2 } })
        ).count;
      },
    };
  });
}

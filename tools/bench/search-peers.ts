import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { visitTokens } from '@sheaf/search/analysis/tokenizer';
import { parseQuery } from '@sheaf/search/query/parse-query';
import { SqliteSearchIndex } from '@sheaf/server/adapters/search/sqlite-index.ts';
import { openPostgres } from '@sheaf/server/adapters/sql/postgres/database.ts';
import { ownCpuSeconds, report, root } from './measure/figures.ts';
import { startPostgres, type BenchPostgres } from './measure/servers.ts';
import { fillSpace, qualityOf, readRows, relevanceFolder, spread, topSize, type Question } from './relevance.ts';

/**
 * Measures the full-text search that is built into databases (SQLite FTS5 and PostgreSQL tsvector), for comparison with
 * our own index: nDCG@10 and empty results over public question sets, processor time per search including database
 * processes, and index size. Up to 400 questions of a set are asked once each; the first 40 are not timed.
 *
 * By default three common question sets are used; others in the folder can be named.
 *
 *    npm run bench -- search-peers [folder [set...]]
 */
const defaultSets = ['xquad-en', 'cmrc-dev', 'scifact-even'];
const maxQuestions = 400;
const warmUp = 40;

interface Peer {
  name: string;
  /** Returns the processor seconds that this process has used, plus those of the database server if there is one. */
  cpuSeconds(): Promise<number>;
  fill(texts: readonly Text[]): Promise<void>;
  ask(question: string): Promise<string[]>;
  /** Size of the index in bytes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

interface Text {
  id: string;
  text: string;
}

export async function run(args: readonly string[] = []): Promise<void> {
  const folder = relevanceFolder(args[0]);
  const data = await mkdtemp(join(tmpdir(), 'sheaf-bench-'));
  const postgres = await startPostgres();
  try {
    const sets = args.length > 1 ? args.slice(1) : defaultSets;
    for (const set of sets.filter((name) => existsSync(join(folder, `${name}.docs.jsonl.gz`)))) {
      const texts = readRows<Text>(folder, set, 'docs');
      const questions = spread(readRows<Question>(folder, set, 'queries'), maxQuestions);
      const peers = [
        await ownIndex(join(data, `${set}.db`)),
        fts5('FTS5, porter unicode61', 'porter unicode61', join(data, `${set}-words.db`), (text) => [text], wordsOf),
        fts5('FTS5, trigram', 'trigram', join(data, `${set}-trigram.db`), (text) => [text], trigramsOf),
        fts5('FTS5 over our tokens', 'ascii', join(data, `${set}-own.db`), tokensOf, queryTokensOf),
        await tsvector('tsvector, english, ts_rank_cd', 'english', postgres, set),
        await tsvector('tsvector, simple, ts_rank_cd', 'simple', postgres, set),
      ];
      const figures = [];
      for (const peer of peers) figures.push(await measured(peer, texts, questions));
      const [ours] = figures;
      const rows = figures.map(({ gain, empty, cpuMs, mebibytes }, i) => ({
        what: peers[i]!.name,
        value: [
          gain.toFixed(3),
          `${(100 * empty).toFixed(1)} %`,
          `${cpuMs.toFixed(2)} (x ${(cpuMs / ours!.cpuMs).toFixed(1)})`,
          mebibytes.toFixed(2),
        ].join(', '),
      }));
      const title = `${set}, ${texts.length} texts, ${questions.length} questions`;
      report(`${title}: nDCG@10, empty answers, processor milliseconds a search (to ours), index in MiB`, rows);
    }
  } finally {
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

interface Measured {
  gain: number;
  empty: number;
  cpuMs: number;
  mebibytes: number;
}

async function measured(peer: Peer, texts: readonly Text[], questions: readonly Question[]): Promise<Measured> {
  await peer.fill(texts);
  const found: string[][] = [];
  let before = 0;
  for (const [i, { text }] of questions.entries()) {
    if (i === warmUp) before = await peer.cpuSeconds();
    found.push(await peer.ask(text.slice(0, 1000)));
  }
  const cpuMs = (1000 * ((await peer.cpuSeconds()) - before)) / (questions.length - warmUp);
  const { gain, empty } = qualityOf(questions, found);
  const mebibytes = (await peer.size()) / 2 ** 20;
  await peer.close();
  return { gain, empty, cpuMs, mebibytes };
}

async function ownIndex(path: string): Promise<Peer> {
  const index = await SqliteSearchIndex.open({ path, worker: join(root, 'dist', 'workers', 'search.js') });
  return {
    name: 'ours',
    cpuSeconds: ownCpuSeconds,
    fill: (texts) => fillSpace(index, 'peers', texts),
    async ask(anywhere) {
      const query = { space: 'peers', owners: ['base'], anywhere, order: 'rank', offset: 0, limit: topSize } as const;
      return (await index.search(query)).hits.map(({ id }) => id);
    },
    size: async () => statSync(path).size,
    close: () => index.close(),
  };
}

function fts5(
  name: string,
  tokenizer: string,
  path: string,
  tokens: (text: string) => string[],
  terms: (question: string) => string[],
): Peer {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA synchronous = OFF; CREATE TABLE ids (number INTEGER PRIMARY KEY, id TEXT);
    CREATE VIRTUAL TABLE texts USING fts5(body, content = '', tokenize = '${tokenizer}')`);
  const ask = db.prepare(
    `SELECT id FROM texts JOIN ids ON number = texts.rowid WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ${topSize}`,
  );
  return {
    name,
    cpuSeconds: ownCpuSeconds,
    async fill(texts) {
      const insert = db.prepare('INSERT INTO texts (rowid, body) VALUES (?, ?)');
      const number = db.prepare('INSERT INTO ids VALUES (?, ?)');
      db.exec('BEGIN');
      texts.forEach(({ id, text }, i) => {
        insert.run(i + 1, tokens(text).join(' '));
        number.run(i + 1, id);
      });
      db.exec("COMMIT; INSERT INTO texts(texts) VALUES ('optimize')");
    },
    async ask(question) {
      const query = terms(question).map((term) => `"${term.replaceAll('"', '')}"`);
      return query.length === 0 ? [] : ask.all(query.join(' OR ')).map((row) => String((row as { id: unknown }).id));
    },
    size: async () => statSync(path).size,
    close: async () => db.close(),
  };
}

async function tsvector(name: string, language: string, postgres: BenchPostgres, set: string): Promise<Peer> {
  const database = await openPostgres(postgres.url);
  const table = `peer_${language}_${set.replaceAll('-', '_')}`;
  const { pool } = database;
  await pool.query(`CREATE TABLE ${table} (id text, words tsvector)`);
  return {
    name,
    cpuSeconds: async () => (await ownCpuSeconds()) + (await postgres.cpuSeconds()),
    async fill(texts) {
      await pool.query(
        `INSERT INTO ${table} SELECT id, to_tsvector('${language}', text) FROM unnest($1::text[], $2::text[]) AS given (id, text)`,
        [texts.map(({ id }) => id), texts.map(({ text }) => text)],
      );
      await pool.query(`CREATE INDEX ON ${table} USING gin (words)`);
      await pool.query(`ANALYZE ${table}`);
    },
    async ask(question) {
      const { rows } = await pool.query<{ id: string }>(
        `WITH asked AS (SELECT replace(plainto_tsquery('${language}', $1)::text, '&', '|')::tsquery AS query)
        SELECT id FROM ${table}, asked WHERE words @@ query ORDER BY ts_rank_cd(words, query, 1) DESC, id LIMIT ${topSize}`,
        [question],
      );
      return rows.map(({ id }) => id);
    },
    async size() {
      const { rows } = await pool.query<{ bytes: number }>(`SELECT pg_total_relation_size('${table}')::int AS bytes`);
      return rows[0]!.bytes;
    },
    close: () => database.close(),
  };
}

function wordsOf(question: string): string[] {
  return question.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function trigramsOf(question: string): string[] {
  const [...characters] = question;
  return characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''));
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const add = (token: string): unknown => tokens.push(token);
  visitTokens(text, { positioned: add, unpositioned: add });
  return tokens;
}

function queryTokensOf(question: string): string[] {
  return parseQuery(question).terms.flatMap(({ alternatives }) =>
    alternatives.filter(({ positions }) => !positions).map(({ tokens }) => tokens[0]!),
  );
}

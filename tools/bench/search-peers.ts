import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { visitTokens } from '@sheaf/search/analysis/tokenizer';
import { parseQuery } from '@sheaf/search/query/parse-query';
import { SqliteSearchIndex } from '@sheaf/server/adapters/search/sqlite-index.ts';
import { openPostgres } from '@sheaf/server/adapters/sql/postgres/database.ts';
import { percentile, report, root } from './measure/figures.ts';
import { startPostgres } from './measure/servers.ts';
import { fillSpace, qualityOf, readRows, relevanceFolder, topSize, type Question } from './relevance.ts';

/**
 * Measures what the databases' own full-text search would give: nDCG@10 and empty answers over public question sets, size
 * of the index, and time by the clock.
 *
 *   npm run bench -- search-peers [folder]
 */
const sets = ['xquad-en', 'cmrc-dev'];

interface Peer {
  name: string;
  fill(texts: readonly Text[]): Promise<void>;
  ask(question: string): Promise<string[]>;
  /** Bytes of the index. */
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
    for (const set of sets.filter((name) => existsSync(join(folder, `${name}.docs.jsonl.gz`)))) {
      const texts = readRows<Text>(folder, set, 'docs');
      const questions = readRows<Question>(folder, set, 'queries');
      const peers = [
        await ownIndex(join(data, `${set}.db`)),
        fts5('FTS5, porter unicode61', 'porter unicode61', join(data, `${set}-words.db`), (text) => [text], wordsOf),
        fts5('FTS5, trigram', 'trigram', join(data, `${set}-trigram.db`), (text) => [text], trigramsOf),
        fts5('FTS5 over our tokens', 'ascii', join(data, `${set}-own.db`), tokensOf, queryTokensOf),
        await tsvector('tsvector, english, ts_rank_cd', 'english', postgres.url, set),
        await tsvector('tsvector, simple, ts_rank_cd', 'simple', postgres.url, set),
      ];
      const rows = [];
      for (const peer of peers) rows.push({ what: peer.name, value: await measured(peer, texts, questions) });
      report(`${set}: nDCG@10, empty answers, p50 / p95 in milliseconds by the clock, index in MiB`, rows);
    }
  } finally {
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function measured(peer: Peer, texts: readonly Text[], questions: readonly Question[]): Promise<string> {
  await peer.fill(texts);
  const found: string[][] = [];
  const times: number[] = [];
  for (const { text } of questions) {
    const start = performance.now();
    found.push(await peer.ask(text.slice(0, 1000)));
    times.push(performance.now() - start);
  }
  const { gain, empty } = qualityOf(questions, found);
  const size = (await peer.size()) / 2 ** 20;
  await peer.close();
  const speed = `${percentile(times, 50).toFixed(2)} / ${percentile(times, 95).toFixed(2)}`;
  return `${gain.toFixed(3)}, ${(100 * empty).toFixed(1)} %, ${speed}, ${size.toFixed(2)}`;
}

async function ownIndex(path: string): Promise<Peer> {
  const index = await SqliteSearchIndex.open({ path, worker: join(root, 'dist', 'workers', 'search.js') });
  return {
    name: 'ours',
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

async function tsvector(name: string, language: string, url: string, set: string): Promise<Peer> {
  const database = await openPostgres(url);
  const table = `peer_${language}_${set.replaceAll('-', '_')}`;
  const { pool } = database;
  await pool.query(`CREATE TABLE ${table} (id text, words tsvector)`);
  return {
    name,
    async fill(texts) {
      for (const { id, text } of texts)
        await pool.query(`INSERT INTO ${table} VALUES ($1, to_tsvector('${language}', $2))`, [id, text]);
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

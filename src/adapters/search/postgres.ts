import { tokensVersion } from '../../lib/tokens.ts';
import type { SearchEntry, SearchIndex, SearchOrder, SearchQuery, SearchResult } from '../../ports/search-index.ts';
import type { PostgresDatabase } from '../sql/postgres.ts';
import { Conditions, contentLetter, ownerLexeme, titleLetter } from './postgres-conditions.ts';
import { maxTitleKeyLength, planOf, tiersFor } from './plan.ts';
import type { EntryTokens } from './protocol.ts';
import { WorkerClient } from './worker-client.ts';

export interface PostgresSearchOptions {
  database: PostgresDatabase;
  /** The bundled worker, dist/workers/search.js. */
  worker: string;
}

const orderBy: Record<Exclude<SearchOrder, 'rank'>, string> = {
  modified: 'modified DESC, id',
  created: 'created DESC, id',
  title: 'title_key, id',
  size: 'size DESC, id',
};

const columns = [
  'space',
  'id',
  'owner',
  'created',
  'modified',
  'size',
  'title_key',
  'title_tokens',
  'heading_tokens',
  'tokens',
];

/** How many entries one statement puts: a journey to the database for each would take longer than the index. Few texts, so that they stay prepared. */
const rowsAtOnce = [32, 8, 1];
/** Characters of tokens that go together: more than this is sent one by one, so that memory stays flat. */
const maxAtOnce = 2 ** 20;

const putEntries = rowsAtOnce.map(
  (count) => `INSERT INTO search_entry (${columns.join(', ')}) VALUES ${Array<string>(count)
    .fill(`(${columns.map(() => '?').join(', ')})`)
    .join(', ')}
    ON CONFLICT (space, id) DO UPDATE SET ${columns
      .slice(2)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`,
);

/** An array index over our tokens in the main database (migration 002). Tokens are made in a worker thread. */
export class PostgresSearchIndex implements SearchIndex {
  readonly #db: PostgresDatabase;
  readonly #worker: WorkerClient;
  #needsRebuild = false;

  static async open(options: PostgresSearchOptions): Promise<PostgresSearchIndex> {
    const index = new PostgresSearchIndex(options);
    const state = await options.database.get<{ value: string }>(
      "SELECT value FROM search_state WHERE name = 'complete'",
    );
    index.#needsRebuild = state?.value !== tokensVersion;
    return index;
  }

  private constructor({ database, worker }: PostgresSearchOptions) {
    this.#db = database;
    this.#worker = new WorkerClient(worker, {});
  }

  get needsRebuild(): boolean {
    return this.#needsRebuild;
  }

  async put(entries: readonly SearchEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const tokens = (await this.#worker.ask({ kind: 'tokenize', entries })) as EntryTokens[];
    // All nodes lock in the same order, so that two batches never wait for each other.
    const rows = lastOfEach(entries).flatMap((index) => {
      const entry = entries[index];
      const made = tokens[index];
      return entry && made ? [rowOf(entry, made)] : [];
    });
    await this.#db.write(
      null,
      async (tx) => {
        for (let next = 0; next < rows.length;) {
          const which = rowsAtOnce.findIndex(
            (count) => count === 1 || (next + count <= rows.length && isSmall(rows.slice(next, next + count))),
          );
          await tx.run(putEntries[which]!, ...rows.slice(next, next + rowsAtOnce[which]!).flat());
          next += rowsAtOnce[which]!;
        }
      },
      { blind: true },
    );
  }

  async remove(space: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.write(
      null,
      (tx) =>
        tx.run(
          'DELETE FROM search_entry WHERE space = ? AND id IN (SELECT jsonb_array_elements_text(?::jsonb))',
          space,
          JSON.stringify(ids),
        ),
      { blind: true },
    );
  }

  async clear(space: string): Promise<void> {
    await this.#db.write(null, (tx) => tx.run('DELETE FROM search_entry WHERE space = ?', space), { blind: true });
  }

  async rebuilt(): Promise<void> {
    await this.#db.write(null, (tx) =>
      tx.run(
        "INSERT INTO search_state (name, value) VALUES ('complete', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        tokensVersion,
      ),
    );
    this.#needsRebuild = false;
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const plan = planOf(query);
    if (plan.none) return { ids: [], total: 0 };
    const where = new Conditions();
    if (plan.clauses.length === 0) where.ownedBy(query.space, query.owners);
    else {
      where.ownerLexemes(query.space, query.owners);
      for (const clause of plan.clauses) where.match(clause);
    }
    const total = await this.#count(where);
    if (total <= query.offset || query.limit <= 0) return { ids: [], total };
    let order = query.order === 'rank' ? orderBy.modified : orderBy[query.order];
    if (query.order === 'rank') {
      const tiers = tiersFor(plan, total).map((tier, index) => `WHEN ${where.tier(tier)} THEN ${index}`);
      if (tiers.length > 0) order = `CASE ${tiers.join(' ')} ELSE ${tiers.length} END, ${order}`;
    }
    const page = `LIMIT ${where.bind(query.limit)} OFFSET ${where.bind(query.offset)}`;
    // Not prepared: the plan depends on how frequent the words are.
    const found = await this.#db.pool.query<{ id: string }>(
      `SELECT id FROM search_entry WHERE ${where.sql} ORDER BY ${order} ${page}`,
      where.values,
    );
    return { ids: found.rows.map((row) => row.id), total };
  }

  async #count(where: Conditions): Promise<number> {
    const counted = await this.#db.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM search_entry WHERE ${where.sql}`,
      where.values.slice(),
    );
    return counted.rows[0]?.n ?? 0;
  }

  async close(): Promise<void> {
    await this.#worker.close();
  }
}

/** Where each entry stands, in the order of their names; of several with one name, the last. */
function lastOfEach(entries: readonly SearchEntry[]): number[] {
  const last = new Map<string, number>();
  entries.forEach((entry, index) => last.set(`${entry.space} ${entry.id}`, index));
  return [...last].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, index]) => index);
}

function isSmall(rows: readonly Row[]): boolean {
  return rows.reduce((sum, row) => sum + row.at(-1)!.toString().length, 0) <= maxAtOnce;
}

/** In the order of the columns, the tokens last. */
type Row = (string | number)[];

function rowOf(entry: SearchEntry, made: EntryTokens): Row {
  const titleKey = entry.titleKey.slice(0, maxTitleKeyLength).replaceAll('\0', '');
  return [
    entry.space,
    entry.id,
    entry.owner,
    entry.created,
    entry.modified,
    entry.size,
    titleKey,
    ` ${made.title} `,
    ` ${made.headings} `,
    allTokens(entry, made),
  ];
}

function allTokens(entry: SearchEntry, made: EntryTokens): string {
  // The lone letters between the parts keep phrases from reaching across.
  const parts = [
    ownerLexeme(entry.space, entry.owner),
    lettered(titleLetter, made.title),
    contentLetter,
    lettered(contentLetter, made.headings),
    contentLetter,
    lettered(contentLetter, made.body),
  ];
  return ` ${parts.filter((part) => part !== '').join(' ')} `;
}

function lettered(letter: string, tokens: string): string {
  return tokens === '' ? '' : letter + tokens.replaceAll(' ', ` ${letter}`);
}

import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { SearchEntry, SearchIndex, SearchOrder, SearchQuery, SearchResult } from '../../ports/search-index.ts';
import { clauseExpression, tierExpression } from './fts-expression.ts';
import { planOf, tiersFor, type Clause, type Plan } from './plan.ts';
import { isDamage, sqliteCode, type OpenAnswer, type Task } from './protocol.ts';
import { ownerToken, spaceName } from './sqlite-schema.ts';
import { TaskError, WorkerClient } from './worker-client.ts';

export interface SqliteSearchOptions {
  /** The index file, beside the main database. */
  path: string;
  /** The bundled worker, dist/workers/search.js. */
  worker: string;
  /** Told when the file could not be used and was replaced by an empty one: `needsRebuild` is true from then on. */
  onReplaced?: (reason: string) => void;
}

type StoredOrder = Exclude<SearchOrder, 'rank'>;

const orderBy: Record<StoredOrder, string> = {
  modified: 'modified DESC, id',
  created: 'created DESC, id',
  title: 'title_key, id',
  size: 'size DESC, id',
};

/** With more matches than this, and no fewer than one in twenty of the owner's entries, the order's own index is walked. */
const walkFrom = 1000;
const walkShare = 20;

/** The owners of one query, as the file knows them. */
interface Owners {
  keys: number[];
  entries: number;
  /** They own all there is in the space, so no match needs to be asked whose it is. */
  everyone: boolean;
}

/** FTS5 in a file of its own. Writes happen in a worker thread; reads here, in the order of milliseconds. */
export class SqliteSearchIndex implements SearchIndex {
  readonly #options: SqliteSearchOptions;
  readonly #worker: WorkerClient;
  readonly #statements = new Map<string, StatementSyncInstance>();
  readonly #spaces = new Set<string>();
  #reader: DatabaseSyncInstance | undefined;
  #needsRebuild = false;
  #replacing: Promise<void> | undefined;

  static async open(options: SqliteSearchOptions): Promise<SqliteSearchIndex> {
    const index = new SqliteSearchIndex(options);
    const { needsRebuild, reason } = (await index.#worker.ask({ kind: 'open' })) as OpenAnswer;
    index.#needsRebuild = needsRebuild;
    if (reason) options.onReplaced?.(reason);
    return index;
  }

  private constructor(options: SqliteSearchOptions) {
    this.#options = options;
    this.#worker = new WorkerClient(options.worker, { path: options.path });
  }

  get needsRebuild(): boolean {
    return this.#needsRebuild;
  }

  async put(entries: readonly SearchEntry[]): Promise<void> {
    if (entries.length > 0) await this.#ask({ kind: 'put', entries });
  }

  async remove(space: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#ask({ kind: 'remove', space, ids });
  }

  async clear(space: string): Promise<void> {
    await this.#ask({ kind: 'clear', space });
  }

  async rebuilt(): Promise<void> {
    await this.#ask({ kind: 'rebuilt' });
    this.#needsRebuild = false;
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    try {
      return this.#search(query);
    } catch (error) {
      if (!isDamage(sqliteCode(error))) throw error;
      await this.#replace(error);
      return this.#search(query);
    }
  }

  async close(): Promise<void> {
    this.#closeReader();
    await this.#worker.close();
  }

  async #ask(task: Task): Promise<void> {
    try {
      await this.#worker.ask(task);
    } catch (error) {
      if (!(error instanceof TaskError) || !isDamage(error.code)) throw error;
      await this.#replace(error);
      await this.#worker.ask(task);
    }
  }

  /** Once for everybody who meets the damage at the same time. */
  #replace(cause: unknown): Promise<void> {
    this.#replacing ??= (async () => {
      this.#closeReader();
      this.#needsRebuild = true;
      await this.#worker.ask({ kind: 'reset' });
      this.#options.onReplaced?.(cause instanceof Error ? cause.message : String(cause));
    })().finally(() => {
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  /** In one read transaction: total and page are of the same moment. */
  #search(query: SearchQuery): SearchResult {
    this.#get('BEGIN');
    try {
      return this.#find(query);
    } finally {
      this.#get('COMMIT');
    }
  }

  #find(query: SearchQuery): SearchResult {
    const plan = planOf(query);
    const nothing: SearchResult = { ids: [], total: 0 };
    if (plan.none || !this.#hasSpace(query.space)) return nothing;
    const owners = this.#owners(query.space, query.owners);
    if (owners.entries === 0) return nothing;
    if (plan.clauses.length === 0) {
      const order = query.order === 'rank' ? 'modified' : query.order;
      return { ids: this.#list(query.space, owners, order, query.offset, query.limit), total: owners.entries };
    }
    const whose = owners.everyone ? [] : [`(${owners.keys.map((key) => `"${ownerToken(key)}"`).join(' OR ')})`];
    const match = [...whose, ...plan.clauses.map(clauseExpression)].join(' AND ');
    const total = this.#count(query.space, match);
    if (total <= query.offset || query.limit <= 0) return { ids: [], total };
    const ids =
      query.order === 'rank'
        ? this.#ranked(query, owners, plan, match, total)
        : this.#page(query.space, owners, match, total, query.order, query.offset, query.limit);
    return { ids, total };
  }

  /** Tier by tier, each without the ones before it, until the page is full. */
  #ranked(query: SearchQuery, owners: Owners, plan: Plan, match: string, total: number): string[] {
    const tiers = this.#tiersInUse(query.space, plan, match, total);
    const ids: string[] = [];
    let skip = query.offset;
    let left = total;
    for (let i = 0; i <= tiers.length && left > 0; i++) {
      const expression = tierExpression(match, tiers, i);
      const size = i < tiers.length ? this.#count(query.space, expression) : left;
      left -= size;
      if (skip < size) {
        ids.push(...this.#page(query.space, owners, expression, size, 'modified', skip, query.limit - ids.length));
        if (ids.length >= query.limit) break;
      }
      skip = Math.max(0, skip - size);
    }
    return ids;
  }

  /** Most words are in no title and no heading: one question finds out, instead of one for each tier. */
  #tiersInUse(space: string, plan: Plan, match: string, total: number): Clause[] {
    const tiers = tiersFor(plan, total);
    const ofFields = tiers.filter((tier) => tier.fields.length === 1);
    if (ofFields.length < 2) return tiers;
    const fields = [...new Set(ofFields.flatMap((tier) => tier.fields))];
    const terms = ofFields.at(-1)?.terms ?? [];
    const inFields = this.#count(space, `${match} AND ${clauseExpression({ fields, terms })}`);
    return inFields > 0 ? tiers : tiers.filter((tier) => tier.fields.length > 1);
  }

  #count(space: string, match: string): number {
    return this.#get<{ n: number }>(`SELECT count(*) AS n FROM text_${space} WHERE text_${space} MATCH ?`, match)?.n ?? 0;
  }

  #page(space: string, owners: Owners, match: string, matches: number, order: StoredOrder, offset: number, limit: number): string[] {
    const found = `SELECT rowid FROM text_${space} WHERE text_${space} MATCH ?`;
    const [owner] = owners.keys;
    if (owner !== undefined && owners.keys.length === 1 && matches > walkFrom && matches * walkShare > owners.entries) {
      return this.#ids(
        `SELECT id FROM entry_${space} INDEXED BY entry_${space}_${order} WHERE owner = ? AND +number IN (${found}) ORDER BY ${orderBy[order]} LIMIT ? OFFSET ?`,
        owner,
        match,
        limit,
        offset,
      );
    }
    // The plus keeps the order's index out: matches are looked up one by one and sorted.
    return this.#ids(
      `SELECT e.id FROM text_${space} t CROSS JOIN entry_${space} e ON e.number = t.rowid WHERE t.text_${space} MATCH ? ORDER BY ${orderBy[order]} LIMIT ? OFFSET ?`,
      match,
      limit,
      offset,
    );
  }

  /** Everything of the owners: what an empty query finds. */
  #list(space: string, owners: Owners, order: StoredOrder, offset: number, limit: number): string[] {
    const [owner] = owners.keys;
    if (owners.keys.length === 1 && owner !== undefined) {
      return this.#ids(`SELECT id FROM entry_${space} WHERE owner = ? ORDER BY ${orderBy[order]} LIMIT ? OFFSET ?`, owner, limit, offset);
    }
    return this.#ids(
      `SELECT id FROM entry_${space} WHERE owner IN (SELECT value FROM json_each(?)) ORDER BY ${orderBy[order]} LIMIT ? OFFSET ?`,
      JSON.stringify(owners.keys),
      limit,
      offset,
    );
  }

  #owners(space: string, names: readonly string[]): Owners {
    const owners: Owners = { keys: [], entries: 0, everyone: false };
    for (const name of new Set(names)) {
      const owner = this.#get<{ key: number; entries: number }>('SELECT key, entries FROM owner WHERE space = ? AND name = ?', space, name);
      if (!owner || owner.entries === 0) continue;
      owners.keys.push(owner.key);
      owners.entries += owner.entries;
    }
    owners.everyone = owners.entries === this.#get<{ entries: number }>('SELECT entries FROM space WHERE name = ?', space)?.entries;
    return owners;
  }

  /** A space has its tables from its first entry on. */
  #hasSpace(space: string): boolean {
    const name = spaceName(space);
    if (this.#spaces.has(name)) return true;
    if (!this.#get('SELECT 1 FROM sqlite_schema WHERE name = ?', `text_${name}`)) return false;
    this.#spaces.add(name);
    return true;
  }

  #get<Row>(sql: string, ...params: (string | number)[]): Row | undefined {
    return this.#prepare(sql).get(...params) as Row | undefined;
  }

  #ids(sql: string, ...params: (string | number)[]): string[] {
    return (this.#prepare(sql).all(...params) as { id: string }[]).map((row) => row.id);
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (!statement) {
      this.#reader ??= openReader(this.#options.path);
      statement = this.#reader.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #closeReader(): void {
    this.#statements.clear();
    this.#spaces.clear();
    this.#reader?.close();
    this.#reader = undefined;
  }
}

function openReader(path: string): DatabaseSyncInstance {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  db.exec('PRAGMA cache_size = -16000; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY');
  return db;
}

import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { SearchOrder, SearchQuery, SearchResult } from '../../ports/search-index.ts';
import { clauseExpression, tierExpression } from './fts-expression.ts';
import { planOf, tiersFor, type Clause, type Plan } from './plan.ts';
import { ownerToken, spaceName } from './sqlite-schema.ts';

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
/** Up to so many matches are looked up one by one to see whose they are; with more the full text is asked. */
const fewMatches = 3000;
const fewEntries = 500;

/** Whose entries a query is about, and how matches are told apart: */
interface Scope {
  space: string;
  /** The owners, as the file knows them. */
  keys: number[];
  entries: number;
  /** not at all, for they own all there is; by their column; or by their token in the full text. */
  by: 'nothing' | 'column' | 'token';
  /** They own most of what there is. */
  most: boolean;
}

/** The connection that reads the index file, in the caller's thread: every question takes milliseconds. */
export class SqliteReader {
  readonly #db: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();
  readonly #spaces = new Set<string>();

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    this.#db.exec('PRAGMA cache_size = -16000; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY');
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  /** In one read transaction: total and page are of the same moment. */
  search(query: SearchQuery): SearchResult {
    this.#get('BEGIN');
    try {
      return this.#search(query);
    } finally {
      this.#get('COMMIT');
    }
  }

  #search(query: SearchQuery): SearchResult {
    const plan = planOf(query);
    const nothing: SearchResult = { ids: [], total: 0 };
    if (plan.none || !this.#hasSpace(query.space)) return nothing;
    const scope = this.#scope(query.space, query.owners);
    if (scope.entries === 0) return nothing;
    if (plan.clauses.length === 0) {
      const order = query.order === 'rank' ? 'modified' : query.order;
      return { ids: this.#list(scope, order, query.offset, query.limit), total: scope.entries };
    }
    const match = plan.clauses.map(clauseExpression).join(' AND ');
    if (scope.entries <= fewEntries || this.#isFew(scope.space, match)) {
      if (scope.by === 'token' && scope.entries > fewEntries) scope.by = 'column';
      const ranked = query.order === 'rank' && this.#tiersInUse(scope, plan, match, fewMatches).length > 0;
      if (!ranked && query.limit > 0) return this.#onePass(scope, match, query);
    }
    const total = this.#count(scope, match);
    if (total <= query.offset || query.limit <= 0) return { ids: [], total };
    const ids = query.order === 'rank' ? this.#ranked(scope, query, plan, match, total) : this.#page(scope, match, total, query.order, query.offset, query.limit);
    return { ids, total };
  }

  /** Few matches, one order: the page and the total at once. */
  #onePass(scope: Scope, match: string, query: SearchQuery): SearchResult {
    const order = query.order === 'rank' ? 'modified' : query.order;
    const from = this.#matches(scope, match);
    const sql = `SELECT e.id, count(*) OVER () AS total FROM ${from.sql} ORDER BY ${orderBy[order]} LIMIT ? OFFSET ?`;
    const rows = this.#prepare(sql).all(...from.params, query.limit, query.offset) as { id: string; total: number }[];
    const [first] = rows;
    return { ids: rows.map((row) => row.id), total: first ? first.total : this.#count(scope, match) };
  }

  /** Tier by tier, each without the ones before it, until the page is full. */
  #ranked(scope: Scope, query: SearchQuery, plan: Plan, match: string, total: number): string[] {
    const tiers = this.#tiersInUse(scope, plan, match, total);
    const ids: string[] = [];
    let skip = query.offset;
    let left = total;
    for (let i = 0; i <= tiers.length && left > 0; i++) {
      const expression = tierExpression(match, tiers, i);
      const size = i < tiers.length ? this.#count(scope, expression) : left;
      left -= size;
      if (skip < size) {
        ids.push(...this.#page(scope, expression, size, 'modified', skip, query.limit - ids.length));
        if (ids.length >= query.limit) break;
      }
      skip = Math.max(0, skip - size);
    }
    return ids;
  }

  /** Most words are in no title and no heading: one question finds out, instead of one for each tier. */
  #tiersInUse(scope: Scope, plan: Plan, match: string, total: number): Clause[] {
    const tiers = tiersFor(plan, total);
    const ofFields = tiers.filter((tier) => tier.fields.length === 1);
    if (ofFields.length < 2) return tiers;
    const fields = [...new Set(ofFields.flatMap((tier) => tier.fields))];
    const terms = ofFields.at(-1)?.terms ?? [];
    const some = this.#get(`SELECT 1 FROM text_${scope.space} WHERE text_${scope.space} MATCH ? LIMIT 1`, `${match} AND ${clauseExpression({ fields, terms })}`);
    return some ? tiers : tiers.filter((tier) => tier.fields.length > 1);
  }

  #isFew(space: string, match: string): boolean {
    const row = this.#get<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM text_${space} WHERE text_${space} MATCH ? LIMIT ?)`, match, fewMatches + 1);
    return (row?.n ?? 0) <= fewMatches;
  }

  #count(scope: Scope, match: string): number {
    const from =
      scope.by === 'column'
        ? this.#matches(scope, match)
        : { sql: `text_${scope.space} WHERE text_${scope.space} MATCH ?`, params: [scoped(scope, match)] };
    return this.#get<{ n: number }>(`SELECT count(*) AS n FROM ${from.sql}`, ...from.params)?.n ?? 0;
  }

  /** Matches first, each looked up by its number: as a cross join, SQLite keeps this order. */
  #matches(scope: Scope, match: string): { sql: string; params: string[] } {
    const { space } = scope;
    const sql = `text_${space} t CROSS JOIN entry_${space} e ON e.number = t.rowid WHERE t.text_${space} MATCH ?`;
    if (scope.by === 'column') return { sql: `${sql} AND e.owner IN (${keyList})`, params: [match, JSON.stringify(scope.keys)] };
    return { sql, params: [scoped(scope, match)] };
  }

  #page(scope: Scope, match: string, matches: number, order: StoredOrder, offset: number, limit: number): string[] {
    const { space } = scope;
    const [owner] = scope.keys;
    const tail = `ORDER BY ${orderBy[order]} LIMIT ? OFFSET ?`;
    if (owner !== undefined && scope.keys.length === 1 && matches > walkFrom && matches * walkShare > scope.entries) {
      // The plus keeps SQLite from looking the matches up one by one.
      const found = `SELECT rowid FROM text_${space} WHERE text_${space} MATCH ?`;
      const sql = `SELECT id FROM entry_${space} INDEXED BY entry_${space}_${order} WHERE owner = ? AND +number IN (${found}) ${tail}`;
      return this.#ids(sql, owner, scope.most ? match : scoped(scope, match), limit, offset);
    }
    const from = this.#matches(scope, match);
    return this.#ids(`SELECT e.id FROM ${from.sql} ${tail}`, ...from.params, limit, offset);
  }

  /** Everything of the owners: what an empty query finds. */
  #list({ space, keys }: Scope, order: StoredOrder, offset: number, limit: number): string[] {
    const tail = `ORDER BY ${orderBy[order]} LIMIT ? OFFSET ?`;
    const [owner] = keys;
    if (keys.length === 1 && owner !== undefined) return this.#ids(`SELECT id FROM entry_${space} WHERE owner = ? ${tail}`, owner, limit, offset);
    return this.#ids(`SELECT id FROM entry_${space} WHERE owner IN (${keyList}) ${tail}`, JSON.stringify(keys), limit, offset);
  }

  #scope(space: string, names: readonly string[]): Scope {
    const keys: number[] = [];
    let entries = 0;
    for (const name of new Set(names)) {
      const owner = this.#get<{ key: number; entries: number }>('SELECT key, entries FROM owner WHERE space = ? AND name = ?', space, name);
      if (!owner || owner.entries === 0) continue;
      keys.push(owner.key);
      entries += owner.entries;
    }
    const all = this.#get<{ entries: number }>('SELECT entries FROM space WHERE name = ?', space)?.entries ?? 0;
    return { space, keys, entries, by: entries === all ? 'nothing' : 'token', most: entries * 2 > all };
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
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

const keyList = 'SELECT value FROM json_each(?)';

function scoped(scope: Scope, match: string): string {
  if (scope.by !== 'token') return match;
  return `(${scope.keys.map((key) => `"${ownerToken(key)}"`).join(' OR ')}) AND (${match})`;
}

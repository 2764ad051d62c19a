import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { SearchOrder, SearchQuery, SearchResult } from '../../ports/search-index.ts';
import { Statements } from '../sql/sqlite/statements.ts';
import { rankKeys, stretchOf } from './best.ts';
import { clauseExpression, tierExpression } from './fts-expression.ts';
import { ascendingNumbers, firstListOf } from './numbers.ts';
import { planOf, tiersFor, type Clause, type Plan } from './plan.ts';
import { ownerToken, rangeOf, spaceName } from './sqlite-schema.ts';
import { TimesReader } from './sqlite-times.ts';

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
/** Up to so many matches are listed and ordered here; more of them by SQLite, tier by tier. */
const fewMatches = 2000;
/** An owner of less than one entry in so many has little: their token leads to it at once, their range only in the end. */
const littleShare = 20;

/** Whose entries a query is about. */
interface Scope {
  space: string;
  /** The owners, as the file knows them. */
  keys: number[];
  entries: number;
  /** Everything in the space is theirs, a good part of it, or little. */
  share: 'all' | 'much' | 'little';
}

/** What stands after FROM, and its values. */
interface From {
  sql: string;
  params: (string | number)[];
}

/** The connection that reads the index file, in the caller's thread: every question takes milliseconds. */
export class SqliteReader {
  readonly #db: DatabaseSyncInstance;
  readonly #statements: Statements;
  /** The spaces that are known to be there. */
  readonly #spaces = new Set<string>();
  readonly #timesOf = new Map<string, TimesReader>();

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    this.#db.exec('PRAGMA cache_size = -16000; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY');
    this.#statements = new Statements(this.#db);
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
    const total = this.#count(scope, match);
    if (total <= query.offset || query.limit <= 0) return { ids: [], total };
    return { ids: this.#idsOf(scope, query, plan, match, total), total };
  }

  #idsOf(scope: Scope, query: SearchQuery, plan: Plan, match: string, total: number): string[] {
    const { order, offset, limit } = query;
    const isFew = total <= fewMatches;
    if (order === 'rank')
      return isFew
        ? this.#latest(scope, match, this.#tiersOf(scope, plan, match, total), offset, limit)
        : this.#rankedByTier(scope, query, plan, match, total);
    return isFew && order === 'modified'
      ? this.#latest(scope, match, [], offset, limit)
      : this.#page(scope, match, total, order, offset, limit);
  }

  /** What is in each tier. Of one clause alone a tier is a part; of several it may hold far more than matches. */
  #tiersOf(scope: Scope, plan: Plan, match: string, total: number): Float64Array[] {
    return tiersFor(plan, total).map((tier) =>
      this.#numbers(
        scope,
        plan.clauses.length === 1 ? clauseExpression(tier) : `(${match}) AND ${clauseExpression(tier)}`,
      ),
    );
  }

  /** A page of the matches: tier after tier, in each the latest first. */
  #latest(scope: Scope, match: string, tiers: readonly Float64Array[], offset: number, limit: number): string[] {
    const numbers = this.#numbers(scope, match);
    const keys = rankKeys(firstListOf(numbers, tiers), this.#times(scope.space).of(numbers));
    const { places, skip } = stretchOf(keys, offset, limit);
    const ids = this.#idsOfNumbers(
      scope.space,
      places.map((place) => numbers[place] ?? 0),
    );
    const rows = places.map((place, i) => ({ key: keys[place] ?? 0, id: ids[i] ?? '' }));
    rows.sort((a, b) => a.key - b.key || (a.id < b.id ? -1 : 1));
    return rows.slice(skip, skip + limit).map((row) => row.id);
  }

  /** The numbers of the matches, as one text: a row for each would take several times as long. */
  #numbers(scope: Scope, match: string): Float64Array {
    const from = found(scope, match);
    return ascendingNumbers(
      this.#get<{ numbers: string | null }>(`SELECT group_concat(t.rowid) AS numbers FROM ${from.sql}`, ...from.params)
        ?.numbers ?? '',
    );
  }

  /** In the order of the numbers: a cross join goes through its left side first. */
  #idsOfNumbers(space: string, numbers: readonly number[]): string[] {
    const row = this.#get<{ ids: string }>(
      `SELECT json_group_array(e.id) AS ids FROM json_each(?) AS n CROSS JOIN entry_${space} e ON e.number = n.value`,
      JSON.stringify(numbers),
    );
    return JSON.parse(row?.ids ?? '[]') as string[];
  }

  /** Tier by tier, each without the ones before it, until the page is full. */
  #rankedByTier(scope: Scope, query: SearchQuery, plan: Plan, match: string, total: number): string[] {
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
    const from = found(scope, `${match} AND ${clauseExpression({ fields, terms })}`);
    const some = this.#get(`SELECT 1 FROM ${from.sql} LIMIT 1`, ...from.params);
    return some ? tiers : tiers.filter((tier) => tier.fields.length > 1);
  }

  #count(scope: Scope, match: string): number {
    const from = found(scope, match);
    return this.#get<{ n: number }>(`SELECT count(*) AS n FROM ${from.sql}`, ...from.params)?.n ?? 0;
  }

  #page(scope: Scope, match: string, matches: number, order: StoredOrder, offset: number, limit: number): string[] {
    const { space, keys } = scope;
    const [owner] = keys;
    const tail = `ORDER BY ${orderBy[order]} LIMIT ? OFFSET ?`;
    if (owner !== undefined && keys.length === 1 && matches > walkFrom && matches * walkShare > scope.entries) {
      const from = found(scope, match);
      // The plus keeps SQLite from looking the matches up one by one.
      const sql = `SELECT id FROM entry_${space} INDEXED BY entry_${space}_${order} WHERE owner = ? AND +number IN (SELECT rowid FROM ${from.sql}) ${tail}`;
      return this.#ids(sql, owner, ...from.params, limit, offset);
    }
    const from = joined(scope, match);
    return this.#ids(`SELECT e.id FROM ${from.sql} ${tail}`, ...from.params, limit, offset);
  }

  /** Everything of the owners: what an empty query finds. */
  #list({ space, keys }: Scope, order: StoredOrder, offset: number, limit: number): string[] {
    const tail = `ORDER BY ${orderBy[order]} LIMIT ? OFFSET ?`;
    const [owner] = keys;
    if (keys.length === 1 && owner !== undefined)
      return this.#ids(`SELECT id FROM entry_${space} WHERE owner = ? ${tail}`, owner, limit, offset);
    return this.#ids(
      `SELECT id FROM entry_${space} WHERE owner IN (${keyList}) ${tail}`,
      JSON.stringify(keys),
      limit,
      offset,
    );
  }

  #scope(space: string, names: readonly string[]): Scope {
    const keys: number[] = [];
    let entries = 0;
    for (const name of new Set(names)) {
      const owner = this.#get<{ key: number; entries: number }>(
        'SELECT key, entries FROM owner WHERE space = ? AND name = ?',
        space,
        name,
      );
      if (!owner || owner.entries === 0) continue;
      keys.push(owner.key);
      entries += owner.entries;
    }
    const all = this.#get<{ entries: number }>('SELECT entries FROM space WHERE name = ?', space)?.entries ?? 0;
    return { space, keys, entries, share: entries === all ? 'all' : entries * littleShare > all ? 'much' : 'little' };
  }

  /** A space has its tables from its first entry on. */
  #hasSpace(space: string): boolean {
    const name = spaceName(space);
    if (this.#spaces.has(name)) return true;
    if (!this.#get('SELECT 1 FROM sqlite_schema WHERE name = ?', `text_${name}`)) return false;
    this.#spaces.add(name);
    return true;
  }

  #times(space: string): TimesReader {
    let times = this.#timesOf.get(space);
    if (!times) {
      times = new TimesReader(space, (sql) => this.#statements.of(sql));
      this.#timesOf.set(space, times);
    }
    return times;
  }

  #get<Row>(sql: string, ...params: (string | number)[]): Row | undefined {
    return this.#statements.of(sql).get(...params) as Row | undefined;
  }

  #ids(sql: string, ...params: (string | number)[]): string[] {
    return (this.#statements.of(sql).all(...params) as { id: string }[]).map((row) => row.id);
  }
}

const keyList = 'SELECT value FROM json_each(?)';

/** The matches of the owners: of one with much by the range of their numbers, of the others by their tokens. */
function found(scope: Scope, match: string): From {
  const text = `text_${scope.space} t WHERE t.text_${scope.space} MATCH ?`;
  const [owner] = scope.keys;
  if (scope.share === 'all' || owner === undefined) return { sql: text, params: [match] };
  if (scope.keys.length === 1 && scope.share === 'much')
    return { sql: `${text} AND t.rowid BETWEEN ? AND ?`, params: [match, ...rangeOf(owner)] };
  return { sql: text, params: [`(${scope.keys.map((key) => `"${ownerToken(key)}"`).join(' OR ')}) AND (${match})`] };
}

/** The same with what is stored of each, as a cross join: matches first, each looked up by its number. */
function joined(scope: Scope, match: string): From {
  const { sql, params } = found(scope, match);
  return { sql: sql.replace(' WHERE ', ` CROSS JOIN entry_${scope.space} e ON e.number = t.rowid WHERE `), params };
}

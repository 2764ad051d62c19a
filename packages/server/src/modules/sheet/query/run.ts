import { charge, foldText } from '@sheaf/engine';
import type { SheetDocument } from '@sheaf/engine/internal/document';
import type { Query, TableSource } from './ast.ts';
import { resolveTable } from './name-resolution.ts';
import { QueryExecution } from './query-execution.ts';
import type { QueryOptions, QueryResult } from './query-result.ts';
import { ComputedTexts, createResultTable } from './result-table.ts';
import type { QueryTable } from './row-sources.ts';
import { QueryError } from './scanner.ts';

/** State that a query shares with its subqueries. */
interface QueryScope {
  readonly document: SheetDocument;
  readonly options: QueryOptions;
  readonly texts: ComputedTexts;
  /** Results of the queries named in a `with` clause, by case-folded name. */
  readonly named: ReadonlyMap<string, QueryTable>;
}

/** Runs a query on the document's cells. Throws QueryError if the query is invalid. */
export function runQuery(document: SheetDocument, query: Query, options: QueryOptions): QueryResult {
  return runInScope({ document, options, texts: new ComputedTexts(), named: new Map() }, query);
}

function runInScope(outer: QueryScope, query: Query): QueryResult {
  const named = new Map(outer.named);
  const scope = { ...outer, named };
  for (const { name, query: inner } of query.named)
    named.set(foldText(name), createResultTable(runInside(scope, inner), name, scope.texts));
  const sources = [query.from, ...query.joins.map(({ source }) => source)];
  const tables = sources.map((source) => tableOf(scope, source));
  try {
    return new QueryExecution(scope.document, query, {
      options: scope.options,
      tables,
      texts: scope.texts,
      runQuery: (inner) => runInside(scope, inner),
    }).result();
  } catch (error) {
    throw hintOfAlias(error, query) ?? error;
  }
}

/**
 * Returns a more helpful error if `error` reports an unknown column that is an alias in the same select; otherwise
 * undefined. The conditions of a select cannot use its aliases, so the hint suggests an outer select.
 */
function hintOfAlias(error: unknown, query: Query): QueryError | undefined {
  const name = error instanceof QueryError ? /^there is no column ([^\s;]+)/.exec(error.message)?.[1] : undefined;
  if (name === undefined || !query.select.some(({ alias = '' }) => foldText(alias) === foldText(name)))
    return undefined;
  return new QueryError(
    `${name} is named by this select; use it outside: select * from (select …) t where t.${name} …`,
  );
}

/**
 * Runs a subquery and returns all its rows. If it refers to an unknown column, the error message explains that a
 * subquery can read only its own tables.
 */
function runInside(scope: QueryScope, query: Query): QueryResult {
  charge(stepsPerQuery);
  try {
    return runInScope({ ...scope, options: { ...scope.options, most: Infinity, skip: 0 } }, query);
  } catch (error) {
    if (!(error instanceof QueryError) || !error.message.startsWith('there is no column ')) throw error;
    throw new QueryError(`${error.message} (a select in parentheses sees only its own tables; to use others, join)`);
  }
}

function tableOf(scope: QueryScope, source: TableSource): QueryTable {
  const { document, options, texts, named } = scope;
  if (source.query) return createResultTable(runInside(scope, source.query), source.alias ?? 'the select', texts);
  const known = named.get(foldText(source.address));
  return known ? { ...known, alias: source.alias ?? known.alias } : resolveTable(document, source, options);
}

/** Calculation steps that a subquery counts toward the limit of the current call, besides the steps for its rows. */
const stepsPerQuery = 1000;

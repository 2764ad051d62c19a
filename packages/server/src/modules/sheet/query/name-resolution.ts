import { nearestName } from '../../../kernel/unknown-fields.ts';
import { resolveAddress, clipToUsedRange, type AddressOptions } from '../calls/address.ts';
import { logicalTag, numberTag, textTag, type SheetDocument } from '@sheaf/engine/internal/document';
import { columnName, columnOf, foldText, type Rect } from '@sheaf/engine';
import { readHeadings, findLargestTable, type DetectedTable } from '../reading/detect-tables.ts';
import type { Expression, Query, TableSource } from './ast.ts';
import type { Evaluator, NameScope } from './compile.ts';
import type { QueryTable, ColumnReference, RowSource, SheetTable } from './row-sources.ts';
import type { QueryResult } from './query-result.ts';
import { QueryError } from './scanner.ts';
import { readStyle, styleFunctions } from './style-functions.ts';

/**
 * Finds the cells and column names of a table that a query names. The name of a sub-sheet stands for its largest table.
 * The first row of a range counts as headings if any of its cells contains a text that is not the result of a formula.
 */
export function resolveTable(
  document: SheetDocument,
  { address, alias }: TableSource,
  options: AddressOptions,
): SheetTable {
  const isSheet = document.byName(address) !== undefined;
  const place = resolveAddress(document, address, options);
  const { sub } = place;
  const table = (isSheet ? findLargestTable(document, sub) : undefined) ?? detectHeadings(document, place);
  const { rect, header } = table;
  return {
    sub,
    cells: sub.sheet.cells,
    lastRow: sub.sheet.lastRow,
    name: sub.name,
    rect: header === undefined ? rect : { ...rect, top: header + 1 },
    names: readHeadings(document, sub, table),
    alias: alias ?? (isSheet ? address : undefined),
  };
}

function detectHeadings(document: SheetDocument, place: { sub: SheetTable['sub']; rect: Rect }): DetectedTable {
  const rect = clipToUsedRange(document, place) ?? { ...place.rect, bottom: place.rect.top, right: place.rect.left };
  for (let col = rect.left; col <= rect.right; col++) {
    const value = document.value(place.sub, rect.top, col);
    if (typeof value === 'string' && document.formula(place.sub, rect.top, col) === undefined)
      return { rect, header: rect.top };
  }
  return { rect, header: undefined };
}

/**
 * Resolves column names and records which columns a query uses. A name is first looked up as a heading, then, unless it
 * is in double quotes, as a column letter.
 */
export class ColumnResolver {
  readonly tables: readonly QueryTable[];
  readonly used: ColumnReference[] = [];
  /**
   * Rows that the evaluators of this query read, one block at a time; undefined until the rows to iterate are known.
   */
  #rows: RowSource | undefined;
  readonly #document: SheetDocument;
  readonly #textOf: (id: number) => string;
  readonly #runQuery: (query: Query) => QueryResult;

  constructor(
    document: SheetDocument,
    tables: readonly QueryTable[],
    { textOf, runQuery }: { textOf: (id: number) => string; runQuery: (query: Query) => QueryResult },
  ) {
    this.#document = document;
    this.tables = tables;
    this.#textOf = textOf;
    this.#runQuery = runQuery;
  }

  /** Makes the evaluators of this query read from these rows. */
  show(rows: RowSource): void {
    this.#rows = rows;
  }

  /**
   * Whether any table is the result of another query. Such a table may contain computed texts, whose ids are negative.
   */
  get hasResults(): boolean {
    return this.tables.some(({ sub }) => sub === undefined);
  }

  /**
   * Returns the column's index in `used`, the list of columns that the query reads; undefined if there is no such
   * column.
   */
  find(table: string | undefined, name: string, quoted = false): number | undefined {
    const wanted = foldText(name.trim());
    const found: ColumnReference[] = [];
    this.tables.forEach((one, index) => {
      if (table !== undefined && !hasName(one, table)) return;
      one.names.forEach((heading, at) => {
        if (foldText(heading) === wanted) found.push({ table: index, col: one.rect.left + at });
      });
    });
    if (found.length > 1 && table === undefined)
      throw new QueryError(`${name} is a heading of several columns; write table.${name} or the column's letter`);
    const [first = quoted ? undefined : this.#byLetter(table, name)] = found;
    return first && this.#indexOf(first);
  }

  isHeading(name: string): boolean {
    const wanted = foldText(name.trim());
    return this.tables.some((one) => one.names.some((heading) => foldText(heading) === wanted));
  }

  #byLetter(table: string | undefined, name: string): ColumnReference | undefined {
    const col = columnOf(name);
    if (col < 0) return undefined;
    const index = this.tables.findIndex(
      (one) => (table === undefined || hasName(one, table)) && col >= one.rect.left && col <= one.rect.right,
    );
    return index < 0 ? undefined : { table: index, col };
  }

  #indexOf(column: ColumnReference): number {
    const at = this.used.findIndex((one) => one.table === column.table && one.col === column.col);
    return at >= 0 ? at : this.used.push(column) - 1;
  }

  /** Returns all columns of all tables, or of the table named `only`. `place` is the index of a column in `used`. */
  allColumns(only?: string): { name: string; place: number }[] {
    if (only !== undefined && !this.tables.some((one) => hasName(one, only)))
      throw new QueryError(
        `there is no table ${only}; there are ${this.tables.map((one) => one.alias ?? one.name).join(', ')}`,
      );
    return this.tables.flatMap((one, table) =>
      (only === undefined || hasName(one, only) ? one.names : []).map((name, at) => {
        const col = one.rect.left + at;
        return { name: name === '' ? columnName(col) : name, place: this.#indexOf({ table, col }) };
      }),
    );
  }

  createReader(place: number): Evaluator {
    const text = this.#textOf;
    return (at) => {
      const view = this.#rows!.views[place]!;
      const num = view.nums[at]!;
      switch (view.tags[at]) {
        case numberTag:
          return num;
        case textTag:
          return text(num);
        case logicalTag:
          return num === 1;
        default:
          return null;
      }
    };
  }

  /** Returns a scope in which a name can only mean a column, not an alias, a group key or an aggregate. */
  scope(): NameScope {
    return {
      column: (table, name, quoted) => {
        const place = this.find(table, name, quoted);
        return place === undefined ? undefined : this.createReader(place);
      },
      computed: () => undefined,
      runQuery: this.#runQuery,
      style: (name, args) => this.#styleReader(name, args),
      unknownColumnMessage: (name) => this.unknownColumnMessage(name),
    };
  }

  /** Returns an evaluator of a style function such as `bold(A)`; undefined for other functions. */
  #styleReader(name: string, args: readonly Expression[]): Evaluator | undefined {
    if (!styleFunctions.has(name)) return undefined;
    const [column] = args;
    if (column?.kind !== 'column' || args.length > 1) throw new QueryError(`${name} takes a column, as in ${name}(A)`);
    const place = this.find(column.table, column.name, column.quoted);
    if (place === undefined) throw new QueryError(this.unknownColumnMessage(column.name));
    const { table, col } = this.used[place]!;
    const { sub } = this.tables[table]!;
    if (!sub) throw new QueryError(`${name}(${column.name}): the column is computed and has no style of its own`);
    return (at) => {
      const row = this.#rows!.rowAt(table, at);
      return row < 0 ? null : readStyle(name, this.#document, sub, row, col);
    };
  }

  unknownColumnMessage(name: string): string {
    const known = this.tables.flatMap((one) => one.names.filter((heading) => heading !== ''));
    const near = nearestName(name, known);
    if (near !== undefined) return `there is no column ${name}; did you mean ${near}?`;
    return `there is no column ${name}; there are ${known.slice(0, 30).join(', ') || 'only letters'}`;
  }
}

function hasName(table: QueryTable, name: string): boolean {
  return foldText(table.alias ?? table.name) === foldText(name);
}

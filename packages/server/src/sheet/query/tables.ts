import { nearestOf } from '../../operation/unknown-fields.ts';
import { placeNamed, usedPart, type AddressOptions } from '../calls/address.ts';
import { logicalTag, numberTag, textTag, type SheetDocument } from '@sheaf/engine/internal/document';
import { columnName, columnOf, foldText, type Rect } from '@sheaf/engine';
import { headings, mainTable, type Table } from '../reading/tables.ts';
import type { Source } from './ast.ts';
import type { Eval } from './compile.ts';
import type { ColumnView, QueryTable, UsedColumn } from './rows.ts';
import { QueryError } from './scanner.ts';

/** Resolves a table of a query. The first row of a range is its headings if it holds texts. */
export function tableOf(document: SheetDocument, { address, alias }: Source, options: AddressOptions): QueryTable {
  const isSheet = document.byName(address) !== undefined;
  const place = placeNamed(document, address, options);
  const { sub } = place;
  const table = (isSheet ? mainTable(document, sub) : undefined) ?? headed(document, place);
  const { rect, header } = table;
  return {
    sub,
    rect: header === undefined ? rect : { ...rect, top: header + 1 },
    names: headings(document, sub, table),
    alias: alias ?? (isSheet ? address : undefined),
  };
}

function headed(document: SheetDocument, place: { sub: QueryTable['sub']; rect: Rect }): Table {
  const rect = usedPart(document, place) ?? { ...place.rect, bottom: place.rect.top, right: place.rect.left };
  for (let col = rect.left; col <= rect.right; col++) {
    const value = document.value(place.sub, rect.top, col);
    if (typeof value === 'string' && document.formula(place.sub, rect.top, col) === undefined)
      return { rect, header: rect.top };
  }
  return { rect, header: undefined };
}

/** Finds columns by heading, else by letter, and records the ones used. */
export class Columns {
  readonly tables: readonly QueryTable[];
  readonly used: UsedColumn[] = [];
  /** Set when the rows to iterate are known. */
  views: readonly ColumnView[] = [];
  readonly #textOf: (id: number) => string;

  constructor(tables: readonly QueryTable[], text: (id: number) => string) {
    this.tables = tables;
    this.#textOf = text;
  }

  /** Index of a column among the used ones; undefined if there is no such column. */
  find(table: string | undefined, name: string, quoted = false): number | undefined {
    const wanted = foldText(name.trim());
    const found: UsedColumn[] = [];
    this.tables.forEach((one, index) => {
      if (table !== undefined && !isCalled(one, table)) return;
      one.names.forEach((heading, at) => {
        if (foldText(heading) === wanted) found.push({ table: index, col: one.rect.left + at });
      });
    });
    if (found.length > 1 && table === undefined)
      throw new QueryError(`${name} is a heading of several columns; write table.${name} or the column's letter`);
    const [first = quoted ? undefined : this.#byLetter(table, name)] = found;
    return first && this.#place(first);
  }

  isHeading(name: string): boolean {
    const wanted = foldText(name.trim());
    return this.tables.some((one) => one.names.some((heading) => foldText(heading) === wanted));
  }

  #byLetter(table: string | undefined, name: string): UsedColumn | undefined {
    const col = columnOf(name);
    if (col < 0) return undefined;
    const index = this.tables.findIndex(
      (one) => (table === undefined || isCalled(one, table)) && col >= one.rect.left && col <= one.rect.right,
    );
    return index < 0 ? undefined : { table: index, col };
  }

  #place(column: UsedColumn): number {
    const at = this.used.findIndex((one) => one.table === column.table && one.col === column.col);
    return at >= 0 ? at : this.used.push(column) - 1;
  }

  /** All columns, in their order. */
  all(): { name: string; place: number }[] {
    return this.tables.flatMap((one, table) =>
      one.names.map((name, at) => {
        const col = one.rect.left + at;
        return { name: name === '' ? columnName(col) : name, place: this.#place({ table, col }) };
      }),
    );
  }

  reader(place: number): Eval {
    const text = this.#textOf;
    return (at) => {
      const view = this.views[place]!;
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

  unknown(name: string): string {
    const known = this.tables.flatMap((one) => one.names.filter((heading) => heading !== ''));
    const near = nearestOf(name, known);
    if (near !== undefined) return `there is no column ${name}; did you mean ${near}?`;
    return `there is no column ${name}; there are ${known.slice(0, 30).join(', ') || 'only letters'}`;
  }
}

function isCalled({ alias, sub }: QueryTable, name: string): boolean {
  return foldText(alias ?? sub.name) === foldText(name);
}

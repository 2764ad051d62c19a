import { nearestName } from '../../../kernel/unknown-fields.ts';
import { resolveAddress, clipToUsedRange, type AddressOptions } from '../calls/address.ts';
import { logicalTag, numberTag, textTag, type SheetDocument } from '@sheaf/engine/internal/document';
import { columnName, columnOf, foldText, type Rect } from '@sheaf/engine';
import { readHeadings, findLargestTable, type DetectedTable } from '../reading/detect-tables.ts';
import type { TableSource } from './ast.ts';
import type { Evaluator, NameScope } from './compile.ts';
import type { ColumnBlock, QueryTable, ColumnReference } from './row-sources.ts';
import { QueryError } from './scanner.ts';

/**
 * Resolves a table of a query to its cells and column names. A sub-sheet's name stands for its largest table. The first
 * row of a range is taken as headings if any of its cells is a text.
 */
export function resolveTable(
  document: SheetDocument,
  { address, alias }: TableSource,
  options: AddressOptions,
): QueryTable {
  const isSheet = document.byName(address) !== undefined;
  const place = resolveAddress(document, address, options);
  const { sub } = place;
  const table = (isSheet ? findLargestTable(document, sub) : undefined) ?? detectHeadings(document, place);
  const { rect, header } = table;
  return {
    sub,
    rect: header === undefined ? rect : { ...rect, top: header + 1 },
    names: readHeadings(document, sub, table),
    alias: alias ?? (isSheet ? address : undefined),
  };
}

function detectHeadings(document: SheetDocument, place: { sub: QueryTable['sub']; rect: Rect }): DetectedTable {
  const rect = clipToUsedRange(document, place) ?? { ...place.rect, bottom: place.rect.top, right: place.rect.left };
  for (let col = rect.left; col <= rect.right; col++) {
    const value = document.value(place.sub, rect.top, col);
    if (typeof value === 'string' && document.formula(place.sub, rect.top, col) === undefined)
      return { rect, header: rect.top };
  }
  return { rect, header: undefined };
}

/** Resolves column names, by heading first, then by letter, and records which columns a query uses. */
export class ColumnResolver {
  readonly tables: readonly QueryTable[];
  readonly used: ColumnReference[] = [];
  /** Current block of each used column; set when the rows to iterate are known. */
  views: readonly ColumnBlock[] = [];
  readonly #textOf: (id: number) => string;

  constructor(tables: readonly QueryTable[], text: (id: number) => string) {
    this.tables = tables;
    this.#textOf = text;
  }

  /** Returns the index of a column in `used`; undefined if there is no such column. */
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

  /** Returns all columns of all tables in order; `place` is the index in `used`. */
  allColumns(): { name: string; place: number }[] {
    return this.tables.flatMap((one, table) =>
      one.names.map((name, at) => {
        const col = one.rect.left + at;
        return { name: name === '' ? columnName(col) : name, place: this.#indexOf({ table, col }) };
      }),
    );
  }

  createReader(place: number): Evaluator {
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

  /** Returns a scope in which names resolve to columns only, not to computed expressions. */
  scope(): NameScope {
    return {
      column: (table, name, quoted) => {
        const place = this.find(table, name, quoted);
        return place === undefined ? undefined : this.createReader(place);
      },
      computed: () => undefined,
      unknownColumnMessage: (name) => this.unknownColumnMessage(name),
    };
  }

  unknownColumnMessage(name: string): string {
    const known = this.tables.flatMap((one) => one.names.filter((heading) => heading !== ''));
    const near = nearestName(name, known);
    if (near !== undefined) return `there is no column ${name}; did you mean ${near}?`;
    return `there is no column ${name}; there are ${known.slice(0, 30).join(', ') || 'only letters'}`;
  }
}

function hasName({ alias, sub }: QueryTable, name: string): boolean {
  return foldText(alias ?? sub.name) === foldText(name);
}

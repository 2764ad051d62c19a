import type { SheetDocument } from '@sheaf/engine/internal/document';
import { compile } from './compile.ts';
import type { Expression } from './ast.ts';
import { ScannedRows, type QueryTable } from './rows.ts';
import { Columns } from './tables.ts';
import { truth } from './values.ts';

/** Sheet rows of a table that match the condition, or all rows. Throws QueryError. */
export function rowsWhere(document: SheetDocument, table: QueryTable, condition: Expression | undefined): number[] {
  const { strings } = document.workbook;
  const columns = new Columns([table], (id) => strings.get(id));
  const holds =
    condition &&
    compile(condition, {
      column: (name, column, quoted) => {
        const place = columns.find(name, column, quoted);
        return place === undefined ? undefined : columns.reader(place);
      },
      computed: () => undefined,
      unknown: (name) => columns.unknown(name),
    });
  const rows = new ScannedRows(table, columns.used);
  columns.views = rows.views;
  const found: number[] = [];
  rows.each((from, to, first) => {
    for (let at = from; at <= to; at++)
      if (!holds || truth(holds(at)) === true) found.push(table.rect.top + first + at - from);
  });
  return found;
}

/** Finds a column by heading or letter; returns its sheet column. */
export function columnNamed(document: SheetDocument, table: QueryTable, name: string): number | undefined {
  const columns = new Columns([table], (id) => document.workbook.strings.get(id));
  const place = columns.find(undefined, name);
  return place === undefined ? undefined : columns.used[place]!.col;
}

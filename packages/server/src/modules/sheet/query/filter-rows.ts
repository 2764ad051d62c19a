import type { SheetDocument } from '@sheaf/engine/internal/document';
import { compileExpression } from './compile.ts';
import type { Expression } from './ast.ts';
import { TableScan, type SheetTable } from './row-sources.ts';
import { ColumnResolver } from './name-resolution.ts';
import { toBoolean } from './query-value.ts';
import { runQuery } from './run.ts';

/**
 * Returns the numbers of a table's rows (counted from the top of the sub-sheet) that match the condition; all rows if
 * there is no condition. Throws QueryError if the condition is invalid, for example if it names an unknown column.
 */
export function filterRows(document: SheetDocument, table: SheetTable, condition: Expression | undefined): number[] {
  const columns = resolverOf(document, table);
  const holds = condition && compileExpression(condition, columns.scope());
  const rows = new TableScan(table, columns.used);
  columns.show(rows);
  const found: number[] = [];
  rows.each((from, to, first) => {
    for (let at = from; at <= to; at++)
      if (!holds || toBoolean(holds(at)) === true) found.push(table.rect.top + first + at - from);
  });
  return found;
}

/** Returns the index of the column with this heading or column letter in the sub-sheet; undefined if there is none. */
export function findColumn(document: SheetDocument, table: SheetTable, name: string): number | undefined {
  const columns = resolverOf(document, table);
  const place = columns.find(undefined, name);
  return place === undefined ? undefined : columns.used[place]!.col;
}

function resolverOf(document: SheetDocument, table: SheetTable): ColumnResolver {
  const { strings } = document.workbook;
  return new ColumnResolver(document, [table], {
    textOf: (id) => strings.get(id),
    runQuery: (query) => runQuery(document, query, { sheet: table.sub.id, most: Infinity }),
  });
}

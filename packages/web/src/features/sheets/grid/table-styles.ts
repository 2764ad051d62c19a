import type { Client } from '@sheaf/client';
import type { CellRange } from '../cell-geometry.ts';

type StyledTable = NonNullable<Awaited<ReturnType<Client['sheet']['get_view']>>['tables']>[number];
type TableStyle = NonNullable<StyledTable['whole']>;

/**
 * Calls `visit` with the table style of each cell in the range. The caller must give precedence to the cell's own
 * style.
 */
export function eachTableStyle(
  tables: readonly StyledTable[] | undefined,
  range: CellRange,
  visit: (row: number, col: number, look: TableStyle) => void,
): void {
  for (const table of tables ?? []) {
    const [top, left, bottom, right] = table.region;
    for (let row = Math.max(top, range.top); row <= Math.min(bottom, range.bottom); row++)
      for (let col = Math.max(left, range.left); col <= Math.min(right, range.right); col++)
        visit(row, col, styleAt(table, row, col));
  }
}

/**
 * Returns the table style of a cell. Precedence: header or totals row, then first or last column, then stripes, outline
 * and the style of the whole table.
 */
function styleAt(table: StyledTable, row: number, col: number): TableStyle {
  const { region, heads, feet, marks, whole, stripe, header, totals, ends } = table;
  const [top, left, bottom, right] = region;
  const isHead = row < top + heads;
  const isFoot = row > bottom - feet;
  const isBody = !isHead && !isFoot;
  const isStriped =
    isBody &&
    ((marks.includes('row_stripes') && (row - top - heads) % 2 === 0) ||
      (marks.includes('column_stripes') && (col - left) % 2 === 0));
  const isEnd = (marks.includes('first_column') && col === left) || (marks.includes('last_column') && col === right);
  return {
    ...whole,
    ...outlineAt(table, row, col),
    ...(isStriped ? stripe : {}),
    ...(isEnd ? ends : {}),
    ...(isHead ? header : {}),
    ...(isFoot ? totals : {}),
  };
}

function outlineAt({ region, outline }: StyledTable, row: number, col: number): TableStyle {
  if (!outline) return {};
  const [top, left, bottom, right] = region;
  const { line, is_open: isOpen = false } = outline;
  return {
    ...(row === top ? { borderTop: line } : {}),
    ...(row === bottom ? { borderBottom: line } : {}),
    ...(!isOpen && col === left ? { borderLeft: line } : {}),
    ...(!isOpen && col === right ? { borderRight: line } : {}),
  };
}

import type { CellRange } from '../geometry.ts';
import type { ToolOutput } from '../session.ts';
import type { Look } from './tiles.ts';

type StyledTable = NonNullable<ToolOutput<'get_view'>['tables']>[number];

/** Calls back with what the styles of tables do to cells of the range; a cell's own look lies over it. */
export function eachTableLook(
  tables: readonly StyledTable[] | undefined,
  range: CellRange,
  visit: (row: number, col: number, look: Look) => void,
): void {
  for (const table of tables ?? []) {
    const [top, left, bottom, right] = table.region;
    for (let row = Math.max(top, range.top); row <= Math.min(bottom, range.bottom); row++)
      for (let col = Math.max(left, range.left); col <= Math.min(right, range.right); col++)
        visit(row, col, lookIn(table, row, col));
  }
}

/** The later lies over the earlier. */
function lookIn(table: StyledTable, row: number, col: number): Look {
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
    ...(whole as Look | undefined),
    ...outlineAt(table, row, col),
    ...(isStriped ? (stripe as Look | undefined) : {}),
    ...(isEnd ? (ends as Look | undefined) : {}),
    ...(isHead ? (header as Look | undefined) : {}),
    ...(isFoot ? (totals as Look | undefined) : {}),
  };
}

function outlineAt({ region, outline }: StyledTable, row: number, col: number): Look {
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

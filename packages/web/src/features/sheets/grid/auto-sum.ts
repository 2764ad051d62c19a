import type { GridCommands } from '../grid-commands.ts';
import { rangeName, type Cell, type CellRange } from '../cell-geometry.ts';
import type { Grid } from './grid.ts';
import { valueKinds } from './tile-cache.ts';
import type { EditController } from './edit-controller.ts';

/**
 * Handles Alt+=. If several rows are selected, writes the sum of each selected column below them. Otherwise starts an
 * edit of the active cell with the SUM of the filled cells above it, or else to the left.
 */
export function autoSum({
  grid,
  commands,
  typing,
  fail,
}: {
  grid: Grid;
  commands: GridCommands;
  typing: EditController;
  fail: (error: unknown) => void;
}): void {
  const { session } = grid;
  const { active, range } = session.selection.get();
  if (range.top < range.bottom) {
    const row = range.bottom + 1;
    const sums: string[] = [];
    for (let col = range.left; col <= range.right; col++)
      sums.push(`=SUM(${rangeName({ ...range, left: col, right: col })})`);
    commands.run(() => commands.enter(session.current.get(), row, range.left, [sums]));
    grid.selectCell({ row, col: range.left });
    return;
  }
  const found = blockBefore(grid, active, 'up') ?? blockBefore(grid, active, 'left');
  // If the loaded cells contain the whole run of filled cells, use them without a server request, because the user may
  // press the next key before a response arrives.
  if (!found || found.isWhole) begin(typing, found?.range);
  else
    session
      .read('find_edge', {
        sheet_id: session.current.get(),
        row: found.range.bottom,
        col: found.range.right,
        direction: found.direction,
      })
      .then((first) => begin(typing, { ...found.range, top: first.row, left: first.col }))
      .catch(fail);
}

function begin(typing: EditController, range: CellRange | undefined): void {
  typing.beginTyped(range ? `=SUM(${rangeName(range)})` : '=SUM()', range ? 0 : 1);
}

/**
 * Returns the run of filled cells directly above or to the left of a cell, or undefined if there is none. A text in the
 * first cell of the run counts as a heading and is excluded. `isWhole` is false if the run may continue beyond the
 * loaded cells.
 */
function blockBefore(
  { model }: Grid,
  cell: Cell,
  direction: 'up' | 'left',
): { range: CellRange; isWhole: boolean; direction: 'up' | 'left' } | undefined {
  const back = (by: number): Cell =>
    direction === 'up' ? { row: cell.row - by, col: cell.col } : { row: cell.row, col: cell.col - by };
  let count = 0;
  let isWhole = true;
  for (;;) {
    const { row, col } = back(count + 1);
    if (row < 0 || col < 0) break;
    isWhole = model.isLoaded(row, col);
    if (!isWhole || model.cell(row, col).input === '') break;
    count++;
  }
  if (count === 0) return undefined;
  const isHeading = isWhole && count > 1 && model.cell(back(count).row, back(count).col).kind === valueKinds.text;
  const first = back(isHeading ? count - 1 : count);
  const last = back(1);
  return { range: { top: first.row, left: first.col, bottom: last.row, right: last.col }, isWhole, direction };
}

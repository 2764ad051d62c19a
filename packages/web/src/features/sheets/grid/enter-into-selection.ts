import { language, translatorFor } from '../../../i18n/use-translation.ts';
import type { GridCommands } from '../grid-commands.ts';
import type { Cell, CellRange } from '../cell-geometry.ts';
import { clippedSelectedRanges, writeBatch } from '../selection-ranges.ts';
import { maxCopied } from './clipboard-content.ts';
import { shiftReferences } from './edit-state.ts';
import type { Grid } from './grid.ts';

/**
 * Enters a text into every selected cell as a single undo step. Relative references are shifted by the distance to the
 * cell `from`.
 */
export function enterIntoSelection(
  grid: Grid,
  commands: GridCommands,
  fail: (error: unknown) => void,
  from: Cell,
  text: string,
): void {
  const ranges = clippedSelectedRanges(grid);
  const cells = ranges.reduce((sum, one) => sum + (one.bottom - one.top + 1) * (one.right - one.left + 1), 0);
  if (cells > maxCopied) {
    fail(new Error(translatorFor(language.get())('tooMuchToCopy', { count: maxCopied.toLocaleString() })));
    return;
  }
  const inputs = ranges.map((range) => ({
    sheet_id: grid.session.current.get(),
    start_row: range.top,
    start_col: range.left,
    rows: fillWith(text, from, range),
  }));
  commands.run(() => writeBatch(grid.session, 'enter_cells', inputs));
}

export function fillFromActiveCell(grid: Grid, commands: GridCommands, fail: (error: unknown) => void): void {
  const { active } = grid.session.selection.get();
  enterIntoSelection(grid, commands, fail, active, grid.model.cell(active.row, active.col).input);
}

/** Returns the text for every cell of a range. Relative references are shifted by the distance to the cell `from`. */
function fillWith(text: string, from: Cell, range: CellRange): string[][] {
  const rows: string[][] = [];
  for (let row = range.top; row <= range.bottom; row++) {
    const line: string[] = [];
    for (let col = range.left; col <= range.right; col++)
      line.push(shiftReferences(text, row - from.row, col - from.col));
    rows.push(line);
  }
  return rows;
}

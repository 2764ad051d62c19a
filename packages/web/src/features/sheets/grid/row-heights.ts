import type { Cell, CellRange } from '../cell-geometry.ts';
import { cssFont, lineHeightOf } from './font-metrics.ts';
import type { Grid } from './grid.ts';
import { breakLines } from './text-measurement.ts';

export const rowPadding = 6;
const cellPadding = 12;
const measuring = document.createElement('canvas').getContext('2d')!;

/**
 * Returns the height in pixels that a row needs for its texts with several lines, or undefined if the row is already
 * high enough. `typed` is the new text of a cell; `wrapped` is a range in which text wrapping is being turned on.
 */
export function neededHeight(
  { model, theme }: Grid,
  row: number,
  typed?: Cell & { text: string },
  wrapped?: CellRange,
): number | undefined {
  const last = Math.min(model.cols.count - 1, Math.max(typed?.col ?? 0, model.used?.right ?? 0));
  let most = 0;
  for (
    let col = typed && !typed.text.includes('\n') && !model.cell(row, typed.col).look.wrapText ? last + 1 : 0;
    col <= last;
    col++
  ) {
    const text = typed?.col === col ? typed.text : (model.text(row, col) ?? '');
    if (text === '' || text.startsWith('=') || model.mergeAt(row, col)) continue;
    const { look } = model.cell(row, col);
    const isWrapped = look.wrapText || (wrapped && col >= wrapped.left && col <= wrapped.right);
    measuring.font = cssFont(look, theme.family);
    const lines = isWrapped
      ? breakLines(measuring, measuring.font, text, Math.max(8, model.cols.size(col) - cellPadding))
      : text.split('\n');
    most = Math.max(most, lines.length * lineHeightOf(look) + rowPadding);
  }
  return most > model.rows.size(row) ? most : undefined;
}

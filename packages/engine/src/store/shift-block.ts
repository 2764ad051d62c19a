import { mapPosition, type AxisChange } from '../base/axis-change.ts';
import type { CellStore } from './cell-store.ts';
import { blankTag } from './chunk.ts';

interface RawCell {
  readonly row: number;
  readonly col: number;
  readonly tag: number;
  readonly num: number;
  readonly formula: number;
  readonly style: number;
}

/** Removes all cells of a rectangle and returns them. */
function takeBlock(cells: CellStore, top: number, left: number, bottom: number, right: number): RawCell[] {
  const taken: RawCell[] = [];
  for (let col = left; col <= right; col++) {
    cells.eachPiece(col, top, bottom, (chunk, from, to, start) => {
      for (let i = from; i <= to; i++) {
        const tag = chunk.tags[i] as number;
        const formula = chunk.formulas?.[i] ?? 0;
        const style = chunk.styles?.[i] ?? 0;
        if (tag === blankTag && formula === 0 && style === 0) continue;
        taken.push({ row: start + i, col, tag, num: chunk.nums[i] as number, formula, style });
        chunk.tags[i] = blankTag;
        chunk.nums[i] = 0;
        if (chunk.formulas) chunk.formulas[i] = 0;
        if (chunk.styles) chunk.styles[i] = 0;
      }
    });
    cells.touch(col);
  }
  return taken;
}

function putBlock(
  cells: CellStore,
  block: readonly RawCell[],
  place: (row: number, col: number) => { row: number; col: number } | undefined,
): void {
  const touched = new Set<number>();
  for (const cell of block) {
    const at = place(cell.row, cell.col);
    if (!at) continue;
    const { chunk, index } = cells.chunkFor(at.row, at.col);
    chunk.tags[index] = cell.tag;
    chunk.nums[index] = cell.num;
    if (cell.formula !== 0) chunk.needFormulas()[index] = cell.formula;
    if (cell.style !== 0) chunk.needStyles()[index] = cell.style;
    touched.add(at.col);
  }
  for (const col of touched) cells.touch(col);
}

/**
 * Inserts, deletes or moves cells vertically (axis `row`) in the columns `within`, or horizontally (axis `col`) in the
 * rows `within`. All other columns or rows are unchanged.
 */
export function shiftBlock(
  cells: CellStore,
  axis: 'row' | 'col',
  change: AxisChange,
  within: { first: number; last: number },
): void {
  const from = change.kind === 'move' ? Math.min(change.from, change.to) : change.at;
  const bottom = cells.extent - 1;
  const widest = cells.width - 1;
  const block =
    axis === 'row'
      ? takeBlock(cells, from, within.first, bottom, Math.min(within.last, widest))
      : takeBlock(cells, within.first, from, Math.min(within.last, bottom), widest);
  putBlock(cells, block, (row, col) => {
    const moved = mapPosition(change, axis === 'row' ? row : col);
    if (moved === undefined) return undefined;
    return axis === 'row' ? { row: moved, col } : { row, col: moved };
  });
  cells.epoch++;
}

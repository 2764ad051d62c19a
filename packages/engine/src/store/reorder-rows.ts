import type { CellStore } from './cell-store.ts';
import type { Band } from './chunk.ts';

/** The rows of one column, copied to flat arrays. */
interface Strip {
  readonly tags: Uint8Array;
  readonly nums: Float64Array;
  readonly formulas: Int32Array | undefined;
  readonly styles: Int32Array | undefined;
}

function strip(cells: CellStore, col: number, top: number, count: number): Strip | undefined {
  let found = false;
  let hasFormulas = false;
  let hasStyles = false;
  cells.eachPiece(col, top, top + count - 1, (chunk) => {
    found = true;
    if (chunk.formulas) hasFormulas = true;
    if (chunk.styles) hasStyles = true;
  });
  if (!found) return undefined;
  const tags = new Uint8Array(count);
  const nums = new Float64Array(count);
  const formulas = hasFormulas ? new Int32Array(count) : undefined;
  const styles = hasStyles ? new Int32Array(count) : undefined;
  cells.eachPiece(col, top, top + count - 1, (chunk, from, to, start) => {
    const at = start + from - top;
    tags.set(chunk.tags.subarray(from, to + 1), at);
    nums.set(chunk.nums.subarray(from, to + 1), at);
    if (chunk.formulas) formulas?.set(chunk.formulas.subarray(from, to + 1), at);
    if (chunk.styles) styles?.set(chunk.styles.subarray(from, to + 1), at);
  });
  return { tags, nums, formulas, styles };
}

/**
 * Moves the content of row `top + order[i]` to row `top + i` in one column; `formula` returns the template id for the
 * new row. Returns false if the column is empty there.
 */
export function reorderColumnRows(
  cells: CellStore,
  col: number,
  top: number,
  order: ArrayLike<number>,
  formula: (id: number, row: number) => number,
): boolean {
  const count = order.length;
  const old = strip(cells, col, top, count);
  if (!old) return false;
  cells.chunkFor(top + count - 1, col);
  for (let b = cells.bandIndex(top); b < cells.bands.length; b++) {
    const band = cells.bands[b] as Band;
    if (band.start >= top + count) break;
    const from = Math.max(0, top - band.start);
    const to = Math.min(band.height - 1, top + count - 1 - band.start);
    const chunk = band.chunk(col, to);
    const { tags, nums } = chunk;
    const formulas = old.formulas && chunk.needFormulas();
    const styles = old.styles && chunk.needStyles();
    for (let i = from; i <= to; i++) {
      const source = order[band.start + i - top] as number;
      tags[i] = old.tags[source] as number;
      nums[i] = old.nums[source] as number;
      if (formulas && old.formulas) {
        const id = old.formulas[source] as number;
        formulas[i] = id > 0 ? formula(id, band.start + i) : id;
      }
      if (styles && old.styles) styles[i] = old.styles[source] as number;
    }
  }
  cells.touch(col);
  return true;
}

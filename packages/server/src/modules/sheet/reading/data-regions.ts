import { blankTag, sameRect, type SubSheet } from '@sheaf/engine/internal/document';
import type { Rect } from '@sheaf/engine';

const maxDeep = 12;

type MutableRect = { -readonly [Side in keyof Rect]: Rect[Side] };

/** For each column, the runs of consecutive filled rows. */
type Runs = ReadonlyMap<number, readonly (readonly [first: number, last: number])[]>;

/**
 * Finds up to `most` blocks of data on a sub-sheet. Splits the filled area alternately at blank rows and at blank
 * columns, until no block can be split. The blocks are ordered from top to bottom, then from left to right.
 */
export function findDataRegions(sub: SubSheet, used: Rect, most: number): Rect[] {
  const runs = filledRuns(sub, used);
  const found: Rect[] = [];
  const cut = (rect: Rect, depth: number): void => {
    if (found.length >= most) return;
    const rows = rowPieces(runs, rect);
    const pieces = rows.flatMap((one) => columnPieces(runs, one));
    if (depth === maxDeep || (pieces.length === 1 && sameRect(pieces[0]!, rect))) found.push(rect);
    else for (const piece of pieces) cut(piece, depth + 1);
  };
  cut(used, 0);
  return found.slice(0, most).sort((a, b) => a.top - b.top || a.left - b.left);
}

function filledRuns(sub: SubSheet, used: Rect): Runs {
  const runs = new Map<number, [number, number][]>();
  for (let col = used.left; col <= used.right; col++) {
    const list: [number, number][] = [];
    sub.sheet.cells.eachPiece(col, used.top, used.bottom, (chunk, from, to, start) => {
      for (let i = from; i <= to; i++) {
        if (chunk.tags[i] === blankTag && (chunk.formulas?.[i] ?? 0) === 0) continue;
        const row = start + i;
        const last = list.at(-1);
        if (last && last[1] === row - 1) last[1] = row;
        else list.push([row, row]);
      }
    });
    if (list.length > 0) runs.set(col, list);
  }
  return runs;
}

/** Splits a range at blank rows. Blank rows at the top and bottom are removed. */
function rowPieces(runs: Runs, rect: Rect): Rect[] {
  const within: [number, number][] = [];
  for (let col = rect.left; col <= rect.right; col++) {
    for (const [first, last] of runs.get(col) ?? []) {
      if (first > rect.bottom) break;
      if (last >= rect.top) within.push([Math.max(first, rect.top), Math.min(last, rect.bottom)]);
    }
  }
  within.sort((a, b) => a[0] - b[0]);
  const pieces: MutableRect[] = [];
  for (const [top, bottom] of within) {
    const open = pieces.at(-1);
    if (open && top <= open.bottom + 1) open.bottom = Math.max(open.bottom, bottom);
    else pieces.push({ ...rect, top, bottom });
  }
  return pieces;
}

function columnPieces(runs: Runs, rect: Rect): Rect[] {
  const pieces: MutableRect[] = [];
  for (let col = rect.left; col <= rect.right; col++) {
    const filled = (runs.get(col) ?? []).some(([first, last]) => first <= rect.bottom && last >= rect.top);
    if (!filled) continue;
    const open = pieces.at(-1);
    if (open && open.right === col - 1) open.right = col;
    else pieces.push({ ...rect, left: col, right: col });
  }
  return pieces;
}

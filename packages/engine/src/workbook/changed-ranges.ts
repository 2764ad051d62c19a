import type { Rect } from '../base/address.ts';
import type { Change } from '../graph/group-calculator.ts';

export interface WrittenRange extends Rect {
  readonly sheet: number;
}

/**
 * Merges the ranges of written and calculated cells into few non-overlapping rectangles, ordered by sub-sheet, column
 * and row.
 */
export function changedRanges(written: readonly WrittenRange[], computed: readonly Change[]): WrittenRange[] {
  const columns = new Map<string, { sheet: number; col: number; spans: [top: number, bottom: number][] }>();
  const add = (sheet: number, col: number, top: number, bottom: number): void => {
    const key = `${sheet}:${col}`;
    const column = columns.get(key);
    if (column) column.spans.push([top, bottom]);
    else columns.set(key, { sheet, col, spans: [[top, bottom]] });
  };
  for (const { sheet, top, left, bottom, right } of written)
    for (let col = left; col <= right; col++) add(sheet, col, top, bottom);
  for (const { sheet, col, top, bottom } of computed) add(sheet, col, top, bottom);

  const done: WrittenRange[] = [];
  /** Rectangles that end at the previous column. The current column may extend them. */
  let open: WrittenRange[] = [];
  for (const { sheet, col, spans } of [...columns.values()].toSorted((a, b) => a.sheet - b.sheet || a.col - b.col)) {
    const next: WrittenRange[] = [];
    for (const [top, bottom] of joined(spans)) {
      const left = open.find(
        (one) => one.sheet === sheet && one.right === col - 1 && one.top === top && one.bottom === bottom,
      );
      if (left) open.splice(open.indexOf(left), 1);
      next.push({ sheet, top, bottom, left: left?.left ?? col, right: col });
    }
    done.push(...open);
    open = next;
  }
  return [...done, ...open].toSorted((a, b) => a.sheet - b.sheet || a.left - b.left || a.top - b.top);
}

/** Merges spans that overlap or touch. Returns them in order. */
function joined(spans: readonly [number, number][]): [number, number][] {
  const found: [number, number][] = [];
  for (const [top, bottom] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = found[found.length - 1];
    if (last && top <= last[1] + 1) last[1] = Math.max(last[1], bottom);
    else found.push([top, bottom]);
  }
  return found;
}

import { rectName, type Rect } from '@sheaf/engine';

/** Adjacent cells of one column that share the value `what`, for example the same number format. */
export interface ColumnRun<What> {
  readonly col: number;
  readonly top: number;
  readonly bottom: number;
  readonly what: What;
}

/**
 * Joins runs of adjacent columns into ranges if they cover the same rows and have the same `what`. The ranges are
 * ordered by row, then by column.
 */
export function mergeColumnRuns<What>(runs: readonly ColumnRun<What>[]): { rect: Rect; what: What }[] {
  const open = new Map<string, { left: number; right: number; top: number; bottom: number; what: What }>();
  const done: { left: number; right: number; top: number; bottom: number; what: What }[] = [];
  for (const { col, top, bottom, what } of [...runs].sort((a, b) => a.col - b.col)) {
    const key = `${top}:${bottom}`;
    const left = open.get(key);
    if (left && left.right === col - 1 && left.what === what) left.right = col;
    else {
      const made = { left: col, right: col, top, bottom, what };
      open.set(key, made);
      done.push(made);
    }
  }
  return done.sort((a, b) => a.top - b.top || a.left - b.left).map(({ what, ...rect }) => ({ rect, what }));
}

/**
 * Joins runs of adjacent columns into ranges. Returns the text that `tell` gives for each range, by the range's
 * address.
 */
export function formatRunsByAddress<What>(
  runs: readonly ColumnRun<What>[],
  tell: (what: What, rect: Rect) => string,
): Record<string, string> {
  return Object.fromEntries(mergeColumnRuns(runs).map(({ rect, what }) => [rectName(rect), tell(what, rect)]));
}

/** Joins runs that follow each other directly in a column and have the same `what`. */
export function joinDown<What>(runs: readonly ColumnRun<What>[]): ColumnRun<What>[] {
  const joined: { col: number; top: number; bottom: number; what: What }[] = [];
  for (const run of [...runs].sort((a, b) => a.col - b.col || a.top - b.top)) {
    const last = joined.at(-1);
    if (last && last.col === run.col && last.bottom === run.top - 1 && last.what === run.what) last.bottom = run.bottom;
    else joined.push({ ...run });
  }
  return joined;
}

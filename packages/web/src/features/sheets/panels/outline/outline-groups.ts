/** A collapsible group of adjacent rows or columns, from `first` to `last` (zero-based, inclusive). */
export interface OutlineGroup {
  readonly first: number;
  readonly last: number;
  /** Nesting depth; 1 for a top-level group. */
  readonly depth: number;
}

/**
 * Converts runs (adjacent rows or columns with the same outline depth) to nested groups. A group of depth n contains
 * all adjacent runs with a depth of at least n.
 */
export function nestGroups(runs: readonly OutlineGroup[]): OutlineGroup[] {
  const deepest = Math.max(0, ...runs.map(({ depth }) => depth));
  const groups: OutlineGroup[] = [];
  for (let depth = 1; depth <= deepest; depth++) {
    let open: { first: number; last: number; depth: number } | undefined;
    for (const run of runs) {
      if (run.depth < depth) continue;
      if (open && open.last + 1 === run.first) open.last = run.last;
      else {
        open = { first: run.first, last: run.last, depth };
        groups.push(open);
      }
    }
  }
  return groups;
}

/** Returns the number of nested outline groups that contain a row or column; 0 if there are none. */
export function depthAt(runs: readonly OutlineGroup[], index: number): number {
  return runs.find(({ first, last }) => index >= first && index <= last)?.depth ?? 0;
}

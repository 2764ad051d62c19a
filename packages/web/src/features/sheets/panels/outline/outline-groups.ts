/** An outline group of rows or columns `first` to `last`, zero-based and inclusive. */
export interface OutlineGroup {
  readonly first: number;
  readonly last: number;
  /** Nesting depth; 1 for an outermost group. */
  readonly depth: number;
}

/**
 * Converts runs of rows or columns with their depths to nested groups. A group contains all adjacent runs of at least
 * its depth.
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

/** Returns the outline depth of a row or column; 0 if it is in no group. */
export function depthAt(runs: readonly OutlineGroup[], index: number): number {
  return runs.find(({ first, last }) => index >= first && index <= last)?.depth ?? 0;
}

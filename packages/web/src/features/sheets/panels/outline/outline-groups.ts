/** An outline group of rows or columns; zero-based, inclusive. */
export interface OutlineGroup {
  readonly first: number;
  readonly last: number;
  /** Nesting depth; 1 for the outermost. */
  readonly depth: number;
}

/** Converts runs of rows or columns with their depths to nested groups: a group at a depth contains the deeper ones. */
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

/** Returns the depth of a row or column. */
export function depthAt(runs: readonly OutlineGroup[], index: number): number {
  return runs.find(({ first, last }) => index >= first && index <= last)?.depth ?? 0;
}

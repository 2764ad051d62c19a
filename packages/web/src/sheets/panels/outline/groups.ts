/** Rows or columns that belong together and are folded as one; from 0, both ends included. */
export interface Group {
  readonly first: number;
  readonly last: number;
  /** 1 for the outermost. */
  readonly depth: number;
}

/** Groups from how deep each run of rows or columns stands: those of a depth hold the deeper ones inside. */
export function groupsOf(runs: readonly Group[]): Group[] {
  const deepest = Math.max(0, ...runs.map(({ depth }) => depth));
  const groups: Group[] = [];
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

/** How deep a row or column stands. */
export function depthAt(runs: readonly Group[], index: number): number {
  return runs.find(({ first, last }) => index >= first && index <= last)?.depth ?? 0;
}

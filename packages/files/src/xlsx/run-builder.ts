import type { Run } from '@sheaf/engine/internal/document';

/**
 * Collects values by row and merges adjacent rows with equal values into runs. Rows that arrive out of order are sorted
 * once at the end; for a repeated row the last value wins.
 */
export class RunBuilder {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #values: number[] = [];
  #isOrdered = true;

  get isEmpty(): boolean {
    return this.#starts.length === 0;
  }

  /** Number of runs collected so far, before sorting. */
  get count(): number {
    return this.#starts.length;
  }

  add(row: number, value: number): void {
    const last = this.#starts.length - 1;
    if (last >= 0) {
      const end = this.#ends[last]!;
      if (row === end + 1 && value === this.#values[last]) {
        this.#ends[last] = row;
        return;
      }
      if (row <= end) this.#isOrdered = false;
    }
    this.#starts.push(row);
    this.#ends.push(row);
    this.#values.push(value);
  }

  /** Returns the runs sorted by row, without overlaps. */
  list(): Run[] {
    if (!this.#isOrdered) return this.#ordered().list();
    return this.#starts.map((start, i): Run => [start, this.#ends[i]!, this.#values[i]!]);
  }

  #ordered(): RunBuilder {
    const rows: [row: number, value: number][] = [];
    this.#starts.forEach((start, i) => {
      for (let row = start; row <= this.#ends[i]!; row++) rows.push([row, this.#values[i]!]);
    });
    rows.sort((a, b) => a[0] - b[0]);
    const made = new RunBuilder();
    rows.forEach(([row, value], i) => {
      if (rows[i + 1]?.[0] !== row) made.add(row, value);
    });
    return made;
  }
}

/**
 * Merges two sorted lists of runs; where they overlap, the runs of `over` replace those of `under`. The result is
 * sorted.
 */
export function overlayRuns(under: readonly Run[], over: readonly Run[]): readonly Run[] {
  if (over.length === 0) return under;
  if (under.length === 0) return over;
  const made: Run[] = [];
  let i = 0;
  // `under` and `over` are lists of runs (ranges of rows with the same value). `from` is the first row of the run
  // `under[i]` that is neither replaced by a run of `over` nor copied to the result yet.
  let from = under[0]![0];
  const takeUnder = (before: number): void => {
    for (; i < under.length; from = under[i]?.[0] ?? 0) {
      const [, end, value] = under[i]!;
      if (from >= before) return;
      if (end >= before) {
        made.push([from, before - 1, value]);
        from = before;
        return;
      }
      if (end >= from) made.push([from, end, value]);
      i++;
    }
  };
  for (const run of over) {
    takeUnder(run[0]);
    made.push(run);
    while (i < under.length && under[i]![1] <= run[1]) from = under[++i]?.[0] ?? 0;
    if (i < under.length && from <= run[1]) from = run[1] + 1;
  }
  takeUnder(Number.POSITIVE_INFINITY);
  return made;
}

export type Run = readonly [start: number, end: number, value: number];

const maxSpread = 10_000;

/**
 * One number per row or column of a sub-sheet, such as its height, stored run-length encoded. A row or column that was
 * never set has 0.
 */
export class Runs {
  /**
   * `values[i]` applies from position `points[i]` up to, but not including, the next point. Adjacent values differ; the
   * last value is 0.
   */
  #points: number[] = [];
  #values: number[] = [];

  static from(runs: readonly Run[]): Runs {
    const made = new Runs();
    for (const [start, end, value] of runs) made.set(start, end, value);
    return made;
  }

  get isEmpty(): boolean {
    return this.#points.length === 0;
  }

  /** Last position whose value is not 0, or -1. */
  get last(): number {
    return (this.#points[this.#points.length - 1] ?? 0) - 1;
  }

  /** Returns the index of the first point at or after `position`, or the number of points if there is none. */
  #lower(position: number): number {
    const points = this.#points;
    let low = 0;
    let high = points.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((points[middle] as number) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get(position: number): number {
    return this.#values[this.#lower(position + 1) - 1] ?? 0;
  }

  set(first: number, last: number, value: number): void {
    this.update(first, last, () => value);
  }

  /** Replaces each value in `[first, last]` by `change(value)`, which is called once per run of equal values. */
  update(first: number, last: number, change: (value: number) => number): void {
    if (last < first) return;
    const points = this.#points;
    const values = this.#values;
    const from = this.#lower(first);
    const to = this.#lower(last + 1);
    const after = points[to] === last + 1 ? (values[to] as number) : (values[to - 1] ?? 0);
    let current = values[from - 1] ?? 0;
    const freshPoints: number[] = [];
    const freshValues: number[] = [];
    const emit = (at: number, value: number): void => {
      if (value === current) return;
      freshPoints.push(at);
      freshValues.push(value);
      current = value;
    };
    if (points[from] !== first) emit(first, change(values[from - 1] ?? 0));
    for (let i = from; i < to; i++) emit(points[i] as number, change(values[i] as number));
    emit(last + 1, after);
    const end = points[to] === last + 1 ? to + 1 : to;
    this.#replace(from, end, freshPoints, freshValues);
  }

  #replace(from: number, to: number, points: readonly number[], values: readonly number[]): void {
    if (points.length < maxSpread) {
      this.#points.splice(from, to - from, ...points);
      this.#values.splice(from, to - from, ...values);
      return;
    }
    this.#points = [...this.#points.slice(0, from), ...points, ...this.#points.slice(to)];
    this.#values = [...this.#values.slice(0, from), ...values, ...this.#values.slice(to)];
  }

  /** Calls `visit` for the runs of equal values that cover `[first, last]` without gaps, including runs of 0. */
  each(first: number, last: number, visit: (start: number, end: number, value: number) => void): void {
    const points = this.#points;
    const values = this.#values;
    let i = this.#lower(first + 1);
    for (let start = first; start <= last;) {
      const end = Math.min(last, (points[i] ?? last + 1) - 1);
      visit(start, end, values[i - 1] ?? 0);
      start = end + 1;
      i++;
    }
  }

  /** Returns the runs of equal values in `[first, last]` whose value is not 0. */
  list(first = 0, last = this.last): Run[] {
    const found: Run[] = [];
    if (last < first) return found;
    this.each(first, Math.min(last, this.last), (start, end, value) => {
      if (value !== 0) found.push([start, end, value]);
    });
    return found;
  }

  /** Returns the number of positions in `[first, last]` whose value is not 0. */
  count(first: number, last: number): number {
    let total = 0;
    for (const [start, end] of this.list(first, last)) total += end - start + 1;
    return total;
  }

  /**
   * Inserts `count` positions with value 0 at `at`. Later positions shift up, and those that reach `limit` are dropped.
   */
  insert(at: number, count: number, limit: number): void {
    const points = this.#points;
    for (let i = this.#lower(at); i < points.length; i++) points[i] = (points[i] as number) + count;
    this.set(at, at + count - 1, 0);
    if (this.last >= limit) this.set(limit, this.last, 0);
  }

  remove(at: number, count: number): void {
    const after = this.get(at + count);
    this.set(at, at + count - 1, after);
    const points = this.#points;
    for (let i = this.#lower(at + 1); i < points.length; i++) points[i] = (points[i] as number) - count;
  }

  /** Moves positions `[from, from + count)` in front of position `to`. All positions are those before the move. */
  move(from: number, count: number, to: number): void {
    const moved = this.list(from, from + count - 1);
    const target = to > from ? to - count : to;
    this.remove(from, count);
    this.insert(target, count, Infinity);
    for (const [start, end, value] of moved) this.set(start - from + target, end - from + target, value);
  }

  copy(): Runs {
    const made = new Runs();
    made.#points = [...this.#points];
    made.#values = [...this.#values];
    return made;
  }
}

/**
 * Consecutive rows or columns of equal size, as `[first index, last index, size]`. In lists of hidden rows or columns,
 * the size is omitted.
 */
export type SizeRun = readonly number[];

/**
 * Positions and sizes of either all rows or all columns of a sub-sheet. Only runs with a non-default size are stored,
 * so memory does not grow with the row count. Indexes and pixel offsets are converted into each other by binary search.
 */
export class Axis {
  readonly count: number;
  readonly standard: number;
  /** Total length of all rows or columns, in pixels. */
  readonly length: number;
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  readonly #size: Float64Array;
  /** Pixel offset at which each stored run (adjacent rows or columns of equal size) starts. */
  readonly #start: Float64Array;

  /**
   * Creates an axis. All sizes are in pixels. Rows or columns that are not in `sizes` have the size `standard`; those
   * in `hidden` have size 0. Each list must be sorted, without overlaps within the list.
   */
  constructor(count: number, standard: number, sizes: readonly SizeRun[] = [], hidden: readonly SizeRun[] = []) {
    this.count = count;
    this.standard = standard;
    const runs = merged(sizes, hidden).filter(([first]) => first < count);
    this.#first = Float64Array.from(runs, ([first]) => first);
    this.#last = Float64Array.from(runs, ([, last]) => Math.min(last, count - 1));
    this.#size = Float64Array.from(runs, ([, , size]) => size);
    this.#start = new Float64Array(runs.length);
    let at = 0;
    let next = 0;
    for (let i = 0; i < runs.length; i++) {
      at += (this.#first[i]! - next) * standard;
      this.#start[i] = at;
      at += (this.#last[i]! - this.#first[i]! + 1) * this.#size[i]!;
      next = this.#last[i]! + 1;
    }
    this.length = at + Math.max(0, count - next) * standard;
  }

  /**
   * Returns the index of the last stored run (rows or columns of equal size) that starts at or before `index`, or -1
   * if there is none.
   */
  #runBefore(index: number): number {
    let low = 0;
    let high = this.#first.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#first[middle]! <= index) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  size(index: number): number {
    const run = this.#runBefore(index);
    return run >= 0 && index <= this.#last[run]! ? this.#size[run]! : this.standard;
  }

  isHidden(index: number): boolean {
    return this.size(index) === 0;
  }

  /** Returns the pixel offset at which a row or column starts. If `index` equals `count`, returns the total length. */
  offset(index: number): number {
    const run = this.#runBefore(index);
    if (run < 0) return index * this.standard;
    const last = this.#last[run]!;
    if (index <= last) return this.#start[run]! + (index - this.#first[run]!) * this.#size[run]!;
    return this.#start[run]! + (last - this.#first[run]! + 1) * this.#size[run]! + (index - last - 1) * this.standard;
  }

  /** Returns the visible row or column at a pixel offset. Offsets outside of the axis return the first or last one. */
  at(pixel: number): number {
    if (pixel >= this.length) return this.nextShown(this.count - 1, -1) ?? this.count - 1;
    let low = 0;
    let high = this.#start.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#start[middle]! <= pixel) low = middle + 1;
      else high = middle;
    }
    const run = low - 1;
    if (run < 0) return Math.max(0, Math.floor(pixel / this.standard));
    const into = pixel - this.#start[run]!;
    const size = this.#size[run]!;
    const count = this.#last[run]! - this.#first[run]! + 1;
    if (into < count * size) return this.#first[run]! + Math.floor(into / size);
    return Math.min(this.count - 1, this.#last[run]! + 1 + Math.floor((into - count * size) / this.standard));
  }

  /** Yields the visible indexes from `first` to `last`. Skips each hidden run in one step. */
  *shown(first: number, last: number): Generator<number> {
    for (
      let index = this.nextShown(first, 1);
      index !== undefined && index <= last;
      index = this.nextShown(index + 1, 1)
    )
      yield index;
  }

  /**
   * Returns the nearest visible index, starting at `index` and moving in the direction of `step`. Returns undefined if
   * there is none.
   */
  nextShown(index: number, step: 1 | -1): number | undefined {
    let at = index;
    while (at >= 0 && at < this.count) {
      const run = this.#runBefore(at);
      if (run < 0 || at > this.#last[run]! || this.#size[run]! > 0) return at;
      at = step > 0 ? this.#last[run]! + 1 : this.#first[run]! - 1;
    }
    return undefined;
  }
}

/** Merges the runs of rows or columns with a size and the hidden runs into one sorted list. Hidden runs get size 0. */
function merged(sizes: readonly SizeRun[], hidden: readonly SizeRun[]): [number, number, number][] {
  const found: [number, number, number][] = [];
  let h = 0;
  for (const [first, last, size] of sizes as readonly [number, number, number][]) {
    let from = first;
    while (h < hidden.length && hidden[h]![1]! < from) found.push([hidden[h]![0]!, hidden[h++]![1]!, 0]);
    while (h < hidden.length && hidden[h]![0]! <= last) {
      const [start, end] = hidden[h] as [number, number];
      if (start > from) found.push([from, start - 1, size]);
      found.push([start, end, 0]);
      from = end + 1;
      h++;
    }
    if (from <= last) found.push([from, last, size]);
  }
  for (; h < hidden.length; h++) found.push([hidden[h]![0]!, hidden[h]![1]!, 0]);
  return found;
}

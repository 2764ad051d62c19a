export interface MovedRange {
  readonly col: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * A set of row ranges per column, which collects rows to be processed later. A new range that overlaps or adjoins the
 * range added last to its column is merged with that range.
 */
export class RowRangeSet {
  readonly #byColumn = new Map<number, number[]>();
  /**
   * Column of the only range if the set holds exactly one range, otherwise -1. A single range is not stored in the map.
   */
  #onlyCol = -1;
  #onlyTop = 0;
  #onlyBottom = 0;

  get isEmpty(): boolean {
    return this.#onlyCol < 0 && this.#byColumn.size === 0;
  }

  add(col: number, top: number, bottom: number): void {
    if (this.#onlyCol >= 0) {
      const onlyCol = this.#onlyCol;
      this.#onlyCol = -1;
      this.#byColumn.set(onlyCol, [this.#onlyTop, this.#onlyBottom]);
    } else if (this.#byColumn.size === 0) {
      this.#onlyCol = col;
      this.#onlyTop = top;
      this.#onlyBottom = bottom;
      return;
    }
    const list = this.#byColumn.get(col);
    if (!list) {
      this.#byColumn.set(col, [top, bottom]);
      return;
    }
    const last = list.length - 1;
    const lastTop = list[last - 1] as number;
    const lastBottom = list[last] as number;
    if (top <= lastBottom + 1 && bottom >= lastTop - 1) {
      list[last - 1] = Math.min(lastTop, top);
      list[last] = Math.max(lastBottom, bottom);
    } else list.push(top, bottom);
  }

  /**
   * Visits the ranges of each column from top to bottom, with overlapping and adjacent ranges merged, and clears the
   * set.
   */
  drain(visit: (col: number, top: number, bottom: number) => void): void {
    if (this.#onlyCol >= 0) {
      const onlyCol = this.#onlyCol;
      this.#onlyCol = -1;
      visit(onlyCol, this.#onlyTop, this.#onlyBottom);
      return;
    }
    if (this.#byColumn.size === 0) return;
    const taken = [...this.#byColumn];
    this.#byColumn.clear();
    for (let i = 0; i < taken.length; i++) {
      const [col, list] = taken[i] as [number, number[]];
      if (list.length === 2) {
        visit(col, list[0] as number, list[1] as number);
        continue;
      }
      const pairs: [number, number][] = [];
      for (let i = 0; i < list.length; i += 2) pairs.push([list[i] as number, list[i + 1] as number]);
      pairs.sort((a, b) => a[0] - b[0]);
      let [top, bottom] = pairs[0] as [number, number];
      for (const [nextTop, nextBottom] of pairs) {
        if (nextTop <= bottom + 1) bottom = Math.max(bottom, nextBottom);
        else {
          visit(col, top, bottom);
          top = nextTop;
          bottom = nextBottom;
        }
      }
      visit(col, top, bottom);
    }
  }

  remap(move: (col: number, top: number, bottom: number) => MovedRange | undefined): void {
    const moved: MovedRange[] = [];
    this.drain((col, top, bottom) => {
      const place = move(col, top, bottom);
      if (place) moved.push(place);
    });
    for (const { col, top, bottom } of moved) this.add(col, top, bottom);
  }

  clear(): void {
    this.#onlyCol = -1;
    this.#byColumn.clear();
  }
}

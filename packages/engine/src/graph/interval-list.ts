import type { Precedent } from './formula-group.ts';

const blockSize = 32;
const emptyList = new Int32Array(0);

/**
 * The references that cover cells of one column, searchable by row. They are sorted by first row. For each block of 32
 * and of 1024 references, the highest last row is stored, so that a query can skip blocks that end above its rows. New
 * references are collected in a short unsorted list.
 */
export class IntervalList {
  #sorted: Precedent[] = [];
  #furthest = emptyList;
  #furthestOfBlocks = emptyList;
  #waiting: Precedent[] = [];

  add(item: Precedent): void {
    this.#waiting.push(item);
  }

  query(top: number, bottom: number, visit: (item: Precedent) => void): void {
    if (this.#waiting.length > Math.min(1024, 32 + this.#sorted.length / 2)) this.#merge();
    const waiting = this.#waiting;
    for (let i = 0; i < waiting.length; i++) {
      const item = waiting[i] as Precedent;
      if (item.top <= bottom && item.bottom >= top && item.group.alive) visit(item);
    }
    const sorted = this.#sorted;
    const furthest = this.#furthest;
    const furthestOfBlocks = this.#furthestOfBlocks;
    const end = this.#after(bottom);
    for (let i = 0; i < end;) {
      if (i % (blockSize * blockSize) === 0 && (furthestOfBlocks[i / (blockSize * blockSize)] as number) < top) {
        i += blockSize * blockSize;
        continue;
      }
      if (i % blockSize === 0 && (furthest[i / blockSize] as number) < top) {
        i += blockSize;
        continue;
      }
      const item = sorted[i++] as Precedent;
      if (item.bottom >= top && item.group.alive) visit(item);
    }
  }

  /** Returns the number of references in the sorted list whose first row is at or above `row`. */
  #after(row: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as Precedent).top <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #merge(): void {
    const all = [...this.#sorted, ...this.#waiting].filter((item) => item.group.alive);
    all.sort((a, b) => a.top - b.top);
    this.#sorted = all;
    this.#waiting = [];
    this.#furthest = new Int32Array(Math.ceil(all.length / blockSize)).fill(-1);
    this.#furthestOfBlocks = new Int32Array(Math.ceil(all.length / (blockSize * blockSize))).fill(-1);
    for (let i = 0; i < all.length; i++) {
      const { bottom } = all[i] as Precedent;
      const block = Math.floor(i / blockSize);
      const large = Math.floor(block / blockSize);
      if (bottom > (this.#furthest[block] as number)) this.#furthest[block] = bottom;
      if (bottom > (this.#furthestOfBlocks[large] as number)) this.#furthestOfBlocks[large] = bottom;
    }
  }
}

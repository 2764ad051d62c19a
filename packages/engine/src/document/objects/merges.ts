import type { Rect } from '../../base/address.ts';
import { RectIndex, sameRect } from './rect.ts';

/** The merged areas of a sub-sheet. They never overlap. */
export class Merges {
  #rects: Rect[] = [];
  #index: RectIndex<Rect> | undefined;

  get size(): number {
    return this.#rects.length;
  }

  /** Lists the merged areas from top to bottom, left to right. */
  list(): readonly Rect[] {
    return this.#rects;
  }

  meeting(rect: Rect): Rect[] {
    if (this.#rects.length === 0) return [];
    this.#index ??= new RectIndex(this.#rects);
    return this.#index.meeting(rect);
  }

  at(row: number, col: number): Rect | undefined {
    return this.meeting({ top: row, left: col, bottom: row, right: col })[0];
  }

  replace(rects: readonly Rect[]): void {
    this.#rects = [...rects].sort((a, b) => a.top - b.top || a.left - b.left);
    this.#index = undefined;
  }

  add(rects: readonly Rect[]): void {
    this.replace([...this.#rects, ...rects]);
  }

  remove(gone: readonly Rect[]): void {
    const index = new RectIndex(gone);
    this.replace(this.#rects.filter((rect) => !index.meeting(rect).some((one) => sameRect(one, rect))));
  }
}

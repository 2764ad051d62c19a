import type { Cell, CellRange, PixelRect } from '../cell-geometry.ts';
import type { AxisName } from '../multi-range.ts';
import type { Pane } from '../sheet-session.ts';
import type { GridModel } from './grid-model.ts';

export const columnHeaderHeight = 26;
/**
 * Maximum height of the scrolled element in pixels, because browsers support only 16 to 33 million. In taller sheets,
 * one pixel of the scroll bar represents several sheet pixels.
 */
const maxPixels = 8_000_000;
const leastScrolled = 60;

/**
 * Converts between cells and screen positions. Pixels are relative to the grid's top-left corner, including the row and
 * column headings.
 */
export class Viewport {
  width = 0;
  height = 0;
  scrollX = 0;
  scrollY = 0;
  readonly #model: () => GridModel;

  constructor(model: () => GridModel) {
    this.#model = model;
  }

  get rowHeaderWidth(): number {
    const digits = String(Math.min(this.#model().rows.count, this.visible.bottom + 1)).length;
    return Math.max(44, digits * 8 + 18);
  }

  get left(): number {
    return this.#headerWidth;
  }

  get top(): number {
    return columnHeaderHeight;
  }

  #headerWidth = 44;

  /** Width of the frozen columns in pixels. It is limited, so that some scrolling area remains. */
  get frozenWidth(): number {
    const { cols, frozenCols } = this.#model();
    return Math.max(0, Math.min(cols.offset(frozenCols), this.width - this.left - leastScrolled));
  }

  get frozenHeight(): number {
    const { rows, frozenRows } = this.#model();
    return Math.max(0, Math.min(rows.offset(frozenRows), this.height - this.top - leastScrolled));
  }

  get maxScrollX(): number {
    const { cols } = this.#model();
    return Math.max(0, cols.length - (this.width - this.left));
  }

  get maxScrollY(): number {
    const { rows } = this.#model();
    return Math.max(0, rows.length - (this.height - this.top));
  }

  /**
   * Height of the element that the browser scrolls: the height of all rows, limited because browsers limit element
   * sizes.
   */
  get scrolledHeight(): number {
    return Math.min(maxPixels, this.maxScrollY + this.height);
  }

  get scrolledWidth(): number {
    return this.maxScrollX + this.width;
  }

  /**
   * Number of sheet pixels that correspond to one pixel of the scrolled element. It is more than 1 if the sheet is
   * higher than the maximum height of an element.
   */
  get ratio(): number {
    return this.maxScrollY / Math.max(1, this.scrolledHeight - this.height);
  }

  /** Sets the scroll position, limited to the sheet. Returns whether the position changed. */
  scrollTo(x: number, y: number): boolean {
    const nextX = Math.min(this.maxScrollX, Math.max(0, x));
    const nextY = Math.min(this.maxScrollY, Math.max(0, y));
    if (nextX === this.scrollX && nextY === this.scrollY) return false;
    this.scrollX = nextX;
    this.scrollY = nextY;
    this.#headerWidth = this.rowHeaderWidth;
    return true;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.#headerWidth = this.rowHeaderWidth;
    this.scrollTo(this.scrollX, this.scrollY);
  }

  x(col: number): number {
    const { cols, frozenCols } = this.#model();
    return this.left + cols.offset(col) - (col < frozenCols ? 0 : this.scrollX);
  }

  y(row: number): number {
    const { rows, frozenRows } = this.#model();
    return this.top + rows.offset(row) - (row < frozenRows ? 0 : this.scrollY);
  }

  /** Returns the screen position of a row's top edge or a column's left edge. */
  start(axis: AxisName, index: number): number {
    return axis === 'row' ? this.y(index) : this.x(index);
  }

  rectOf({ top, left, bottom, right }: CellRange): PixelRect {
    const { rows, cols } = this.#model();
    const x = this.x(left);
    const y = this.y(top);
    // A range that starts in the frozen area and ends outside of it is clipped to its visible part.
    const endX = this.x(right) + cols.size(right);
    const endY = this.y(bottom) + rows.size(bottom);
    return { x, y, width: Math.max(0, endX - x), height: Math.max(0, endY - y) };
  }

  get visible(): CellRange {
    const { rows, cols, frozenRows, frozenCols } = this.#model();
    return {
      top: Math.max(frozenRows, rows.at(this.scrollY + rows.offset(frozenRows))),
      left: Math.max(frozenCols, cols.at(this.scrollX + cols.offset(frozenCols))),
      bottom: rows.at(this.scrollY + Math.max(0, this.height - this.top) - 1),
      right: cols.at(this.scrollX + Math.max(0, this.width - this.#headerWidth) - 1),
    };
  }

  /** Returns the rectangle and visible range of each pane. Panes without cells are omitted. */
  panes(): { pane: Pane; rect: PixelRect; range: CellRange }[] {
    const { frozenRows, frozenCols } = this.#model();
    const body = this.visible;
    const found: { pane: Pane; rect: PixelRect; range: CellRange }[] = [
      { pane: 'body', rect: this.paneRect('body'), range: body },
    ];
    if (frozenRows > 0)
      found.push({ pane: 'top', rect: this.paneRect('top'), range: { ...body, top: 0, bottom: frozenRows - 1 } });
    if (frozenCols > 0)
      found.push({ pane: 'left', rect: this.paneRect('left'), range: { ...body, left: 0, right: frozenCols - 1 } });
    if (frozenRows > 0 && frozenCols > 0)
      found.push({
        pane: 'corner',
        rect: this.paneRect('corner'),
        range: { top: 0, left: 0, bottom: frozenRows - 1, right: frozenCols - 1 },
      });
    return found;
  }

  paneRect(pane: Pane): PixelRect {
    const x = this.left;
    const y = this.top;
    const { frozenWidth, frozenHeight } = this;
    const width = Math.max(0, this.width - x - frozenWidth);
    const height = Math.max(0, this.height - y - frozenHeight);
    switch (pane) {
      case 'corner':
        return { x, y, width: frozenWidth, height: frozenHeight };
      case 'top':
        return { x: x + frozenWidth, y, width, height: frozenHeight };
      case 'left':
        return { x, y: y + frozenHeight, width: frozenWidth, height };
      case 'body':
        return { x: x + frozenWidth, y: y + frozenHeight, width, height };
    }
  }

  paneOf({ row, col }: Cell): Pane {
    const { frozenRows, frozenCols } = this.#model();
    if (row < frozenRows) return col < frozenCols ? 'corner' : 'top';
    return col < frozenCols ? 'left' : 'body';
  }

  colAt(x: number): number {
    const { cols } = this.#model();
    const into = x - this.left;
    return cols.at(Math.max(0, into < this.frozenWidth ? into : into + this.scrollX));
  }

  rowAt(y: number): number {
    const { rows } = this.#model();
    const into = y - this.top;
    return rows.at(Math.max(0, into < this.frozenHeight ? into : into + this.scrollY));
  }

  /**
   * Returns the scroll position nearest to the current one at which the range is visible. If the range is larger than
   * the scrolling area, its top-left part is visible.
   */
  placeFor(range: CellRange): { x: number; y: number } {
    const { rows, cols, frozenRows, frozenCols } = this.#model();
    const body = this.paneRect('body');
    let { scrollX: x, scrollY: y } = this;
    if (range.left >= frozenCols) {
      const from = cols.offset(range.left) - cols.offset(frozenCols);
      const to = cols.offset(range.right + 1) - cols.offset(frozenCols);
      if (to > x + body.width) x = to - body.width;
      if (from < x) x = from;
    }
    if (range.top >= frozenRows) {
      const from = rows.offset(range.top) - rows.offset(frozenRows);
      const to = rows.offset(range.bottom + 1) - rows.offset(frozenRows);
      if (to > y + body.height) y = to - body.height;
      if (from < y) y = from;
    }
    return { x, y };
  }
}

import type { Cell, CellRange, PixelRect } from './cell-geometry.ts';

/**
 * A part of the grid. Frozen rows and columns divide the grid into panes, and each cell is in exactly one pane: frozen
 * rows are in `top`, frozen columns in `left`, cells in both in `corner`, and all other cells in `body`.
 */
export type Pane = 'body' | 'top' | 'left' | 'corner';

/**
 * Geometry of the displayed grid, used to place overlays such as charts. Coordinates are CSS pixels from the top-left
 * corner of the grid, where the row and column headings meet.
 */
export interface GridView {
  /** Returns the rectangle of a range, even if it is scrolled out of view. Hidden rows and columns have size 0. */
  rectOf(range: CellRange): PixelRect;
  paneOf(cell: Cell): Pane;
  /** Returns the element that contains and clips the overlays of a pane. */
  paneElement(pane: Pane): HTMLElement;
  paneRect(pane: Pane): PixelRect;
  focus(): void;
  /** The cells visible in the scrolling pane. */
  readonly visible: CellRange;
  /** Scroll offset of the scrolling pane, in pixels. */
  readonly scrolled: { readonly x: number; readonly y: number };
  /**
   * Calls the listener on scrolling, resizing, and changes of cell sizes, frozen panes or hidden rows. Returns a
   * function that removes the listener.
   */
  subscribe(listener: () => void): () => void;
}

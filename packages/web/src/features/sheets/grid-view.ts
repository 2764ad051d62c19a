import type { Cell, CellRange, PixelRect } from './cell-geometry.ts';

/** Frozen rows and columns divide the grid into panes; each cell lies in exactly one. */
export type Pane = 'body' | 'top' | 'left' | 'corner';

/** The grid as currently shown. Coordinates are CSS pixels from the grid's top-left corner, including the headings. */
export interface GridView {
  /** Returns the rectangle of a range, even if it is scrolled out of its pane. Hidden rows and columns have no size. */
  rectOf(range: CellRange): PixelRect;
  paneOf(cell: Cell): Pane;
  /** The element that contains and clips the overlays of a pane. */
  paneElement(pane: Pane): HTMLElement;
  paneRect(pane: Pane): PixelRect;
  /** Moves the keyboard focus to the cells. */
  focus(): void;
  /** The visible cells of the scrolling pane. */
  readonly visible: CellRange;
  /** Scroll offset of the scrolling pane, in pixels. */
  readonly scrolled: { readonly x: number; readonly y: number };
  /**
   * Listens for scrolling, resizing and changes of sizes, frozen panes or hidden rows. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: () => void): () => void;
}

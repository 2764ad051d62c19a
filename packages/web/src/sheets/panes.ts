import type { Cell, CellRange, PixelRect } from './geometry.ts';

/** Frozen rows and columns divide the grid; a place lies in exactly one of these. */
export type Pane = 'body' | 'top' | 'left' | 'corner';

/** The grid as it is shown now. Pixels are CSS pixels from the grid's top-left corner (row and column headers included). */
export interface GridView {
  /** Where a range is, also when it is scrolled away (then outside of the pane). Hidden rows and columns have no size. */
  rectOf(range: CellRange): PixelRect;
  /** Which cell is under a point of the grid. */
  cellAt(x: number, y: number): Cell | undefined;
  paneOf(cell: Cell): Pane;
  /** The element that overlays of a pane are put into: it clips them. */
  paneElement(pane: Pane): HTMLElement;
  /** Where a pane is. */
  paneRect(pane: Pane): PixelRect;
  /** Keys go to the cells from now on. */
  focus(): void;
  /** The cells that can be seen in the pane that scrolls. */
  readonly visible: CellRange;
  /** How far that pane is scrolled, in pixels. */
  readonly scrolled: { readonly x: number; readonly y: number };
  /** Heard after scrolling, resizing, and whenever sizes, freezes or hidden rows changed. Answers how to stop. */
  subscribe(listener: () => void): () => void;
}

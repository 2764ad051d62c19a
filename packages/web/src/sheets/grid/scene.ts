import type { CellRange } from '../geometry.ts';
import type { Selection } from '../session.ts';
import type { Present } from '../who-is-here.ts';
import type { Mark } from './marks.ts';
import type { GridModel } from './model.ts';
import type { GridTheme } from './theme.ts';
import type { Viewport } from './viewport.ts';

/** All that a picture of the grid is made of. */
export interface Scene {
  readonly model: GridModel;
  readonly viewport: Viewport;
  readonly theme: GridTheme;
  readonly selection: Selection;
  /** The grid has the focus. */
  readonly focused: boolean;
  readonly marks: readonly Mark[];
  /** Others who have this sub-sheet open. */
  readonly present: readonly Present[];
  /** Ranges that the formula being edited names, with their colors. */
  readonly references: readonly { readonly range: CellRange; readonly color: string }[];
  /** What dragging the fill handle would fill. */
  readonly filling: CellRange | undefined;
  /** What was copied or cut and can be pasted. */
  readonly copied: CellRange | undefined;
  /** A line where a row or column is being dragged to: its new edge, or where it would be dropped. */
  readonly guide: { readonly axis: 'row' | 'col'; readonly at: number } | undefined;
  /** The cell whose text is in the editor. */
  readonly editing: { readonly row: number; readonly col: number } | undefined;
  readonly mayWrite: boolean;
}

export interface Brush {
  readonly context: CanvasRenderingContext2D;
  /** What the context has now; set through useFont. Forgotten whenever the context's state is put back. */
  font: string;
  /** Whole device pixels: lines are sharp. */
  snap(value: number): number;
}

import type { CellRange } from '../cell-geometry.ts';
import type { Selection } from '../sheet-session.ts';
import type { Participant } from '../presence.ts';
import type { ChangeMark } from './change-marks.ts';
import type { GridModel } from './grid-model.ts';
import type { GridTheme } from './grid-theme.ts';
import type { Viewport } from './viewport.ts';

/** All data needed to paint the grid. */
export interface Scene {
  readonly model: GridModel;
  readonly viewport: Viewport;
  readonly theme: GridTheme;
  readonly selection: Selection;
  /** True if the grid has the focus. */
  readonly focused: boolean;
  readonly marks: readonly ChangeMark[];
  /** Other users who have this sub-sheet open. */
  readonly present: readonly Participant[];
  /** Ranges in the formula being edited, with their colors. */
  readonly references: readonly { readonly range: CellRange; readonly color: string }[];
  /** The range that dragging the fill handle would fill. */
  readonly filling: CellRange | undefined;
  /** The copied or cut range. */
  readonly copied: CellRange | undefined;
  /** A line at the new edge of a resized row or column, or at the drop position of a moved one. */
  readonly guide: { readonly axis: 'row' | 'col'; readonly at: number } | undefined;
  /** The cell being edited. */
  readonly editing: { readonly row: number; readonly col: number } | undefined;
  readonly mayWrite: boolean;
}

export interface Brush {
  readonly context: CanvasRenderingContext2D;
  /** The context's current font, set through useFont. Reset whenever the context's state is restored. */
  font: string;
  /** Rounds to device pixels, so that lines are sharp. */
  snap(value: number): number;
}

import type { CellRange } from '../cell-geometry.ts';
import type { Selection } from '../sheet-session.ts';
import type { Participant } from '../presence.ts';
import type { ChangeMark } from './change-marks.ts';
import type { Grid } from './grid.ts';
import type { GridModel } from './grid-model.ts';
import type { GridTheme } from './grid-theme.ts';
import { referenceHighlights } from './reference-highlights.ts';
import type { Viewport } from './viewport.ts';

/** Snapshot of all data needed to paint the grid. */
export interface Scene {
  readonly model: GridModel;
  readonly viewport: Viewport;
  readonly theme: GridTheme;
  readonly selection: Selection;
  readonly marks: readonly ChangeMark[];
  /** Other users who currently view this sub-sheet. */
  readonly present: readonly Participant[];
  /** Ranges referenced in the formula being edited, with their colors. */
  readonly references: readonly { readonly range: CellRange; readonly color: string }[];
  /** The range that would be filled if the fill handle were released now. */
  readonly filling: CellRange | undefined;
  readonly copied: CellRange | undefined;
  /** Guide line at the new edge of a resized row or column, or at the drop position of a moved row or column. */
  readonly guide: { readonly axis: 'row' | 'col'; readonly at: number } | undefined;
  readonly editing: { readonly row: number; readonly col: number } | undefined;
  readonly mayWrite: boolean;
}

export interface PaintContext {
  readonly context: CanvasRenderingContext2D;
  /**
   * The context's current font, set through useFont. Code that restores the context's saved state must set this to ''.
   */
  font: string;
  /** Rounds a position to device pixels, so that lines are sharp. */
  snap(value: number): number;
}

/** Collects the data for the next repaint from the grid and its session. */
export function buildScene(grid: Grid): Scene {
  const edit = grid.editing.state.get();
  const here = edit?.tab === grid.model.sheetId;
  return {
    model: grid.model,
    viewport: grid.viewport,
    theme: grid.theme,
    selection: grid.session.selection.get(),
    marks: grid.marks.on(grid.model.sheetId, Date.now()),
    present: grid.session.presence.others.get().filter((one) => one.sheetId === grid.model.sheetId),
    references: edit ? referenceHighlights(grid, edit) : [],
    filling: grid.filling,
    copied: grid.copied?.tab === grid.model.sheetId ? grid.copied.range : undefined,
    guide: grid.guide,
    editing: edit && here ? { row: edit.row, col: edit.col } : undefined,
    mayWrite: grid.session.mayWrite,
  };
}

import type { Grid } from './grid.ts';
import { referenceHighlights } from './reference-highlights.ts';
import type { Scene } from './scene.ts';

/** Collects the data for the next repaint. */
export function buildScene(grid: Grid): Scene {
  const edit = grid.editing.state.get();
  const here = edit?.tab === grid.model.sheetId;
  return {
    model: grid.model,
    viewport: grid.viewport,
    theme: grid.theme,
    selection: grid.session.selection.get(),
    focused: grid.focused,
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

import { singleCellRange, columnName, rangesEqual, type CellRange, type PixelRect } from '../cell-geometry.ts';
import { userColorFor } from '../user-color.ts';
import { selectedRanges } from '../sheet-session.ts';
import { paintCells } from './paint-cells.ts';
import type { Brush, Scene } from './scene.ts';
import { withAlpha } from './grid-theme.ts';

export const handleSize = 8;

/** Paints the whole grid. */
export function paintGrid(scene: Scene, context: CanvasRenderingContext2D, ratio: number): void {
  const { viewport, theme } = scene;
  const brush: Brush = { context, font: '', snap: (value) => Math.round(value * ratio) / ratio };
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, viewport.width, viewport.height);
  const panes = viewport.panes();
  for (const { rect, range } of panes) {
    brush.font = '';
    clipped(context, rect, () => {
      paintBeyond(scene, brush, rect);
      paintCells(scene, brush, range);
    });
  }
  paintFrozenLines(scene, brush);
  for (const { rect } of panes) clipped(context, grown(rect), () => paintRanges(scene, brush));
  paintHeaders(scene, brush);
  paintGuide(scene, brush);
}

function clipped(context: CanvasRenderingContext2D, rect: PixelRect, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(rect.x, rect.y, rect.width, rect.height);
  context.clip();
  draw();
  context.restore();
}

/** Enlarges a clip rectangle, so that the outline of a selection at the edge is not cut. */
function grown({ x, y, width, height }: PixelRect): PixelRect {
  return { x: x - 1, y: y - 1, width: width + 2, height: height + 2 };
}

/** Paints the area beyond the last row and column, and shades the spare ones that the sheet does not have yet. */
function paintBeyond(scene: Scene, { context }: Brush, rect: PixelRect): void {
  const { model, viewport, theme } = scene;
  const endX = viewport.x(model.cols.count);
  const endY = viewport.y(model.rows.count);
  context.fillStyle = theme.panel;
  if (endX < rect.x + rect.width) context.fillRect(endX, rect.y, rect.x + rect.width - endX, rect.height);
  if (endY < rect.y + rect.height) context.fillRect(rect.x, endY, rect.width, rect.y + rect.height - endY);
}

function outline({ context, snap }: Brush, { x, y, width, height }: PixelRect, thickness: number): void {
  const left = snap(x) - 1;
  const top = snap(y) - 1;
  const right = snap(x + width);
  const bottom = snap(y + height);
  context.lineWidth = thickness;
  const half = thickness / 2;
  context.strokeRect(
    left + half,
    top + half,
    right - left - thickness + (thickness > 1 ? 1 : 0),
    bottom - top - thickness + (thickness > 1 ? 1 : 0),
  );
}

function paintRanges(scene: Scene, brush: Brush): void {
  const { viewport, theme, selection, model } = scene;
  const { context } = brush;
  for (const { range, color } of scene.references) {
    const rect = viewport.rectOf(range);
    context.fillStyle = withHsl(color, 0.1);
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.strokeStyle = color;
    outline(brush, rect, 2);
  }
  for (const { range, who, isAgent } of scene.present) {
    if (!range || isAgent) continue;
    const rect = viewport.rectOf(range);
    context.fillStyle = withHsl(userColorFor(who, theme.isDark), 0.1);
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.strokeStyle = userColorFor(who, theme.isDark);
    outline(brush, rect, 2);
  }
  for (const range of selection.others) {
    const rect = viewport.rectOf(range);
    context.fillStyle = withAlpha(theme.accent, theme.isDark ? 0.2 : 0.12);
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.strokeStyle = theme.accent;
    outline(brush, rect, 1);
  }
  const cell = singleCellRange(selection.active.row, selection.active.col);
  const active = model.mergeAt(cell.top, cell.left) ?? cell;
  // A single cell may have been selected before its merge was loaded; outline the whole merge.
  paintSelection(scene, brush, rangesEqual(selection.range, cell) ? active : selection.range, active);
  if (scene.filling) {
    context.strokeStyle = theme.accent;
    context.setLineDash([4, 3]);
    outline(brush, viewport.rectOf(scene.filling), 1);
    context.setLineDash([]);
  }
  if (scene.copied) {
    context.strokeStyle = theme.accent;
    context.setLineDash([5, 4]);
    outline(brush, viewport.rectOf(scene.copied), 2);
    context.setLineDash([]);
  }
  for (const mark of scene.marks) {
    const rect = viewport.rectOf(mark.range);
    const color = userColorFor(mark.who, theme.isDark);
    context.globalAlpha = mark.strength;
    context.fillStyle = withHsl(color, 0.12);
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.strokeStyle = color;
    outline(brush, rect, 2);
    context.globalAlpha = 1;
  }
}

function withHsl(color: string, alpha: number): string {
  return color.replace(/\)$/, ` / ${alpha})`);
}

function paintSelection(scene: Scene, brush: Brush, range: CellRange, active: CellRange): void {
  const { viewport, theme } = scene;
  const { context } = brush;
  const rect = viewport.rectOf(range);
  const cell = viewport.rectOf(active);
  if (!rangesEqual(range, active)) {
    // Fill everything but the active cell.
    context.fillStyle = withAlpha(theme.accent, theme.isDark ? 0.2 : 0.12);
    context.beginPath();
    context.rect(rect.x, rect.y, rect.width, rect.height);
    context.rect(cell.x, cell.y, cell.width, cell.height);
    context.fill('evenodd');
  }
  context.strokeStyle = theme.accent;
  if (!rangesEqual(range, active)) {
    outline(brush, rect, 1);
  }
  outline(brush, cell, 2);
  if (scene.mayWrite && !scene.editing && scene.selection.others.length === 0) {
    const x = brush.snap(rect.x + rect.width) - handleSize / 2;
    const y = brush.snap(rect.y + rect.height) - handleSize / 2;
    context.fillStyle = theme.paper;
    context.fillRect(x - 1, y - 1, handleSize + 1, handleSize + 1);
    context.fillStyle = theme.accent;
    context.fillRect(x, y, handleSize - 1, handleSize - 1);
  }
}

function paintFrozenLines({ model, viewport, theme }: Scene, { context, snap }: Brush): void {
  context.fillStyle = theme.strongLine;
  if (model.frozenCols > 0) context.fillRect(snap(viewport.left + viewport.frozenWidth) - 1, 0, 2, viewport.height);
  if (model.frozenRows > 0) context.fillRect(0, snap(viewport.top + viewport.frozenHeight) - 1, viewport.width, 2);
}

function paintHeaders(scene: Scene, brush: Brush): void {
  const { viewport, theme, model } = scene;
  const { context } = brush;
  const { left, top } = viewport;
  context.font = `11.5px ${theme.family}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const body = viewport.visible;
  const paneX = left + viewport.frozenWidth;
  const paneY = top + viewport.frozenHeight;
  context.fillStyle = theme.panel;
  context.fillRect(0, 0, viewport.width, top);
  context.fillRect(0, 0, left, viewport.height);
  clipped(context, { x: paneX, y: 0, width: viewport.width - paneX, height: top }, () =>
    paintColumnHeaders(scene, brush, body.left, body.right),
  );
  if (model.frozenCols > 0)
    clipped(context, { x: left, y: 0, width: viewport.frozenWidth, height: top }, () =>
      paintColumnHeaders(scene, brush, 0, model.frozenCols - 1),
    );
  clipped(context, { x: 0, y: paneY, width: left, height: viewport.height - paneY }, () =>
    paintRowHeaders(scene, brush, body.top, body.bottom),
  );
  if (model.frozenRows > 0)
    clipped(context, { x: 0, y: top, width: left, height: viewport.frozenHeight }, () =>
      paintRowHeaders(scene, brush, 0, model.frozenRows - 1),
    );
  context.fillStyle = theme.panel;
  context.fillRect(0, 0, left, top);
  context.fillStyle = theme.strongLine;
  context.fillRect(0, top - 1, viewport.width, 1);
  context.fillRect(left - 1, 0, 1, viewport.height);
  // The triangle in the corner that selects all cells.
  context.fillStyle = theme.faint;
  context.beginPath();
  context.moveTo(left - 6, top - 14);
  context.lineTo(left - 6, top - 6);
  context.lineTo(left - 14, top - 6);
  context.fill();
}

function paintColumnHeaders(scene: Scene, { context, snap }: Brush, first: number, last: number): void {
  const { viewport, theme, model, selection } = scene;
  const { top } = viewport;
  const wholeColumns = selection.range.top === 0 && selection.range.bottom >= model.rows.count - 1;
  for (const col of model.cols.shown(first, last)) {
    const size = model.cols.size(col);
    const x = snap(viewport.x(col));
    const end = snap(viewport.x(col) + size);
    const chosen = selectedRanges(selection).some((one) => col >= one.left && col <= one.right);
    if (chosen) {
      context.fillStyle = wholeColumns ? theme.accent : theme.accentSoft;
      context.fillRect(x, 0, end - x, top);
    }
    context.fillStyle = theme.line;
    context.fillRect(end - 1, 4, 1, top - 8);
    if (col + 1 < model.cols.count && model.cols.isHidden(col + 1))
      paintHiddenSign(context, theme.accent, end - 1, top / 2, true);
    context.fillStyle = chosen
      ? wholeColumns
        ? theme.paper
        : theme.accent
      : col < model.size.cols
        ? theme.soft
        : theme.faint;
    context.fillText(columnName(col), (x + end) / 2, top / 2 + 0.5);
  }
}

function paintRowHeaders(scene: Scene, { context, snap }: Brush, first: number, last: number): void {
  const { viewport, theme, model, selection } = scene;
  const { left } = viewport;
  const wholeRows = selection.range.left === 0 && selection.range.right >= model.cols.count - 1;
  for (const row of model.rows.shown(first, last)) {
    const size = model.rows.size(row);
    const y = snap(viewport.y(row));
    const end = snap(viewport.y(row) + size);
    const chosen = selectedRanges(selection).some((one) => row >= one.top && row <= one.bottom);
    if (chosen) {
      context.fillStyle = wholeRows ? theme.accent : theme.accentSoft;
      context.fillRect(0, y, left, end - y);
    }
    context.fillStyle = theme.line;
    context.fillRect(6, end - 1, left - 12, 1);
    if (row + 1 < model.rows.count && model.rows.isHidden(row + 1))
      paintHiddenSign(context, theme.accent, left / 2, end - 1, false);
    context.fillStyle = chosen
      ? wholeRows
        ? theme.paper
        : theme.accent
      : row < model.size.rows
        ? theme.soft
        : theme.faint;
    context.fillText(String(row + 1), left / 2, (y + end) / 2 + 0.5);
  }
}

/** Paints two small arrows that indicate hidden rows or columns. */
function paintHiddenSign(
  context: CanvasRenderingContext2D,
  color: string,
  x: number,
  y: number,
  across: boolean,
): void {
  context.fillStyle = color;
  for (const side of [-1, 1]) {
    context.beginPath();
    if (across) {
      context.moveTo(x + side * 6, y);
      context.lineTo(x + side * 2, y - 3);
      context.lineTo(x + side * 2, y + 3);
    } else {
      context.moveTo(x, y + side * 5);
      context.lineTo(x - 4, y + side * 2);
      context.lineTo(x + 4, y + side * 2);
    }
    context.fill();
  }
}

function paintGuide({ guide, viewport, theme }: Scene, { context, snap }: Brush): void {
  if (!guide) return;
  context.fillStyle = theme.accent;
  if (guide.axis === 'col') context.fillRect(snap(guide.at) - 1, 0, 2, viewport.height);
  else context.fillRect(0, snap(guide.at) - 1, viewport.width, 2);
}

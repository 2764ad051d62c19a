import { singleCellRange, columnName, rangesEqual, type CellRange, type PixelRect } from '../cell-geometry.ts';
import { userColorFor } from '../user-color.ts';
import { spanOf, type AxisName } from '../multi-range.ts';
import { selectedRanges } from '../sheet-session.ts';
import { paintCells } from './paint-cells.ts';
import type { PaintContext, Scene } from './scene.ts';
import { withAlpha } from './grid-theme.ts';

export const handleSize = 8;

export function paintGrid(scene: Scene, context: CanvasRenderingContext2D, ratio: number): void {
  const { viewport, theme } = scene;
  const brush: PaintContext = { context, font: '', snap: (value) => Math.round(value * ratio) / ratio };
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

/** Enlarges a clip rectangle by one pixel, so that a selection outline at its edge is not cut off. */
function grown({ x, y, width, height }: PixelRect): PixelRect {
  return { x: x - 1, y: y - 1, width: width + 2, height: height + 2 };
}

/** Fills the area after the last row and the last column with the background color of panels. */
function paintBeyond(scene: Scene, { context }: PaintContext, rect: PixelRect): void {
  const { model, viewport, theme } = scene;
  const endX = viewport.x(model.cols.count);
  const endY = viewport.y(model.rows.count);
  context.fillStyle = theme.panel;
  if (endX < rect.x + rect.width) context.fillRect(endX, rect.y, rect.x + rect.width - endX, rect.height);
  if (endY < rect.y + rect.height) context.fillRect(rect.x, endY, rect.width, rect.y + rect.height - endY);
}

function outline({ context, snap }: PaintContext, { x, y, width, height }: PixelRect, thickness: number): void {
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

function paintRanges(scene: Scene, brush: PaintContext): void {
  const { viewport, theme, selection, model } = scene;
  const { context } = brush;
  const paint = (range: CellRange, fill: string, stroke: string, thickness: number): void => {
    const rect = viewport.rectOf(range);
    context.fillStyle = fill;
    context.fillRect(rect.x, rect.y, rect.width, rect.height);
    context.strokeStyle = stroke;
    outline(brush, rect, thickness);
  };
  const dash = (range: CellRange, pattern: number[], thickness: number): void => {
    context.strokeStyle = theme.accent;
    context.setLineDash(pattern);
    outline(brush, viewport.rectOf(range), thickness);
    context.setLineDash([]);
  };
  for (const { range, color } of scene.references) paint(range, withHsl(color, 0.1), color, 2);
  for (const { range, who, isAgent } of scene.present) {
    const color = userColorFor(who, theme.isDark);
    if (range && !isAgent) paint(range, withHsl(color, 0.1), color, 2);
  }
  for (const range of selection.others)
    paint(range, withAlpha(theme.accent, theme.isDark ? 0.2 : 0.12), theme.accent, 1);
  const cell = singleCellRange(selection.active.row, selection.active.col);
  const active = model.mergeAt(cell.top, cell.left) ?? cell;
  // If a cell was selected before the merged range that contains it was loaded, only that cell is selected. Outline the
  // whole merged range in this case, too.
  paintSelection(scene, brush, rangesEqual(selection.range, cell) ? active : selection.range, active);
  if (scene.filling) dash(scene.filling, [4, 3], 1);
  if (scene.copied) dash(scene.copied, [5, 4], 2);
  for (const { range, who, strength } of scene.marks) {
    const color = userColorFor(who, theme.isDark);
    context.globalAlpha = strength;
    paint(range, withHsl(color, 0.12), color, 2);
    context.globalAlpha = 1;
  }
}

function withHsl(color: string, alpha: number): string {
  return color.replace(/\)$/, ` / ${alpha})`);
}

function paintSelection(scene: Scene, brush: PaintContext, range: CellRange, active: CellRange): void {
  const { viewport, theme } = scene;
  const { context } = brush;
  const rect = viewport.rectOf(range);
  const cell = viewport.rectOf(active);
  if (!rangesEqual(range, active)) {
    context.fillStyle = withAlpha(theme.accent, theme.isDark ? 0.2 : 0.12);
    context.beginPath();
    context.rect(rect.x, rect.y, rect.width, rect.height);
    context.rect(cell.x, cell.y, cell.width, cell.height);
    context.fill('evenodd');
  }
  context.strokeStyle = theme.accent;
  if (!rangesEqual(range, active)) outline(brush, rect, 1);
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

function paintFrozenLines({ model, viewport, theme }: Scene, { context, snap }: PaintContext): void {
  context.fillStyle = theme.strongLine;
  if (model.frozenCols > 0) context.fillRect(snap(viewport.left + viewport.frozenWidth) - 1, 0, 2, viewport.height);
  if (model.frozenRows > 0) context.fillRect(0, snap(viewport.top + viewport.frozenHeight) - 1, viewport.width, 2);
}

function paintHeaders(scene: Scene, brush: PaintContext): void {
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
    paintHeader(scene, brush, 'col', body.left, body.right),
  );
  if (model.frozenCols > 0)
    clipped(context, { x: left, y: 0, width: viewport.frozenWidth, height: top }, () =>
      paintHeader(scene, brush, 'col', 0, model.frozenCols - 1),
    );
  clipped(context, { x: 0, y: paneY, width: left, height: viewport.height - paneY }, () =>
    paintHeader(scene, brush, 'row', body.top, body.bottom),
  );
  if (model.frozenRows > 0)
    clipped(context, { x: 0, y: top, width: left, height: viewport.frozenHeight }, () =>
      paintHeader(scene, brush, 'row', 0, model.frozenRows - 1),
    );
  context.fillStyle = theme.panel;
  context.fillRect(0, 0, left, top);
  context.fillStyle = theme.strongLine;
  context.fillRect(0, top - 1, viewport.width, 1);
  context.fillRect(left - 1, 0, 1, viewport.height);
  // Paint the triangle in the top-left corner of the headings. A click on that corner selects all cells.
  context.fillStyle = theme.faint;
  context.beginPath();
  context.moveTo(left - 6, top - 14);
  context.lineTo(left - 6, top - 6);
  context.lineTo(left - 14, top - 6);
  context.fill();
}

function paintHeader(scene: Scene, { context, snap }: PaintContext, axis: AxisName, first: number, last: number): void {
  const { viewport, theme, model, selection } = scene;
  const isCol = axis === 'col';
  const lines = model.axis(axis);
  const across = isCol ? viewport.top : viewport.left;
  const [start, end] = spanOf(selection.range, isCol ? 'row' : 'col');
  const isWhole = start === 0 && end >= model.axis(isCol ? 'row' : 'col').count - 1;
  const fill = (from: number, to: number, inset: number): void =>
    isCol
      ? context.fillRect(from, inset, to - from, across - 2 * inset)
      : context.fillRect(inset, from, across - 2 * inset, to - from);
  for (const index of lines.shown(first, last)) {
    const from = snap(viewport.start(axis, index));
    const to = snap(viewport.start(axis, index) + lines.size(index));
    const chosen = selectedRanges(selection)
      .map((one) => spanOf(one, axis))
      .some(([low, high]) => index >= low && index <= high);
    if (chosen) {
      context.fillStyle = isWhole ? theme.accent : theme.accentSoft;
      fill(from, to, 0);
    }
    context.fillStyle = theme.line;
    fill(to - 1, to, isCol ? 4 : 6);
    const [x, y] = isCol ? [to - 1, across / 2] : [across / 2, to - 1];
    if (index + 1 < lines.count && lines.isHidden(index + 1)) paintHiddenSign(context, theme.accent, x, y, isCol);
    const plain = index < model.size[`${axis}s`] ? theme.soft : theme.faint;
    context.fillStyle = chosen ? (isWhole ? theme.paper : theme.accent) : plain;
    const middle = (from + to) / 2;
    if (isCol) context.fillText(columnName(index), middle, across / 2 + 0.5);
    else context.fillText(String(index + 1), across / 2, middle + 0.5);
  }
}

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

function paintGuide({ guide, viewport, theme }: Scene, { context, snap }: PaintContext): void {
  if (!guide) return;
  context.fillStyle = theme.accent;
  if (guide.axis === 'col') context.fillRect(snap(guide.at) - 1, 0, 2, viewport.height);
  else context.fillRect(0, snap(guide.at) - 1, viewport.width, 2);
}

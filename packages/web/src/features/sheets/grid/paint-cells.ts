import { rangeContains, type CellRange } from '../cell-geometry.ts';
import type { Axis } from './axis.ts';
import { cssFont, lineHeightOf, cellPadding } from './font-metrics.ts';
import { paintBorders, type CellRect } from './paint-borders.ts';
import { iconWidth, paintDataBar, paintIcon } from './paint-conditional-format.ts';
import { paintRichText } from './paint-rich-text.ts';
import type { PaintContext, Scene } from './scene.ts';
import { breakLines, measureWidth } from './text-measurement.ts';
import { valueKinds, type CellStyle } from './tile-cache.ts';
import { rgbToCss, luminance, contrastColor, parseRgb } from './grid-theme.ts';

const darkInk = '#22231f';
const lightInk = '#f4f2ec';

export function paintCells(scene: Scene, brush: PaintContext, range: CellRange): void {
  const { model } = scene;
  const merges = model.mergesIn(range);
  const covered = (row: number, col: number): CellRange | undefined =>
    merges.find((one) => rangeContains(one, row, col));
  const xs = edges(brush, model.cols, range.left, range.right, scene.viewport.x(range.left));
  const ys = edges(brush, model.rows, range.top, range.bottom, scene.viewport.y(range.top));
  paintLines(scene, brush, xs, ys);
  const placed: CellRect[] = [];
  for (let r = 0; r < ys.length; r++) {
    const { index: row, start: y, end: bottom } = ys[r]!;
    for (let c = 0; c < xs.length; c++) {
      const { index: col, start: x, end: right } = xs[c]!;
      if (merges.length > 0 && covered(row, col)) continue;
      placed.push({ row, col, x, y, width: right - x, height: bottom - y });
    }
  }
  for (const merge of merges) {
    const rect = scene.viewport.rectOf(merge);
    const x = brush.snap(rect.x);
    const y = brush.snap(rect.y);
    placed.push({
      row: merge.top,
      col: merge.left,
      x,
      y,
      width: brush.snap(rect.x + rect.width) - x,
      height: brush.snap(rect.y + rect.height) - y,
    });
  }
  const { context } = brush;
  for (const cell of placed)
    paintFill(scene, brush, cell, merges.length > 0 && covered(cell.row, cell.col) !== undefined);
  context.textBaseline = 'middle';
  for (const cell of placed) paintText(scene, brush, cell, merges);
  // Paint texts that overflow into the visible area from cells to its left.
  for (const row of ys) paintOverflowFromLeft(scene, brush, row, range.left, xs[0]?.start ?? 0, merges);
  for (const cell of placed) paintBorders(scene, brush, cell, covered(cell.row, cell.col));
}

interface Edge {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

function edges(brush: PaintContext, axis: Axis, first: number, last: number, start: number): Edge[] {
  const found: Edge[] = [];
  let at = start;
  for (const index of axis.shown(first, last)) {
    const size = axis.size(index);
    found.push({ index, start: brush.snap(at), end: brush.snap(at + size) });
    at += size;
  }
  return found;
}

function paintLines({ theme }: Scene, { context }: PaintContext, xs: readonly Edge[], ys: readonly Edge[]): void {
  if (xs.length === 0 || ys.length === 0) return;
  const left = xs[0]!.start;
  const right = xs.at(-1)!.end;
  const top = ys[0]!.start;
  const bottom = ys.at(-1)!.end;
  context.fillStyle = theme.line;
  for (const { end } of xs) context.fillRect(end - 1, top, 1, bottom - top);
  for (const { end } of ys) context.fillRect(left, end - 1, right - left, 1);
}

const unconfirmedMarkSize = 6;

/** Highlights a cell whose edit is queued because the server is unreachable. */
function paintUnconfirmedMark({ theme }: Scene, { context }: PaintContext, { x, y, width, height }: CellRect): void {
  context.fillStyle = theme.warnSoft;
  context.fillRect(x, y, width - 1, height - 1);
  context.fillStyle = theme.warn;
  context.beginPath();
  context.moveTo(x + width - 1 - unconfirmedMarkSize, y);
  context.lineTo(x + width - 1, y);
  context.lineTo(x + width - 1, y + unconfirmedMarkSize);
  context.fill();
}

function paintFill(scene: Scene, brush: PaintContext, cell: CellRect, isMerge: boolean): void {
  const { context } = brush;
  const { row, col, x, y, width, height } = cell;
  if (scene.model.isUnconfirmed(row, col)) return paintUnconfirmedMark(scene, brush, cell);
  const fill = scene.model.tiles.look(row, col).bgColor;
  if (fill !== undefined) {
    context.fillStyle = rgbToCss(parseRgb(fill));
    context.fillRect(x - 1, y - 1, width + 1, height + 1);
  } else if (isMerge) {
    context.fillStyle = scene.theme.paper;
    context.fillRect(x, y, width - 1, height - 1);
    context.fillStyle = scene.theme.line;
    context.fillRect(x, y + height - 1, width, 1);
    context.fillRect(x + width - 1, y, 1, height);
  }
  const conditional = scene.model.tiles.conditional(row, col);
  if (conditional?.bar) paintDataBar(scene, brush, cell, conditional.bar);
  if (conditional?.icon) paintIcon(brush, cell, conditional.icon, scene.theme.isDark);
}

function useFont(brush: PaintContext, font: string): void {
  if (brush.font === font) return;
  brush.font = font;
  brush.context.font = font;
}

function alignOf(look: CellStyle, kind: number): 'left' | 'right' | 'center' {
  if (look.horizontalAlign === 'left' || look.horizontalAlign === 'right' || look.horizontalAlign === 'center')
    return look.horizontalAlign;
  return kind === valueKinds.number
    ? 'right'
    : kind === valueKinds.boolean || kind === valueKinds.error
      ? 'center'
      : 'left';
}

function textColorOf(scene: Scene, look: CellStyle, kind: number, isLink: boolean, isKept: boolean): string {
  const { theme } = scene;
  if (isKept) return theme.ink;
  const ground = look.bgColor ?? theme.paper;
  if (look.fontColor !== undefined) return contrastColor(look.fontColor, ground);
  if (look.bgColor === undefined) return isLink ? theme.link : kind === valueKinds.error ? theme.danger : theme.ink;
  if (!isLink && kind !== valueKinds.error) return luminance(parseRgb(look.bgColor)) > 0.3 ? darkInk : lightInk;
  return contrastColor(isLink ? theme.link : theme.danger, ground);
}

function paintText(scene: Scene, brush: PaintContext, placed: CellRect, merges: readonly CellRange[]): void {
  const { model, theme, editing } = scene;
  const { row, col } = placed;
  const text = model.text(row, col);
  if (text === undefined || text === '' || (editing && editing.row === row && editing.col === col)) return;
  const shown = model.cell(row, col);
  const look = model.tiles.look(row, col);
  const { context } = brush;
  useFont(brush, cssFont(look, theme.family));
  const isLink = shown.link !== undefined;
  context.fillStyle =
    shown.color === undefined
      ? textColorOf(scene, look, shown.kind, isLink, model.isUnconfirmed(row, col))
      : contrastColor(shown.color, look.bgColor ?? theme.paper);
  const conditional = model.tiles.conditional(row, col);
  if (conditional?.hidesValue) return;
  const align = alignOf(look, shown.kind);
  const cell =
    conditional?.icon && align === 'left'
      ? { ...placed, x: placed.x + iconWidth, width: placed.width - iconWidth }
      : placed;
  const room = cell.width - cellPadding * 2;
  if (shown.rich) {
    const reach =
      look.wrapText || text.includes('\n')
        ? cell
        : overflowExtent(scene, cell, measureWidth(context, brush.font, text) + cellPadding * 2, align, merges);
    const lines = look.wrapText ? breakLines(context, brush.font, text, Math.max(8, room)) : text.split('\n');
    if (reach !== cell) eraseLines(scene, brush, reach, cell);
    paintRichText(brush, cell, reach, {
      pieces: shown.rich,
      text,
      lines,
      align,
      look,
      family: theme.family,
      ground: look.bgColor ?? theme.paper,
    });
    return;
  }
  if (look.wrapText || text.includes('\n')) {
    const lines = look.wrapText ? breakLines(context, brush.font, text, Math.max(8, room)) : text.split('\n');
    drawLines(brush, cell, lines, align, look, isLink, true);
    return;
  }
  const width = measureWidth(context, brush.font, text);
  if (width <= room + cellPadding) {
    drawLines(brush, cell, [text], align, look, isLink, false);
    return;
  }
  if (shown.kind === valueKinds.number) {
    const hash = Math.max(1, Math.floor(room / measureWidth(context, brush.font, '#')));
    drawLines(brush, cell, ['#'.repeat(hash)], 'left', look, false, true);
    return;
  }
  const reach = overflowExtent(scene, cell, width + cellPadding * 2, align, merges);
  eraseLines(scene, brush, reach, cell);
  drawLines(brush, cell, [text], align, look, isLink, true, reach);
}

/** Returns the horizontal position and width of a text that overflows into adjacent empty cells. */
function overflowExtent(
  { model }: Scene,
  cell: CellRect,
  need: number,
  align: 'left' | 'right' | 'center',
  merges: readonly CellRange[],
): { x: number; width: number } {
  let { x, width } = cell;
  if (merges.some((one) => rangeContains(one, cell.row, cell.col))) return { x, width };
  const isFree = (col: number): boolean => {
    const text = model.text(cell.row, col);
    return (text === undefined || text === '') && !merges.some((one) => rangeContains(one, cell.row, col));
  };
  const missing = need - cell.width;
  if (align !== 'right') {
    let more = align === 'center' ? missing / 2 : missing;
    for (let col = cell.col + 1; more > 0 && col < model.cols.count && isFree(col); col++) {
      const size = model.cols.size(col);
      width += size;
      more -= size;
    }
  }
  if (align !== 'left') {
    let more = align === 'center' ? missing / 2 : missing;
    for (let col = cell.col - 1; more > 0 && col >= 0 && isFree(col); col--) {
      const size = model.cols.size(col);
      x -= size;
      width += size;
      more -= size;
    }
  }
  return { x, width };
}

function eraseLines(
  scene: Scene,
  { context, snap }: PaintContext,
  reach: { x: number; width: number },
  cell: CellRect,
): void {
  if (reach.width === cell.width) return;
  const before = context.fillStyle;
  context.fillStyle = scene.theme.paper;
  const { model, viewport } = scene;
  const from = reach.x < cell.x ? viewport.colAt(Math.max(viewport.left, reach.x)) : cell.col;
  for (let col = from; ; col++) {
    const edge = snap(viewport.x(col) + model.cols.size(col));
    if (edge >= reach.x + reach.width - 1 || col >= model.cols.count) break;
    if (model.tiles.look(cell.row, col).bgColor === undefined) context.fillRect(edge - 1, cell.y, 1, cell.height - 1);
  }
  context.fillStyle = before;
}

const maxColumnsBack = 8;

function paintOverflowFromLeft(
  scene: Scene,
  brush: PaintContext,
  row: Edge,
  firstCol: number,
  edge: number,
  merges: readonly CellRange[],
): void {
  const { model } = scene;
  if (firstCol === 0) return;
  const there = model.text(row.index, firstCol);
  if (there !== undefined && there !== '') return;
  for (let col = firstCol - 1; col >= Math.max(0, firstCol - maxColumnsBack); col--) {
    const text = model.text(row.index, col);
    if (text === undefined || text === '') continue;
    // Compute the start of the text from the column widths, not from screen positions, so that text of a frozen column
    // continues under the edge of the frozen pane.
    const start = edge - (model.cols.offset(firstCol) - model.cols.offset(col));
    const x = brush.snap(start);
    const shown = model.cell(row.index, col);
    if (shown.kind !== valueKinds.text || shown.look.wrapText || alignOf(shown.look, shown.kind) === 'right') return;
    useFont(brush, cssFont(shown.look, scene.theme.family));
    if (x + measureWidth(brush.context, brush.font, text) + cellPadding > edge)
      paintText(
        scene,
        brush,
        {
          row: row.index,
          col,
          x,
          y: row.start,
          width: brush.snap(start + model.cols.size(col)) - x,
          height: row.end - row.start,
        },
        merges,
      );
    return;
  }
}

function drawLines(
  brush: PaintContext,
  cell: CellRect,
  lines: readonly string[],
  align: 'left' | 'right' | 'center',
  look: CellStyle,
  isLink: boolean,
  clip: boolean,
  reach: { x: number; width: number } = cell,
): void {
  const { context } = brush;
  const lineHeight = lineHeightOf(look);
  const height = lines.length * lineHeight;
  const mustClip = clip || height > cell.height;
  if (mustClip) {
    context.save();
    context.beginPath();
    context.rect(reach.x, cell.y, reach.width - 1, cell.height - 1);
    context.clip();
  }
  const x =
    align === 'left'
      ? cell.x + cellPadding
      : align === 'right'
        ? cell.x + cell.width - cellPadding - 1
        : cell.x + cell.width / 2;
  const top = cell.y + textTop(cell.height - 1, lines.length, lineHeight, look.verticalAlign);
  context.textAlign = align;
  for (let i = 0; i < lines.length; i++) {
    const y = top + lineHeight * (i + 0.5) + 0.5;
    if (y - lineHeight > cell.y + cell.height) break;
    const line = lines[i]!;
    context.fillText(line, x, y);
    if (isLink || look.underline !== undefined || look.strikeThrough)
      decorate(brush, line, x, y, align, look, isLink, lineHeight);
  }
  if (mustClip) context.restore();
}

/**
 * Returns the vertical position of text in a cell with the height `inside`. If the lines are too high for the cell,
 * several lines start at the top, so that the first is visible; a single line is centered, because its letters are
 * smaller than the line height.
 */
export function textTop(inside: number, lines: number, lineHeight: number, align: string | undefined): number {
  const height = lines * lineHeight;
  if (height > inside) return lines > 1 ? 2 : (inside - height) / 2;
  if (align === 'top') return 2;
  return align === 'bottom' ? inside - height - 1 : (inside - height) / 2;
}

function decorate(
  { context, font }: PaintContext,
  line: string,
  x: number,
  y: number,
  align: string,
  look: CellStyle,
  isLink: boolean,
  lineHeight: number,
): void {
  const width = measureWidth(context, font, line);
  const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
  const size = lineHeight / 1.35;
  if (isLink || look.underline !== undefined) context.fillRect(left, Math.round(y + size * 0.46), width, 1);
  if (look.underline?.startsWith('double')) context.fillRect(left, Math.round(y + size * 0.46) + 2, width, 1);
  if (look.strikeThrough) context.fillRect(left, Math.round(y + size * 0.02), width, 1);
}

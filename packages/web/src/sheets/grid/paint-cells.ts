import { inRange, type CellRange } from '../geometry.ts';
import type { Axis } from './axis.ts';
import { fontOf, lineHeightOf, padding } from './fonts.ts';
import { paintBorders, type Placed } from './paint-borders.ts';
import { iconRoom, paintBar, paintIcon } from './paint-conditional.ts';
import { paintRich } from './paint-rich.ts';
import type { Brush, Scene } from './scene.ts';
import { linesOf, widthOf } from './text-measure.ts';
import { kinds, type Look } from './tiles.ts';
import { cssOf, luminance, readableOn, rgbOf } from './theme.ts';

const darkInk = '#22231f';
const lightInk = '#f4f2ec';

/** Paints fills, grid lines, borders and texts of the cells in one pane. */
export function paintCells(scene: Scene, brush: Brush, range: CellRange): void {
  const { model } = scene;
  const merges = model.mergesIn(range);
  const covered = (row: number, col: number): CellRange | undefined => merges.find((one) => inRange(one, row, col));
  const xs = edges(brush, model.cols, range.left, range.right, scene.viewport.x(range.left));
  const ys = edges(brush, model.rows, range.top, range.bottom, scene.viewport.y(range.top));
  paintLines(scene, brush, xs, ys);
  const placed: Placed[] = [];
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
  // Texts of cells to the left of the visible area may overflow into it.
  for (const row of ys) paintReachingIn(scene, brush, row, range.left, xs[0]?.start ?? 0, merges);
  for (const cell of placed) paintBorders(scene, brush, cell, covered(cell.row, cell.col));
}

interface Edge {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

function edges(brush: Brush, axis: Axis, first: number, last: number, start: number): Edge[] {
  const found: Edge[] = [];
  let at = start;
  for (const index of axis.shown(first, last)) {
    const size = axis.size(index);
    found.push({ index, start: brush.snap(at), end: brush.snap(at + size) });
    at += size;
  }
  return found;
}

function paintLines({ theme }: Scene, { context }: Brush, xs: readonly Edge[], ys: readonly Edge[]): void {
  if (xs.length === 0 || ys.length === 0) return;
  const left = xs[0]!.start;
  const right = xs.at(-1)!.end;
  const top = ys[0]!.start;
  const bottom = ys.at(-1)!.end;
  context.fillStyle = theme.line;
  for (const { end } of xs) context.fillRect(end - 1, top, 1, bottom - top);
  for (const { end } of ys) context.fillRect(left, end - 1, right - left, 1);
}

const keptCorner = 6;

/** Marks a cell whose edit waits for an unreachable server. */
function paintKept({ theme }: Scene, { context }: Brush, { x, y, width, height }: Placed): void {
  context.fillStyle = theme.warnSoft;
  context.fillRect(x, y, width - 1, height - 1);
  context.fillStyle = theme.warn;
  context.beginPath();
  context.moveTo(x + width - 1 - keptCorner, y);
  context.lineTo(x + width - 1, y);
  context.lineTo(x + width - 1, y + keptCorner);
  context.fill();
}

function paintFill(scene: Scene, brush: Brush, cell: Placed, isMerge: boolean): void {
  const { context } = brush;
  const { row, col, x, y, width, height } = cell;
  if (scene.model.isKept(row, col)) return paintKept(scene, brush, cell);
  const fill = scene.model.tiles.look(row, col).bgColor;
  if (fill !== undefined) {
    context.fillStyle = cssOf(rgbOf(fill));
    context.fillRect(x - 1, y - 1, width + 1, height + 1);
  } else if (isMerge) {
    context.fillStyle = scene.theme.paper;
    context.fillRect(x, y, width - 1, height - 1);
    context.fillStyle = scene.theme.line;
    context.fillRect(x, y + height - 1, width, 1);
    context.fillRect(x + width - 1, y, 1, height);
  }
  const conditional = scene.model.tiles.conditional(row, col);
  if (conditional?.bar) paintBar(scene, brush, cell, conditional.bar);
  if (conditional?.icon) paintIcon(brush, cell, conditional.icon, scene.theme.isDark);
}

function useFont(brush: Brush, font: string): void {
  if (brush.font === font) return;
  brush.font = font;
  brush.context.font = font;
}

function alignOf(look: Look, kind: number): 'left' | 'right' | 'center' {
  if (look.horizontalAlign === 'left' || look.horizontalAlign === 'right' || look.horizontalAlign === 'center')
    return look.horizontalAlign;
  return kind === kinds.number ? 'right' : kind === kinds.boolean || kind === kinds.error ? 'center' : 'left';
}

function inkOf(scene: Scene, look: Look, kind: number, isLink: boolean, isKept: boolean): string {
  const { theme } = scene;
  if (isKept) return theme.ink;
  const ground = look.bgColor ?? theme.paper;
  if (look.fontColor !== undefined) return readableOn(look.fontColor, ground);
  if (look.bgColor === undefined) return isLink ? theme.link : kind === kinds.error ? theme.danger : theme.ink;
  if (!isLink && kind !== kinds.error) return luminance(rgbOf(look.bgColor)) > 0.3 ? darkInk : lightInk;
  return readableOn(isLink ? theme.link : theme.danger, ground);
}

function paintText(scene: Scene, brush: Brush, placed: Placed, merges: readonly CellRange[]): void {
  const { model, theme, editing } = scene;
  const { row, col } = placed;
  const text = model.text(row, col);
  if (text === undefined || text === '' || (editing && editing.row === row && editing.col === col)) return;
  const shown = model.cell(row, col);
  const look = model.tiles.look(row, col);
  const { context } = brush;
  useFont(brush, fontOf(look, theme.family));
  const isLink = shown.link !== undefined;
  context.fillStyle =
    shown.color === undefined
      ? inkOf(scene, look, shown.kind, isLink, model.isKept(row, col))
      : readableOn(shown.color, look.bgColor ?? theme.paper);
  const conditional = model.tiles.conditional(row, col);
  if (conditional?.hidesValue) return;
  const align = alignOf(look, shown.kind);
  const cell =
    conditional?.icon && align === 'left'
      ? { ...placed, x: placed.x + iconRoom, width: placed.width - iconRoom }
      : placed;
  const room = cell.width - padding * 2;
  if (shown.rich) {
    const reach =
      look.wrapText || text.includes('\n')
        ? cell
        : reachOf(scene, cell, widthOf(context, brush.font, text) + padding * 2, align, merges);
    const lines = look.wrapText ? linesOf(context, brush.font, text, Math.max(8, room)) : text.split('\n');
    if (reach !== cell) eraseLines(scene, brush, reach, cell);
    paintRich(brush, cell, reach, {
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
    const lines = look.wrapText ? linesOf(context, brush.font, text, Math.max(8, room)) : text.split('\n');
    drawLines(brush, cell, lines, align, look, isLink, true);
    return;
  }
  const width = widthOf(context, brush.font, text);
  if (width <= room + padding) {
    drawLines(brush, cell, [text], align, look, isLink, false);
    return;
  }
  if (shown.kind === kinds.number) {
    const hash = Math.max(1, Math.floor(room / widthOf(context, brush.font, '#')));
    drawLines(brush, cell, ['#'.repeat(hash)], 'left', look, false, true);
    return;
  }
  const reach = reachOf(scene, cell, width + padding * 2, align, merges);
  eraseLines(scene, brush, reach, cell);
  drawLines(brush, cell, [text], align, look, isLink, true, reach);
}

/** Returns how far a text may overflow into empty cells. */
function reachOf(
  { model }: Scene,
  cell: Placed,
  need: number,
  align: 'left' | 'right' | 'center',
  merges: readonly CellRange[],
): { x: number; width: number } {
  let { x, width } = cell;
  if (merges.some((one) => inRange(one, cell.row, cell.col))) return { x, width };
  const isFree = (col: number): boolean => {
    const text = model.text(cell.row, col);
    return (text === undefined || text === '') && !merges.some((one) => inRange(one, cell.row, col));
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

/** Erases the grid lines under an overflowing text. */
function eraseLines(scene: Scene, { context, snap }: Brush, reach: { x: number; width: number }, cell: Placed): void {
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

const looksBack = 8;

function paintReachingIn(
  scene: Scene,
  brush: Brush,
  row: Edge,
  firstCol: number,
  edge: number,
  merges: readonly CellRange[],
): void {
  const { model } = scene;
  if (firstCol === 0) return;
  const there = model.text(row.index, firstCol);
  if (there !== undefined && there !== '') return;
  for (let col = firstCol - 1; col >= Math.max(0, firstCol - looksBack); col--) {
    const text = model.text(row.index, col);
    if (text === undefined || text === '') continue;
    // The position without frozen columns: text of a frozen column continues under the edge of the pane.
    const start = edge - (model.cols.offset(firstCol) - model.cols.offset(col));
    const x = brush.snap(start);
    const shown = model.cell(row.index, col);
    if (shown.kind !== kinds.text || shown.look.wrapText || alignOf(shown.look, shown.kind) === 'right') return;
    useFont(brush, fontOf(shown.look, scene.theme.family));
    if (x + widthOf(brush.context, brush.font, text) + padding > edge)
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
  brush: Brush,
  cell: Placed,
  lines: readonly string[],
  align: 'left' | 'right' | 'center',
  look: Look,
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
      ? cell.x + padding
      : align === 'right'
        ? cell.x + cell.width - padding - 1
        : cell.x + cell.width / 2;
  const inside = cell.height - 1;
  // Text higher than the cell is aligned to the top.
  const top =
    height > inside || look.verticalAlign === 'top'
      ? cell.y + 2
      : look.verticalAlign === 'bottom'
        ? cell.y + inside - height - 1
        : cell.y + (inside - height) / 2;
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

function decorate(
  { context, font }: Brush,
  line: string,
  x: number,
  y: number,
  align: string,
  look: Look,
  isLink: boolean,
  lineHeight: number,
): void {
  const width = widthOf(context, font, line);
  const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
  const size = lineHeight / 1.35;
  if (isLink || look.underline !== undefined) context.fillRect(left, Math.round(y + size * 0.46), width, 1);
  if (look.underline?.startsWith('double')) context.fillRect(left, Math.round(y + size * 0.46) + 2, width, 1);
  if (look.strikeThrough) context.fillRect(left, Math.round(y + size * 0.02), width, 1);
}

import type { PixelRect } from '../cell-geometry.ts';
import { cssFont, lineHeightOf, cellPadding, fontPixels } from './font-metrics.ts';
import type { PaintContext } from './scene.ts';
import type { CellStyle, TextRun } from './tile-cache.ts';
import { contrastColor } from './grid-theme.ts';

interface RichText {
  readonly pieces: readonly TextRun[];
  readonly text: string;
  /** The wrapped lines, as consecutive substrings of the text. */
  readonly lines: readonly string[];
  readonly align: 'left' | 'right' | 'center';
  readonly look: CellStyle;
  readonly family: string;
  readonly ground: string;
}

interface Run {
  readonly text: string;
  readonly look: CellStyle;
  readonly width: number;
}

/** Paints text with several styles. Runs without a color use the context's fill color. */
export function paintRichText(
  brush: PaintContext,
  cell: PixelRect,
  reach: { readonly x: number; readonly width: number },
  { pieces, text, lines, align, look, family, ground }: RichText,
): void {
  const { context } = brush;
  const ink = context.fillStyle;
  const looks = pieces.map((piece): CellStyle => ({ ...look, ...piece.style }));
  const lineHeight = Math.max(...looks.map(lineHeightOf));
  const height = lines.length * lineHeight;
  const inside = cell.height - 1;
  const top =
    height > inside || look.verticalAlign === 'top'
      ? cell.y + 2
      : look.verticalAlign === 'bottom'
        ? cell.y + inside - height - 1
        : cell.y + (inside - height) / 2;
  context.save();
  context.beginPath();
  context.rect(reach.x, cell.y, reach.width - 1, cell.height - 1);
  context.clip();
  context.textAlign = 'left';
  let from = 0;
  lines.forEach((line, index) => {
    from = Math.max(from, text.indexOf(line, from));
    const runs = runsOf(brush, pieces, looks, from, from + line.length, family);
    from += line.length;
    const width = runs.reduce((sum, run) => sum + run.width, 0);
    let x =
      align === 'left'
        ? cell.x + cellPadding
        : align === 'right'
          ? cell.x + cell.width - cellPadding - 1 - width
          : cell.x + (cell.width - width) / 2;
    const y = top + lineHeight * (index + 0.5) + 0.5;
    for (const run of runs) {
      context.font = cssFont(run.look, family);
      context.fillStyle =
        run.look.fontColor !== undefined && run.look.fontColor !== look.fontColor
          ? contrastColor(run.look.fontColor, ground)
          : ink;
      context.fillText(run.text, x, y);
      const size = fontPixels(run.look);
      if (run.look.underline !== undefined) context.fillRect(x, Math.round(y + size * 0.46), run.width, 1);
      if (run.look.strikeThrough) context.fillRect(x, Math.round(y + size * 0.02), run.width, 1);
      x += run.width;
    }
  });
  context.restore();
  // Clear the stored font name, because restoring the context's state has also restored its earlier font.
  brush.font = '';
}

/**
 * Returns the text runs between two character offsets with their styles and widths. A run that extends beyond an
 * offset is cut there.
 */
function runsOf(
  { context }: PaintContext,
  pieces: readonly TextRun[],
  looks: readonly CellStyle[],
  from: number,
  to: number,
  family: string,
): Run[] {
  const runs: Run[] = [];
  let at = 0;
  pieces.forEach((piece, index) => {
    const part = piece.text.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += piece.text.length;
    if (part === '') return;
    const look = looks[index]!;
    context.font = cssFont(look, family);
    runs.push({ text: part, look, width: context.measureText(part).width });
  });
  return runs;
}

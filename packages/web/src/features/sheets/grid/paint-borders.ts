import type { CellRange, PixelRect } from '../cell-geometry.ts';
import type { PaintContext, Scene } from './scene.ts';
import { contrastColor } from './grid-theme.ts';

/** A cell with its rectangle on the canvas. For merged cells, `row` and `col` are those of the top left cell. */
export interface CellRect extends PixelRect {
  readonly row: number;
  readonly col: number;
}

const thicknesses: Readonly<Record<string, number>> = {
  thin: 1,
  hair: 1,
  dashed: 1,
  dotted: 1,
  medium: 2,
  thick: 3,
  double: 3,
};
const dashes: Readonly<Record<string, readonly number[]>> = { dashed: [4, 3], dotted: [1, 2], hair: [1, 1] };

export function paintBorders(scene: Scene, brush: PaintContext, cell: CellRect, merge: CellRange | undefined): void {
  const { tiles } = scene.model;
  const first = tiles.look(cell.row, cell.col);
  const last = merge ? tiles.look(merge.bottom, merge.right) : first;
  const right = cell.x + cell.width - 1;
  const bottom = cell.y + cell.height - 1;
  // On a filled cell a border has its exact color, because white borders often separate filled cells. On other cells
  // the color is adjusted to contrast with the background.
  const colorOf = (color: string): string =>
    first.bgColor === undefined ? contrastColor(color, scene.theme.paper) : `#${color}`;
  if (first.borderTop !== undefined)
    strokeLine(brush, first.borderTop, colorOf, cell.x - 1, cell.y - 1, right, cell.y - 1);
  if (first.borderLeft !== undefined)
    strokeLine(brush, first.borderLeft, colorOf, cell.x - 1, cell.y - 1, cell.x - 1, bottom);
  if (last.borderBottom !== undefined) strokeLine(brush, last.borderBottom, colorOf, cell.x - 1, bottom, right, bottom);
  if (last.borderRight !== undefined) strokeLine(brush, last.borderRight, colorOf, right, cell.y - 1, right, bottom);
}

function strokeLine(
  { context }: PaintContext,
  line: string,
  colorOf: (color: string) => string,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  const [style = 'thin', color = '000000'] = line.split(':');
  context.save();
  context.strokeStyle = colorOf(color);
  const thickness = thicknesses[style] ?? 1;
  const offset = thickness === 2 ? 0 : 0.5;
  const draw = (shift: number): void => {
    context.beginPath();
    const across = x0 === x1;
    context.moveTo(x0 + offset + (across ? shift : 0), y0 + offset + (across ? 0 : shift));
    context.lineTo(x1 + offset + (across ? shift : 1 - offset), y1 + offset + (across ? 1 - offset : shift));
    context.stroke();
  };
  context.setLineDash([...(dashes[style] ?? [])]);
  if (style === 'double') {
    context.lineWidth = 1;
    draw(-1);
    draw(1);
  } else {
    context.lineWidth = thickness;
    draw(0);
  }
  context.restore();
}

import type { CellRect } from './paint-borders.ts';
import type { PaintContext, Scene } from './scene.ts';
import { withAlpha } from './grid-theme.ts';
import type { ConditionalDecoration } from './tile-cache.ts';

/** Width in pixels reserved for an icon at the left of the cell. */
export const iconWidth = 18;
const size = 12;
const circlePath = 'M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z';

const colors = {
  bad: { light: '#d64545', dark: '#f07c7c' },
  poor: { light: '#e08a2e', dark: '#f0ab62' },
  fair: { light: '#d9b02c', dark: '#ecd06a' },
  good: { light: '#3f9c5a', dark: '#74cb8c' },
  gray: { light: '#77786f', dark: '#b4b5ab' },
  black: { light: '#2c2d29', dark: '#e8e6df' },
} as const;

type Hue = keyof typeof colors;

/** Colors of a conditional format's icons by number of icons in the set, from the lowest to the highest rank. */
const hues: Readonly<Record<number, readonly Hue[]>> = {
  3: ['bad', 'fair', 'good'],
  4: ['bad', 'poor', 'fair', 'good'],
  5: ['bad', 'poor', 'fair', 'good', 'good'],
};

/**
 * Paints the data bar of a conditional format from the cell's left edge. The caller must paint the cell's text
 * afterwards.
 */
export function paintDataBar(
  scene: Scene,
  { context, snap }: PaintContext,
  cell: CellRect,
  bar: ConditionalDecoration['bar'] & object,
): void {
  const share = Math.max(0, Math.min(1, bar.share));
  const width = snap((cell.width - 5) * share);
  if (width <= 0) return;
  context.fillStyle = withAlpha(bar.color, scene.theme.isDark ? 0.55 : 0.5);
  context.beginPath();
  context.roundRect(cell.x + 2, cell.y + 3, width, Math.max(2, cell.height - 7), 2);
  context.fill();
}

/**
 * Paints the icon of a conditional format. Icons differ in both shape and color, so that color-blind users can
 * distinguish them.
 */
export function paintIcon(
  { context }: PaintContext,
  cell: CellRect,
  icon: ConditionalDecoration['icon'] & object,
  isDark: boolean,
): void {
  const count = Number(icon.set[0]) || 3;
  const index = Math.max(0, Math.min(count - 1, icon.index));
  const isGray = /Gray/.test(icon.set);
  const hue = isGray ? 'gray' : /RedToBlack/.test(icon.set) && index === 0 ? 'black' : hues[count]![index]!;
  const color = colors[hue][isDark ? 'dark' : 'light'];
  const x = cell.x + 4 + size / 2;
  const y = cell.y + (cell.height - 1) / 2;
  context.save();
  context.translate(x, y);
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.lineCap = 'round';
  const [, draw = filled(circlePath)] = shapes.find(([set]) => set.test(icon.set)) ?? [];
  draw(context, index, count);
  context.restore();
}

type Shape = (context: CanvasRenderingContext2D, index: number, count: number) => void;

/**
 * Drawing functions of the icon sets of conditional formats. The first pattern that matches the set's name is used. The
 * origin of the drawing is the icon's center.
 */
const shapes: readonly (readonly [set: RegExp, draw: Shape])[] = [
  [/Arrows/, drawArrow],
  [/Flags/, filled('M-5-6h1.6v12h-1.6zM-3-6L6-2.5L-3 1z')],
  [/Rating/, drawBars],
  [/Quarters/, drawPie],
  [/Symbols/, stroked('M-4-4L4 4M4-4L-4 4', 'M0-5V1M0 4.5V5', 'M-5 0L-1.5 4L5-4')],
  [/Signs/, filled('M0-6L6 0L0 6L-6 0z', 'M0-5.5L6 5H-6z', circlePath)],
];

const toPath = (data: string): Path2D => new Path2D(data);

function filled(...paths: readonly string[]): Shape {
  return (context, index) => context.fill(toPath(paths[index] ?? paths[0]!));
}

function stroked(...paths: readonly string[]): Shape {
  return (context, index) => context.stroke(toPath(paths[index]!));
}

/**
 * Draws an arrow that points down for the lowest rank (`index` 0) and up for the highest. Ranks in between point right
 * or diagonally.
 */
function drawArrow(context: CanvasRenderingContext2D, index: number, count: number): void {
  context.rotate(Math.PI / 2 - (Math.PI * index) / (count - 1));
  context.stroke(toPath('M-5 0H5M1-4L5 0L1 4'));
}

function drawBars(context: CanvasRenderingContext2D, index: number, count: number): void {
  const width = size / count;
  for (let i = 0; i < count; i++) {
    context.globalAlpha = i <= index ? 1 : 0.25;
    const height = (size * (i + 1)) / count;
    context.fillRect(-size / 2 + i * width, size / 2 - height, width - 1, height);
  }
}

function drawPie(context: CanvasRenderingContext2D, index: number, count: number): void {
  context.beginPath();
  context.arc(0, 0, size / 2 - 1, 0, Math.PI * 2);
  context.lineWidth = 1;
  context.stroke();
  context.beginPath();
  context.moveTo(0, 0);
  context.arc(0, 0, size / 2 - 1, -Math.PI / 2, -Math.PI / 2 + (Math.PI * 2 * index) / (count - 1));
  context.fill();
}

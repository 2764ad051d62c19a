import type { CellRect } from './paint-borders.ts';
import type { Brush, Scene } from './scene.ts';
import { withAlpha } from './grid-theme.ts';
import type { ConditionalDecoration } from './tile-cache.ts';

/** Width reserved for an icon at the left of the cell. */
export const iconWidth = 18;
const size = 12;

const colors = {
  bad: { light: '#d64545', dark: '#f07c7c' },
  poor: { light: '#e08a2e', dark: '#f0ab62' },
  fair: { light: '#d9b02c', dark: '#ecd06a' },
  good: { light: '#3f9c5a', dark: '#74cb8c' },
  gray: { light: '#77786f', dark: '#b4b5ab' },
  black: { light: '#2c2d29', dark: '#e8e6df' },
} as const;

type Hue = keyof typeof colors;

/** Colors from lowest to highest, for sets of three, four and five icons. */
const hues: Readonly<Record<number, readonly Hue[]>> = {
  3: ['bad', 'fair', 'good'],
  4: ['bad', 'poor', 'fair', 'good'],
  5: ['bad', 'poor', 'fair', 'good', 'good'],
};

/** Paints a data bar from the cell's left edge, under its text. */
export function paintDataBar(
  scene: Scene,
  { context, snap }: Brush,
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

/** The icons differ in shape as well as in color, for color-blind users. */
export function paintIcon(
  { context }: Brush,
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
  shapeOf(icon.set)(context, index, count);
  context.restore();
}

type Shape = (context: CanvasRenderingContext2D, index: number, count: number) => void;

function shapeOf(set: string): Shape {
  if (/Arrows/.test(set)) return arrow;
  if (/Flags/.test(set)) return flag;
  if (/Rating/.test(set)) return bars;
  if (/Quarters/.test(set)) return pie;
  if (/Symbols/.test(set)) return symbol;
  if (/Signs/.test(set)) return sign;
  return circle;
}

const circle: Shape = (context) => {
  context.beginPath();
  context.arc(0, 0, size / 2 - 0.5, 0, Math.PI * 2);
  context.fill();
};

/** Arrows from down over level to up; intermediate ones are slanted. */
const arrow: Shape = (context, index, count) => {
  context.rotate(Math.PI / 2 - (Math.PI * index) / (count - 1));
  context.beginPath();
  context.moveTo(-size / 2 + 1, 0);
  context.lineTo(size / 2 - 1, 0);
  context.moveTo(1, -4);
  context.lineTo(size / 2 - 1, 0);
  context.lineTo(1, 4);
  context.stroke();
};

const flag: Shape = (context) => {
  context.fillRect(-5, -6, 1.6, 12);
  context.beginPath();
  context.moveTo(-3, -6);
  context.lineTo(6, -2.5);
  context.lineTo(-3, 1);
  context.fill();
};

const bars: Shape = (context, index, count) => {
  const width = size / count;
  for (let i = 0; i < count; i++) {
    context.globalAlpha = i <= index ? 1 : 0.25;
    const height = (size * (i + 1)) / count;
    context.fillRect(-size / 2 + i * width, size / 2 - height, width - 1, height);
  }
};

const pie: Shape = (context, index, count) => {
  context.beginPath();
  context.arc(0, 0, size / 2 - 1, 0, Math.PI * 2);
  context.lineWidth = 1;
  context.stroke();
  context.beginPath();
  context.moveTo(0, 0);
  context.arc(0, 0, size / 2 - 1, -Math.PI / 2, -Math.PI / 2 + (Math.PI * 2 * index) / (count - 1));
  context.fill();
};

const symbol: Shape = (context, index) => {
  context.beginPath();
  if (index === 0) {
    context.moveTo(-4, -4);
    context.lineTo(4, 4);
    context.moveTo(4, -4);
    context.lineTo(-4, 4);
  } else if (index === 1) {
    context.moveTo(0, -5);
    context.lineTo(0, 1);
    context.moveTo(0, 4.5);
    context.lineTo(0, 5);
  } else {
    context.moveTo(-5, 0);
    context.lineTo(-1.5, 4);
    context.lineTo(5, -4);
  }
  context.stroke();
};

const sign: Shape = (context, index) => {
  if (index === 2) return circle(context, index, 3);
  context.beginPath();
  if (index === 1) {
    context.moveTo(0, -5.5);
    context.lineTo(6, 5);
    context.lineTo(-6, 5);
  } else {
    context.moveTo(0, -6);
    context.lineTo(6, 0);
    context.lineTo(0, 6);
    context.lineTo(-6, 0);
  }
  context.fill();
};

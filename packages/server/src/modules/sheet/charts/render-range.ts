import { headingHeight, headingWidth, type DrawnCell, type RangeDrawing } from './range-drawing.ts';

/** Draws a range of cells as SVG, with the headings of its rows and columns. */
export function renderRangeSvg({ width, height, columns, rows, cells }: RangeDrawing): string {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${fonts}">`,
    `<rect width="${width}" height="${height}" fill="#FFFFFF"/>`,
    `<rect width="${width}" height="${headingHeight}" fill="#F3F2EE"/>`,
    `<rect width="${headingWidth}" height="${height}" fill="#F3F2EE"/>`,
  ];
  for (const { x, width: size, name } of columns)
    parts.push(line(x, 0, x, height), label(x + size / 2, headingHeight / 2, name));
  for (const { y, height: size, name } of rows)
    parts.push(line(0, y, width, y), label(headingWidth / 2, y + size / 2, name));
  parts.push(line(width - 0.5, 0, width - 0.5, height), line(0, height - 0.5, width, height - 0.5));
  for (const cell of cells) parts.push(fillOf(cell));
  for (const cell of cells) parts.push(textOf(cell));
  for (const cell of cells) parts.push(bordersOf(cell));
  parts.push('</svg>');
  return parts.join('');
}

const fonts = "'DejaVu Sans', 'Noto Sans CJK SC', 'WenQuanYi Zen Hei', sans-serif";
const pixelsPerPoint = 4 / 3;
const defaultPoints = 10;
const padding = 4;
const lineHeight = 1.25;

function line(x1: number, y1: number, x2: number, y2: number, color = 'DDD9CF', width = 1, dashes = ''): string {
  return `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#${color}" stroke-width="${width}"${dashes} fill="none"/>`;
}

function label(x: number, y: number, text: string): string {
  return `<text x="${x}" y="${y + 4}" font-size="11" text-anchor="middle" fill="#6B6B63">${escape(text)}</text>`;
}

function fillOf({ x, y, width, height, style, bar }: DrawnCell): string {
  const color = style['bgColor'];
  // Cells without a background color get no rectangle, so that the grid lines stay visible.
  const fill = typeof color === 'string' ? box(x, y, width, height, color) : '';
  return bar
    ? fill + box(x + 1, y + 1, Math.max(0, (width - 2) * Math.min(1, bar.share)), height - 2, bar.color)
    : fill;
}

function box(x: number, y: number, width: number, height: number, color: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#${hex(color)}"/>`;
}

/** Returns the SVG elements that draw a cell's text, clipped to the cell; empty if the cell has no text. */
function textOf({ x, y, width, height, text, isNumber, style }: DrawnCell): string {
  if (text === '') return '';
  const size = (Number(style['fontSize']) || defaultPoints) * pixelsPerPoint;
  const lines = style['wrapText'] === true ? wrap(text, (width - 2 * padding) / size) : text.split('\n', 1);
  const align = style['horizontalAlign'] ?? (isNumber ? 'right' : 'left');
  const [anchor, from] =
    align === 'right'
      ? ['end', width - padding]
      : align === 'center'
        ? ['middle', width / 2]
        : ['start', padding + (Number(style['indent']) || 0) * size];
  const block = lines.length * size * lineHeight;
  const top =
    style['verticalAlign'] === 'top'
      ? padding / 2
      : style['verticalAlign'] === 'bottom'
        ? height - block
        : (height - block) / 2;
  const marks = [
    ...(style['bold'] === true ? ['font-weight="bold"'] : []),
    ...(style['italic'] === true ? ['font-style="italic"'] : []),
    ...decorationOf(style),
  ].join(' ');
  const color = typeof style['fontColor'] === 'string' ? hex(style['fontColor']) : '22231F';
  const drawn = lines.map(
    (one, i) => `<tspan x="${from}" y="${top + size * (0.95 + i * lineHeight)}">${escape(one)}</tspan>`,
  );
  return (
    `<svg x="${x}" y="${y}" width="${width}" height="${height}" overflow="hidden">` +
    `<text font-size="${size}" text-anchor="${anchor}" fill="#${color}" ${marks}>${drawn.join('')}</text></svg>`
  );
}

function decorationOf(style: DrawnCell['style']): string[] {
  const lines = [
    ...(style['underline'] ? ['underline'] : []),
    ...(style['strikeThrough'] === true ? ['line-through'] : []),
  ];
  return lines.length > 0 ? [`text-decoration="${lines.join(' ')}"`] : [];
}

/**
 * Breaks a text at spaces and between Han characters. The width is estimated as about half an em per letter and one em
 * per Han character.
 */
function wrap(text: string, ems: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let current = '';
    let used = 0;
    for (const word of paragraph.match(/\p{Script=Han}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? ['']) {
      const size = /\p{Script=Han}/u.test(word) ? 1 : word.length * 0.56;
      if (used > 0 && used + size > ems) {
        lines.push(current.trimEnd());
        [current, used] = ['', 0];
      }
      current += word;
      used += size;
    }
    lines.push(current.trimEnd());
  }
  return lines;
}

const widths: Readonly<Record<string, number>> = { medium: 2, thick: 3, double: 3 };

function bordersOf({ x, y, width, height, style }: DrawnCell): string {
  const sides: [unknown, number, number, number, number][] = [
    [style['borderTop'], x, y, x + width, y],
    [style['borderBottom'], x, y + height, x + width, y + height],
    [style['borderLeft'], x, y, x, y + height],
    [style['borderRight'], x + width, y, x + width, y + height],
  ];
  return sides
    .map(([side, x1, y1, x2, y2]) => {
      if (typeof side !== 'string') return '';
      const [kind = 'thin', color = '000000'] = side.split(':');
      const dashes = kind.includes('dash')
        ? ' stroke-dasharray="4 3"'
        : kind === 'dotted'
          ? ' stroke-dasharray="1 2"'
          : '';
      return line(x1, y1, x2, y2, hex(color), widths[kind] ?? 1, dashes);
    })
    .join('');
}

/** Returns the last six digits (RRGGBB) of a color with or without alpha value. Invalid colors become black. */
function hex(color: string): string {
  const found = color.slice(-6);
  return /^[0-9A-Fa-f]{6}$/.test(found) ? found : '000000';
}

function escape(text: string): string {
  // Remove characters that XML does not allow.
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

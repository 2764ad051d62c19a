import { columnName, rectName, type Rect } from '@sheaf/engine';
import type { SheetDocument, Style, SubSheet } from '@sheaf/engine/internal/document';
import { joinDown, mergeColumnRuns, type ColumnRun } from './column-runs.ts';

const borderSides = ['borderTop', 'borderBottom', 'borderLeft', 'borderRight'] as const;

/** Returns the styles of a range in words, by the address of the cells. Cells without a style are left out. */
export function readStyles(document: SheetDocument, sub: SubSheet, rect: Rect): Record<string, string> {
  const words = new Map<number, string>();
  const runs: ColumnRun<string>[] = [];
  for (const [col, start, end, id] of sub.styles.list(rect)) {
    let what = words.get(id);
    if (what === undefined) words.set(id, (what = describeStyle(document.styles.shown(id))));
    if (what !== '') runs.push({ col, top: Math.max(start, rect.top), bottom: Math.min(end, rect.bottom), what });
  }
  return Object.fromEntries(mergeColumnRuns(joinDown(runs)).map(({ rect: cells, what }) => [rectName(cells), what]));
}

/** Returns a style in words, such as: bold, size 12, fill FFEEDD, center, borders thin 000000. */
function describeStyle(style: Style): string {
  const {
    bold,
    italic,
    underline,
    strikeThrough,
    wrapText,
    fontFamily,
    fontSize,
    fontColor,
    bgColor,
    horizontalAlign,
    verticalAlign,
  } = style;
  return [
    bold && 'bold',
    italic && 'italic',
    underline && (underline === 'single' ? 'underline' : `underline ${underline}`),
    strikeThrough && 'strike',
    fontFamily && `font ${fontFamily}`,
    fontSize && `size ${fontSize}`,
    fontColor && `color ${shortColor(fontColor)}`,
    bgColor && `fill ${shortColor(bgColor)}`,
    horizontalAlign && horizontalAlign !== 'general' && horizontalAlign,
    verticalAlign && verticalAlign !== 'bottom' && (verticalAlign === 'center' ? 'middle' : verticalAlign),
    wrapText && 'wrap',
    describeBorders(style),
  ]
    .filter(Boolean)
    .join(', ');
}

function describeBorders(style: Style): string {
  const lines = borderSides.flatMap((side) => {
    const line = style[side]?.replace(':', ' ');
    return line === undefined ? [] : [[side.slice('border'.length).toLowerCase(), line] as const];
  });
  const [first] = lines;
  if (!first) return '';
  if (lines.length === borderSides.length && lines.every(([, line]) => line === first[1])) return `borders ${first[1]}`;
  return lines.map(([side, line]) => `border ${side} ${line}`).join(', ');
}

function shortColor(argb: string): string {
  return argb.length === 8 && argb.startsWith('FF') ? argb.slice(2) : argb;
}

/**
 * Returns the column widths (in pixels) and row heights (in points) that differ from the default, by ranges such as
 * `A:C` or `2:5`.
 */
export function readSizes(sub: SubSheet, { top, left, bottom, right }: Rect): Record<string, number> {
  const cols = sub.colSizes
    .list(left, right)
    .map(([start, end, size]) => [`${columnName(Math.max(start, left))}:${columnName(Math.min(end, right))}`, size]);
  const rows = sub.rowSizes
    .list(top, bottom)
    .map(([start, end, size]) => [`${Math.max(start, top) + 1}:${Math.min(end, bottom) + 1}`, size]);
  return Object.fromEntries([...cols, ...rows]) as Record<string, number>;
}

/**
 * Keeps the first entries of `record` whose total length is at most `characters`. Also returns the number of entries
 * left out (`left`).
 */
export function cutRecord<Value extends string | number>(
  record: Readonly<Record<string, Value>>,
  characters: number,
): { record: Record<string, Value>; left: number } {
  const entries = Object.entries(record);
  let spent = 0;
  const kept = entries.filter(([key, value]) => (spent += key.length + String(value).length + 6) <= characters);
  return { record: Object.fromEntries(kept), left: entries.length - kept.length };
}

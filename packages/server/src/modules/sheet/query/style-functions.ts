import { charge } from '@sheaf/engine';
import type { SheetDocument, Style, SubSheet } from '@sheaf/engine/internal/document';
import type { QueryValue } from './query-value.ts';

/** Returns an opaque color as RRGGBB and any other color as AARRGGBB; null if no color is set. */
function colorOf(color: string | undefined): QueryValue {
  if (color === undefined) return null;
  return color.length === 8 && color.startsWith('FF') ? color.slice(2) : color;
}

type StyleReader = (style: Style, document: SheetDocument, sub: SubSheet, row: number, col: number) => QueryValue;

/** Query functions that return a property of a cell (style, number format, formula or link) instead of its value. */
const readers: Readonly<Record<string, StyleReader>> = {
  bold: ({ bold }) => bold === true,
  italic: ({ italic }) => italic === true,
  underline: ({ underline }) => underline !== undefined,
  strike: ({ strikeThrough }) => strikeThrough === true,
  fill: ({ bgColor }) => colorOf(bgColor),
  font_color: ({ fontColor }) => colorOf(fontColor),
  font_size: ({ fontSize }) => fontSize ?? null,
  align: ({ horizontalAlign }) => horizontalAlign ?? null,
  number_format: (_, document, sub, row, col) => document.numberFormat(sub, row, col),
  formula: (_, document, sub, row, col) => document.formula(sub, row, col) ?? null,
  link: (_, __, sub, row, col) => sub.links.get(row, col)?.url ?? null,
};

export const styleFunctions: ReadonlySet<string> = new Set(Object.keys(readers));

/** Returns the value of a style function for one cell. */
export function readStyle(name: string, document: SheetDocument, sub: SubSheet, row: number, col: number): QueryValue {
  charge(4);
  return readers[name]!(document.style(sub, row, col), document, sub, row, col);
}

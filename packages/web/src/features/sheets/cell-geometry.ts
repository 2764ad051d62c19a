import { maxCols, maxRows } from '@sheaf/engine/grid-size';

/** Zero-based coordinates of a cell. The ends of a `CellRange` are inclusive. */
export interface Cell {
  readonly row: number;
  readonly col: number;
}

export interface CellRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface PixelRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function singleCellRange(row: number, col: number): CellRange {
  return { top: row, left: col, bottom: row, right: col };
}

export function isSingleCell(range: CellRange): boolean {
  return range.top === range.bottom && range.left === range.right;
}

export function rangeBetween(a: Cell, b: Cell): CellRange {
  return {
    top: Math.min(a.row, b.row),
    left: Math.min(a.col, b.col),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.col, b.col),
  };
}

export function rangeContains(range: CellRange, row: number, col: number): boolean {
  return row >= range.top && row <= range.bottom && col >= range.left && col <= range.right;
}

export function rangesIntersect(a: CellRange, b: CellRange): boolean {
  return a.top <= b.bottom && a.bottom >= b.top && a.left <= b.right && a.right >= b.left;
}

export function rangesEqual(a: CellRange, b: CellRange): boolean {
  return a.top === b.top && a.left === b.left && a.bottom === b.bottom && a.right === b.right;
}

export function unionRange(a: CellRange, b: CellRange): CellRange {
  return {
    top: Math.min(a.top, b.top),
    left: Math.min(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.max(a.right, b.right),
  };
}

/** Converts a range into the parameters with which the server's sheet operations specify a region of cells. */
export function regionFields(range: CellRange): {
  start_row: number;
  start_col: number;
  end_row: number;
  end_col: number;
} {
  return { start_row: range.top, start_col: range.left, end_row: range.bottom, end_col: range.right };
}

export function rangeOfRegion(region: ReturnType<typeof regionFields>): CellRange {
  return { top: region.start_row, left: region.start_col, bottom: region.end_row, right: region.end_col };
}

export function columnName(col: number): string {
  let name = '';
  for (let rest = col + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** Converts column letters such as `AB` to a zero-based index. */
export function parseColumn(name: string): number {
  return [...name.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

export function cellName(row: number, col: number): string {
  return `${columnName(col)}${row + 1}`;
}

export function rangeName(range: CellRange): string {
  const first = cellName(range.top, range.left);
  return isSingleCell(range) ? first : `${first}:${cellName(range.bottom, range.right)}`;
}

const reference = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i;

function cellNamed(text: string): Cell | undefined {
  const found = reference.exec(text.trim());
  if (!found) return undefined;
  const col = parseColumn(found[1]!);
  const row = Number(found[2]);
  return row >= 1 && row <= maxRows && col < maxCols ? { row: row - 1, col } : undefined;
}

/** Splits a reference such as `'My sheet'!$A$1:B2` into the optional sheet name and the rest without dollar signs. */
export function parseReference(written: string): { sheet: string | undefined; name: string } {
  const [, sheet, name = ''] = /^(?:('(?:[^']|'')+'|[^'!]+)!)?([^!]+)$/.exec(written.trim()) ?? [];
  return { sheet: sheet?.replace(/^'|'$/g, '').replaceAll("''", "'"), name: name.replaceAll('$', '') };
}

/**
 * Parses a range of the form `<sheet_id>$A1:B2`, which the server's answers use. Returns undefined for anything else.
 */
export function parseSheetRange(text: string): { sheetId: string; range: CellRange } | undefined {
  const at = text.indexOf('$');
  const range = at < 0 ? undefined : parseRange(text.slice(at + 1));
  return range && { sheetId: text.slice(0, at), range };
}

/**
 * Parses `B3`, `B3:D9`, whole columns such as `B:D`, or whole rows such as `3:9`. `rows` and `cols` are the size of the
 * sheet, to which whole columns and rows extend. Returns undefined for anything else.
 */
export function parseRange(text: string, rows = maxRows, cols = maxCols): CellRange | undefined {
  const [from = '', to = from, more] = text.split(':').map((part) => part.trim());
  if (more !== undefined || from === '') return undefined;
  const a = cellNamed(from);
  const b = cellNamed(to);
  if (a && b) return rangeBetween(a, b);
  if (!text.includes(':')) return undefined;
  if (/^\$?\d{1,7}$/.test(from) && /^\$?\d{1,7}$/.test(to)) {
    const whole = rangeBetween(
      { row: Number(from.replace('$', '')) - 1, col: 0 },
      { row: Number(to.replace('$', '')) - 1, col: cols - 1 },
    );
    return whole.top >= 0 && whole.bottom < maxRows ? whole : undefined;
  }
  const first = cellNamed(`${from}1`);
  const last = cellNamed(`${to}1`);
  return first && last ? rangeBetween({ row: 0, col: first.col }, { row: rows - 1, col: last.col }) : undefined;
}

import { damaged } from './format-error.ts';

export const MAX_ROW = 1_048_576;
export const MAX_COLUMN = 16_384;

/**
 * Looks over a worksheet before a library builds its grid: every reference must lie on the grid, and the caller learns
 * how large a rectangle the cells span, which a few bytes at two corners can make enormous.
 */
export function checkWorksheet(xml: string, part: string): { cells: number; box: number } {
  let rows = 0;
  let columns = 0;
  let cells = 0;
  for (const match of xml.matchAll(/<(?:[\w.-]+:)?(c|row|dimension|mergeCell)\s([^<>]*)>/g)) {
    const reference = /(?:^|\s)(?:r|ref)\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(match[2]!);
    if (match[1] === 'c') cells++;
    const value = reference?.[1] ?? reference?.[2];
    if (value === undefined) continue;
    if (match[1] === 'row') {
      rows = Math.max(rows, rowNumber(value, value, part));
      continue;
    }
    for (const corner of value.split(':')) {
      const place = parseCorner(corner.trim(), part);
      if (match[1] !== 'c') continue;
      rows = Math.max(rows, place.row);
      columns = Math.max(columns, place.column);
    }
  }
  return { cells, box: rows * columns };
}

function parseCorner(reference: string, part: string): { row: number; column: number } {
  const match = /^\$?([A-Za-z]{1,7})\$?([0-9]{1,15})$/.exec(reference);
  if (match === null) throw damaged(`"${part}" names the cell "${reference.slice(0, 40)}", which is no cell`);
  let column = 0;
  for (const letter of match[1]!.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  if (column > MAX_COLUMN) throw damaged(`"${part}" names the cell "${reference}" past the last column XFD`);
  return { column, row: rowNumber(match[2]!, reference, part) };
}

function rowNumber(raw: string, reference: string, part: string): number {
  const row = Number(raw);
  if (!Number.isInteger(row) || row < 1 || row > MAX_ROW) throw damaged(`"${part}" names "${reference.slice(0, 40)}", a row outside 1 to ${MAX_ROW}`);
  return row;
}

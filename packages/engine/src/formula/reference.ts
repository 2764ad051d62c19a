import { needsQuotes, columnName } from '../base/address.ts';
import type { TableSource } from './table-reference.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';

/**
 * Key by which a reference names a sub-sheet (tab of the workbook): its id, or its name if no such sub-sheet exists
 * (yet). For a sheet of another workbook, the text `[Book]Sheet`.
 */
export type SheetKey = number | string;

/**
 * A reference as stored in a formula template, which many cells can share. `top`, `left`, `bottom` and `right` are
 * zero-based positions if they are absolute (`$`), otherwise distances from the formula's cell. `top <= bottom` and
 * `left <= right` hold in every cell that uses the template.
 */
export interface RefPart {
  readonly shape: 'cell' | 'area' | 'rows' | 'cols' | 'lost';
  /**
   * The sub-sheet that the reference names; undefined if it names none and thus refers to the formula's own sub-sheet.
   */
  readonly sheet: SheetKey | undefined;
  /** Last sub-sheet of a 3D reference; undefined for other references. */
  readonly lastSheet: SheetKey | undefined;
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly topAbs: boolean;
  readonly leftAbs: boolean;
  readonly bottomAbs: boolean;
  readonly rightAbs: boolean;
}

/** Fields of a reference whose cells were deleted, `#REF!`. */
export const lostCells = {
  shape: 'lost',
  lastSheet: undefined,
  top: 0,
  left: 0,
  bottom: 0,
  right: 0,
  topAbs: true,
  leftAbs: true,
  bottomAbs: true,
  rightAbs: true,
} as const satisfies Omit<RefPart, 'sheet'>;

export interface SheetNames {
  sheetName(id: number): string | undefined;
  sheetId(name: string): number | undefined;
  /**
   * Returns the text to print for a sheet of another workbook, whose key is for example `[Book]Sheet`. If this function
   * is absent or returns undefined, the key itself is printed.
   */
  readonly outsideName?: (key: string) => string | undefined;
  readonly tables?: TableSource;
  /**
   * Form in which table references are printed: as in XLSX files (`file`) or with ids, for saved documents (`stored`).
   * If absent, they are printed as users write them.
   */
  readonly tableForm?: 'file' | 'stored';
  /**
   * Maps the id of a table to the id of its copy. Used with `tableForm` 'stored' when a sub-sheet and its formulas are
   * copied.
   */
  readonly tableAs?: (table: number) => number;
}

function nameOf(key: SheetKey, names: SheetNames): string {
  return typeof key === 'string' ? (names.outsideName?.(key) ?? key) : (names.sheetName(key) ?? '#REF');
}

/** Prints the sheet part of a reference: `Sheet1!`, `'My sheet'!` or `Sheet1:Sheet3!`. */
function sheetPrefix(sheet: SheetKey, last: SheetKey | undefined, names: SheetNames): string {
  const first = nameOf(sheet, names);
  const second = last === undefined ? undefined : nameOf(last, names);
  const joined = second === undefined ? first : `${first}:${second}`;
  const quote = needsQuotes(first) || (second !== undefined && needsQuotes(second));
  return quote ? `'${joined.replaceAll("'", "''")}'!` : `${joined}!`;
}

/** Prints the reference as it is written in cell `row`, `col`. */
export function printRef(part: RefPart, row: number, col: number, names: SheetNames): string {
  const prefix = part.sheet === undefined ? '' : sheetPrefix(part.sheet, part.lastSheet, names);
  if (part.shape === 'lost') return `${prefix}#REF!`;
  const top = part.topAbs ? part.top : part.top + row;
  const bottom = part.bottomAbs ? part.bottom : part.bottom + row;
  const left = part.leftAbs ? part.left : part.left + col;
  const right = part.rightAbs ? part.right : part.right + col;
  if (top < 0 || left < 0 || bottom >= maxRows || right >= maxCols) return `${prefix}#REF!`;
  switch (part.shape) {
    case 'cell':
      return prefix + colText(left, part.leftAbs) + rowText(top, part.topAbs);
    case 'rows':
      return `${prefix}${rowText(top, part.topAbs)}:${rowText(bottom, part.bottomAbs)}`;
    case 'cols':
      return `${prefix}${colText(left, part.leftAbs)}:${colText(right, part.rightAbs)}`;
    default:
      return (
        `${prefix}${colText(left, part.leftAbs)}${rowText(top, part.topAbs)}:` +
        `${colText(right, part.rightAbs)}${rowText(bottom, part.bottomAbs)}`
      );
  }
}

function rowText(at: number, fixed: boolean): string {
  return fixed ? `$${at + 1}` : `${at + 1}`;
}

function colText(at: number, fixed: boolean): string {
  return fixed ? `$${columnName(at)}` : columnName(at);
}

/**
 * Returns a text that is equal for equal references. It becomes part of a longer key, by which formulas of the same
 * pattern are found.
 */
export function refKey(part: RefPart): string {
  const sheet = part.sheet === undefined ? '' : `${JSON.stringify(part.sheet)}:${JSON.stringify(part.lastSheet ?? 0)}!`;
  if (part.shape === 'lost') return `${sheet}lost`;
  const edge = (at: number, fixed: boolean) => (fixed ? `$${at}` : `${at}`);
  return (
    `${sheet}${part.shape[0]}${edge(part.top, part.topAbs)},${edge(part.left, part.leftAbs)},` +
    `${edge(part.bottom, part.bottomAbs)},${edge(part.right, part.rightAbs)}`
  );
}

export interface ResolvedRect {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/**
 * Returns whether a key names a sheet of another workbook, `[Book]Sheet`. A text key without brackets is the name of a
 * missing sub-sheet.
 */
export function isExternalSheetKey(key: SheetKey | undefined): key is string {
  return typeof key === 'string' && key.includes('[');
}

/**
 * Returns the cells that the reference of a formula in cell `row`, `col` covers; undefined if it is #REF! or outside
 * the grid.
 */
export function resolveRef(part: RefPart, row: number, col: number): ResolvedRect | undefined {
  if (part.shape === 'lost') return undefined;
  const top = part.topAbs ? part.top : part.top + row;
  const bottom = part.bottomAbs ? part.bottom : part.bottom + row;
  const left = part.leftAbs ? part.left : part.left + col;
  const right = part.rightAbs ? part.right : part.right + col;
  if (top < 0 || left < 0 || bottom >= maxRows || right >= maxCols) return undefined;
  return { top, left, bottom, right };
}

/**
 * Returns references that together include every cell to which a reference in a defined name can resolve. If relative
 * positions lead past the last row or column, they continue at the first one. The result therefore also contains copies
 * that are shifted back by the height and the width of the grid.
 */
export function wrappedRefs(part: RefPart): readonly RefPart[] {
  if (part.shape === 'lost') return [part];
  const isRelativeRow = !part.topAbs || !part.bottomAbs;
  const isRelativeCol = !part.leftAbs || !part.rightAbs;
  if (!isRelativeRow && !isRelativeCol) return [part];
  const found: RefPart[] = [];
  for (const rows of isRelativeRow ? [0, maxRows] : [0])
    for (const cols of isRelativeCol ? [0, maxCols] : [0])
      found.push({
        ...part,
        top: part.topAbs ? part.top : part.top - rows,
        bottom: part.bottomAbs ? part.bottom : part.bottom - rows,
        left: part.leftAbs ? part.left : part.left - cols,
        right: part.rightAbs ? part.right : part.right - cols,
      });
  return found;
}

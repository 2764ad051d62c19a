import { needsQuotes, columnName } from '../base/address.ts';
import type { TableSource } from './table-part.ts';
import { maxCols, maxRows } from '../base/grid-size.ts';

/** A sub-sheet by id; by name where no such sub-sheet exists (yet). */
export type SheetKey = number | string;

/**
 * A reference as a template keeps it. Absolute edges hold positions, relative ones the distance from the formula's
 * own cell. `top <= bottom` and `left <= right` at every place the template stands.
 */
export interface RefPart {
  readonly shape: 'cell' | 'area' | 'rows' | 'cols' | 'lost';
  /** Undefined is the formula's own sub-sheet. */
  readonly sheet: SheetKey | undefined;
  /** Last sub-sheet of a reference through several. */
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

export interface SheetNames {
  sheetName(id: number): string | undefined;
  sheetId(name: string): number | undefined;
  /** How a sheet of another workbook is written: as formulas call it when absent. */
  readonly outsideName?: (key: string) => string | undefined;
  readonly tables?: TableSource;
  /** How references into tables are printed: as people read them when absent. */
  readonly tableForm?: 'file' | 'stored';
  /** In the stored form: the number that a table has where the formula goes. */
  readonly tableAs?: (table: number) => number;
}

function nameOf(key: SheetKey, names: SheetNames): string {
  return typeof key === 'string' ? (names.outsideName?.(key) ?? key) : (names.sheetName(key) ?? '#REF');
}

/** `Sheet1!`, `'My sheet'!` or `Sheet1:Sheet3!`; the own sub-sheet has none. */
function sheetPrefix(sheet: SheetKey, last: SheetKey | undefined, names: SheetNames): string {
  const first = nameOf(sheet, names);
  const second = last === undefined ? undefined : nameOf(last, names);
  const joined = second === undefined ? first : `${first}:${second}`;
  const quote = needsQuotes(first) || (second !== undefined && needsQuotes(second));
  return quote ? `'${joined.replaceAll("'", "''")}'!` : `${joined}!`;
}

/** The reference as text for a formula standing at `row`, `col`. */
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

/** Equal for equal parts: what templates are shared by. */
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

/** `[Book]Sheet`, not a sub-sheet that is missing: no name of one has a bracket. */
export function isOtherBook(key: SheetKey | undefined): key is string {
  return typeof key === 'string' && key.includes('[');
}

/** Where the reference points for a formula at `row`, `col`; undefined when lost or outside the sheet. */
export function resolveRef(part: RefPart, row: number, col: number): ResolvedRect | undefined {
  if (part.shape === 'lost') return undefined;
  const top = part.topAbs ? part.top : part.top + row;
  const bottom = part.bottomAbs ? part.bottom : part.bottom + row;
  const left = part.leftAbs ? part.left : part.left + col;
  const right = part.rightAbs ? part.right : part.right + col;
  if (top < 0 || left < 0 || bottom >= maxRows || right >= maxCols) return undefined;
  return { top, left, bottom, right };
}

import { countRectCells } from '../cells/rects.ts';
import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { charge, foldText, type Rect } from '@sheaf/engine';
import { findDataRegions } from './data-regions.ts';

const maxTables = 50;
/**
 * Number of rows at the top of a block of cells that are searched for headings. Rows with titles may be above the
 * headings.
 */
const titleRows = 4;

/** A block of filled cells that looks like a table, with headings if it has any. */
export interface DetectedTable {
  readonly rect: Rect;
  /** Row of the headings; undefined if there are none. */
  readonly header: number | undefined;
}

/**
 * Finds the tables of a sub-sheet, at most `most`, and returns them from top to bottom. A table is a block of filled
 * cells that blank rows and columns separate from other cells.
 */
export function detectTables(document: SheetDocument, sub: SubSheet, most = maxTables): DetectedTable[] {
  const used = document.usedRange(sub);
  if (!used) return [];
  return findDataRegions(sub, used, most).map((rect) => ({ rect, header: findHeaderRow(document, sub, rect) }));
}

/** Returns the table with the most cells, which is the table that a query reads if it names only a sub-sheet. */
export function findLargestTable(document: SheetDocument, sub: SubSheet): DetectedTable | undefined {
  return detectTables(document, sub).reduce<DetectedTable | undefined>(
    (best, one) => (best && countRectCells(best.rect) >= countRectCells(one.rect) ? best : one),
    undefined,
  );
}

/** Returns the range of the table's data rows, without the heading row and the title rows above it. */
export function tableBody({ rect, header }: DetectedTable): Rect {
  return header === undefined ? rect : { ...rect, top: header + 1 };
}

/**
 * Returns the row of a block that contains its headings; undefined if there is none. Headings are distinct texts
 * without formulas that look different from the values below them. The rows above them are titles, with texts in at
 * most half of the columns. In a single column, the first text is a heading if it is bold and the next cell is not; if
 * the next cell is a number or formula; or if it does not occur again, while other texts do.
 */
export function findHeaderRow(document: SheetDocument, sub: SubSheet, rect: Rect): number | undefined {
  for (let row = rect.top; row < rect.bottom && row < rect.top + titleRows; row++) {
    const kind = classifyRow(document, sub, rect, row);
    if (kind === 'headings') return row;
    if (kind !== 'title') return undefined;
  }
  return undefined;
}

function classifyRow(document: SheetDocument, sub: SubSheet, rect: Rect, row: number): 'headings' | 'title' | 'data' {
  const seen = new Set<string>();
  let differs = false;
  for (let col = rect.left; col <= rect.right; col++) {
    const value = document.value(sub, row, col);
    if (value === null) continue;
    if (typeof value !== 'string' || document.formula(sub, row, col) !== undefined) return 'data';
    const name = foldText(value.trim());
    if (name === '' || seen.has(name)) return 'data';
    seen.add(name);
    const below = document.value(sub, row + 1, col);
    if (below !== null && (typeof below !== 'string' || document.formula(sub, row + 1, col) !== undefined))
      differs = true;
    if (document.style(sub, row, col).bold && !document.style(sub, row + 1, col).bold) differs = true;
  }
  const width = rect.right - rect.left + 1;
  if (seen.size === 0) return 'data';
  if (seen.size * 2 <= width && width > 1) return 'title';
  if (!differs && looksLikeRowsBelow(document, sub, rect, row)) return 'data';
  if (width === 1) return differs || isUniqueFirstText(document, sub, rect, row) ? 'headings' : 'data';
  return differs || rect.bottom - row >= 2 || seen.size === width ? 'headings' : 'data';
}

const maxCompared = 50;

/**
 * Matches texts that are typical of values and not of headings: mail addresses, URLs, telephone numbers, dates and
 * codes such as `AB-123`.
 */
const valueShapes = [/^\S+@\S+\.\S+$/, /^(?:https?:\/\/|www\.)/i, /^[+(]?\d[\d\s()./:-]{4,}$/, /^[A-Z]{1,5}-?\d{2,}$/i];

/**
 * Returns whether a row of texts contains values instead of headings: one of its texts occurs again below in the same
 * column, or a text and one below it both look like the same kind of value, such as a mail address. Compares only the
 * first rows and columns.
 */
function looksLikeRowsBelow(document: SheetDocument, sub: SubSheet, rect: Rect, row: number): boolean {
  const bottom = Math.min(rect.bottom, row + maxCompared);
  const right = Math.min(rect.right, rect.left + maxCompared);
  charge((right - rect.left + 1) * (bottom - row));
  for (let col = rect.left; col <= right; col++) {
    const first = document.value(sub, row, col);
    if (typeof first !== 'string') continue;
    const shape = valueShapes.find((one) => one.test(first.trim()));
    for (let at = row + 1; at <= bottom; at++) {
      const below = document.value(sub, at, col);
      if (typeof below !== 'string') continue;
      if (foldText(below.trim()) === foldText(first.trim())) return true;
      if (shape?.test(below.trim())) return true;
    }
  }
  return false;
}

/**
 * Returns whether the first text of a single column does not occur again below, while other texts occur repeatedly.
 * Such a text is likely a heading.
 */
function isUniqueFirstText(document: SheetDocument, sub: SubSheet, rect: Rect, row: number): boolean {
  const first = document.value(sub, row, rect.left);
  const seen = new Set<unknown>();
  let repeats = false;
  for (let at = row + 1; at <= Math.min(rect.bottom, row + 200); at++) {
    const value = document.value(sub, at, rect.left);
    if (value === first) return false;
    if (seen.has(value)) repeats = true;
    seen.add(value);
  }
  return repeats;
}

/** Returns the displayed headings of a table, left to right; empty texts if it has no headings. */
export function readHeadings(document: SheetDocument, sub: SubSheet, { rect, header }: DetectedTable): string[] {
  const names: string[] = [];
  for (let col = rect.left; col <= rect.right; col++)
    names.push(header === undefined ? '' : document.text(sub, header, col).trim());
  return names;
}

import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { nearestName } from '../../../kernel/unknown-fields.ts';
import { bindTable, type SheetDocument, type SubSheet, tableRect } from '@sheaf/engine/internal/document';
import { columnOf, foldText, maxCols, maxRows, needsQuotes, parseRect, rectName, type Rect } from '@sheaf/engine';
import { tableBody, readHeadings, detectTables } from '../reading/detect-tables.ts';
import { requireWorksheet } from './sheet-lookup.ts';

export interface SheetRange {
  readonly sub: SubSheet;
  readonly rect: Rect;
}

export interface AddressOptions {
  /** Input field that contains the address, used in error messages. */
  readonly field?: string;
  /** Sub-sheet (id or name) that an address without a sub-sheet refers to. If unset, the first worksheet. */
  readonly sheet?: string | undefined;
  /**
   * If true, an address without a sub-sheet is refused when the document has several worksheets and `sheet` is unset.
   * Set for writes, so that they never change an unintended sub-sheet.
   */
  readonly isWrite?: boolean;
}

/**
 * Resolves an address to a range. Accepts cells (`B2`, `A1:D9`, `A:C`, `2:5`, `B2:B` down to the last used row), each
 * optionally after `Sheet!`. Also accepts the name of a sub-sheet (its used range), a defined name, a table or a part
 * of it (`T[price]`), and a column heading (the cells below it).
 */
export function resolveAddress(document: SheetDocument, address: string, options: AddressOptions = {}): SheetRange {
  const field = options.field ?? 'range';
  const text = address.trim().replace(/^=/, '');
  const { sheet, rest } = splitSheet(document, text);
  if (sheet !== undefined) {
    const sub = namedSheet(document, sheet, field);
    return { sub, rect: rest === '' ? usedRangeOrA1(document, sub) : resolveCells(document, sub, rest, field) };
  }
  const own = document.byName(text) ?? document.find(text);
  if (own && !rectOf(document, own, text)) return { sub: own, rect: usedRangeOrA1(document, own) };
  const named = byDefinedName(document, text) ?? byTable(document, text);
  if (named) return named;
  const sub = defaultSheet(document, options, field, text);
  return { sub, rect: resolveCells(document, sub, text, field) };
}

export function usedRangeOrA1(document: SheetDocument, sub: SubSheet): Rect {
  return document.usedRange(sub) ?? { top: 0, left: 0, bottom: 0, right: 0 };
}

/** Clips a range such as `A:C` to the sub-sheet's used range. Returns undefined if no used cell remains. */
export function clipToUsedRange(document: SheetDocument, { sub, rect }: SheetRange): Rect | undefined {
  const used = document.usedRange(sub);
  if (!used) return undefined;
  const bottom = Math.min(rect.bottom, used.bottom);
  const right = Math.min(rect.right, used.right);
  return bottom < rect.top || right < rect.left ? undefined : { ...rect, bottom, right };
}

/** Formats an address, such as `Sheet1!A1:B2`, that `resolveAddress` and formulas can read. */
export function formatAddress(sub: SubSheet, rect: Rect): string {
  return `${formatSheetPrefix(sub)}${rectName(rect)}`;
}

export function formatSheetPrefix({ name }: SubSheet): string {
  return needsQuotes(name) ? `'${name.replaceAll("'", "''")}'!` : `${name}!`;
}

function defaultSheet(document: SheetDocument, options: AddressOptions, field: string, text: string): SubSheet {
  if (options.sheet !== undefined) return requireWorksheet(document, idOf(document, options.sheet));
  const [first, ...others] = document.subSheets.filter((one) => one.type === 'worksheet');
  if (!first) throw fail('no_such_sheet', `${field}: the document has no worksheet`);
  if (options.isWrite && others.length > 0)
    throw invalid(
      `${field}: name the sub-sheet too, as ${formatSheetPrefix(first)}${text.slice(0, 40)}; there are ${sheetNames(document)}`,
    );
  return first;
}

function idOf(document: SheetDocument, idOrName: string): string {
  return document.find(idOrName)?.id ?? document.byName(idOrName)?.id ?? idOrName;
}

function sheetNames(document: SheetDocument): string {
  return document.subSheets
    .slice(0, 10)
    .map(({ name }) => name)
    .join(', ');
}

/**
 * Splits an address into sub-sheet and cells. Accepts `'My sheet'!A1`, `Sheet1!A1` and `<sheet_id>$A1`, which is the
 * form of addresses in answers of the API.
 */
export function splitSheet(document: SheetDocument, text: string): { sheet: string | undefined; rest: string } {
  const quoted = /^'((?:[^']|'')+)'(?:!(.*))?$/s.exec(text);
  if (quoted) return { sheet: quoted[1]!.replaceAll("''", "'"), rest: quoted[2] ?? '' };
  const mark = text.lastIndexOf('!');
  if (mark > 0) return { sheet: text.slice(0, mark), rest: text.slice(mark + 1) };
  const dollar = text.indexOf('$');
  if (dollar > 0 && document.find(text.slice(0, dollar)))
    return { sheet: text.slice(0, dollar), rest: text.slice(dollar + 1) };
  return { sheet: undefined, rest: text };
}

function namedSheet(document: SheetDocument, name: string, field: string): SubSheet {
  const found = document.byName(name) ?? document.find(name);
  if (found) return requireWorksheet(document, found.id);
  const near = nearestName(
    name,
    document.subSheets.map((one) => one.name),
  );
  throw fail(
    'no_such_sheet',
    `${field}: there is no sub-sheet named ${JSON.stringify(name.slice(0, 60))}; ` +
      (near === undefined ? `there are ${sheetNames(document)}` : `did you mean ${near}?`),
  );
}

function resolveCells(document: SheetDocument, sub: SubSheet, text: string, field: string): Rect {
  const found = rectOf(document, sub, text) ?? byHeading(document, sub, text, field);
  if (found) return found;
  const known = detectTables(document, sub).flatMap((table) =>
    readHeadings(document, sub, table).filter((one) => one !== ''),
  );
  const near = nearestName(text, [...known, ...document.subSheets.map(({ name }) => name)]);
  const hint = near === undefined ? 'write it like B2, A1:D9, A:C or Sheet1!A1:D9' : `did you mean ${near}?`;
  throw invalid(
    `${field}: ${JSON.stringify(text.slice(0, 60))} is neither an address nor a heading on ${sub.name}; ${hint}`,
  );
}

const openDown = /^\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6}):\$?([A-Za-z]{1,3})$/;

function rectOf(document: SheetDocument, sub: SubSheet, text: string): Rect | undefined {
  const plain = parseRect(text);
  if (plain) return plain;
  const open = openDown.exec(text);
  if (!open) return undefined;
  const [first, last] = [columnOf(open[1]!), columnOf(open[3]!)];
  const top = Number(open[2]) - 1;
  if (first < 0 || last < 0 || top >= maxRows) return undefined;
  const bottom = Math.max(top, document.usedRange(sub)?.bottom ?? 0);
  return { top, bottom, left: Math.min(first, last), right: Math.max(first, last) };
}

/**
 * Returns the cells below the column heading `text`, or undefined if there is no such heading. Throws if several
 * columns have it. Brackets are optional: `[Unit price]` means `Unit price`.
 */
function byHeading(document: SheetDocument, sub: SubSheet, text: string, field: string): Rect | undefined {
  const wanted = foldText(text.replace(/^\[(.*)\]$/s, '$1').trim());
  if (wanted === '') return undefined;
  const found: Rect[] = [];
  for (const table of detectTables(document, sub)) {
    readHeadings(document, sub, table).forEach((name, index) => {
      if (foldText(name) !== wanted) return;
      const col = table.rect.left + index;
      found.push({ ...tableBody(table), left: col, right: col });
    });
  }
  if (found.length > 1)
    throw invalid(
      `${field}: ${JSON.stringify(text.slice(0, 60))} is the heading of several columns: ${found.map(rectName).join(', ')}`,
    );
  return found[0];
}

function byDefinedName(document: SheetDocument, text: string): SheetRange | undefined {
  const upper = text.toUpperCase();
  const definition = document.names().find(({ name }) => name.toUpperCase() === upper);
  if (!definition) return undefined;
  const { sheet, rest } = splitSheet(document, definition.formula.replace(/^=/, ''));
  const sub = sheet === undefined ? undefined : document.byName(sheet);
  const rect = parseRect(rest);
  return sub && rect ? { sub, rect } : undefined;
}

function byTable(document: SheetDocument, text: string): SheetRange | undefined {
  const { tables } = document.workbook;
  const open = text.endsWith(']') ? text.indexOf('[') : -1;
  const name = open < 0 ? text : text.slice(0, open);
  const shape = name === '' ? undefined : tables.tableNamed(name);
  const sub = shape && document.numbered(shape.sheet);
  if (!sub) return undefined;
  if (open < 0) return { sub, rect: { ...shape.rect, bottom: shape.rect.bottom - shape.totals } };
  const part = bindTable(name, text.slice(open + 1, -1), text, tables);
  const rect = part.table === undefined ? undefined : tableRect(shape, part, -1);
  return rect && 'top' in rect ? { sub, rect } : undefined;
}

export function isWholeRowsOrColumns({ top, left, bottom, right }: Rect): boolean {
  return (top === 0 && bottom === maxRows - 1) || (left === 0 && right === maxCols - 1);
}

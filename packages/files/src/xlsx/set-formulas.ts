import type { Mode, SubSheet, Template } from '@sheaf/engine/internal/document';
import { FormulaSyntaxError, type Rect, type WorkbookCore } from '@sheaf/engine';
import { stripOwnWorkbook } from './external-references.ts';
import { fromFileSyntax } from './formula-file-syntax.ts';
import { eachFilledRow } from './sheet-ranges.ts';
import { FormulaWarnings, findUsedName } from './formula-warnings.ts';
import { externalBooksIn, resolveBookNumbers } from './external-workbooks.ts';
import type { ParsedFormula } from './read-cells.ts';
import type { ImportContext } from './import-context.ts';
import { UnknownTablePart } from './table-references.ts';
import { FormulaSpellings } from './formula-spelling.ts';

/** Sets the formulas of a sheet. All sub-sheets, tables and names must exist before the call. */
export function setFormulas(book: ImportContext, sub: SubSheet, formulas: readonly ParsedFormula[]): void {
  const { workbook } = book.document;
  const shared = new Map<number, Template | string>();
  const reading = new Map<Template, string>();
  const known = new Map<Template, ResolvedFormula>();
  const spellings = new FormulaSpellings(book.document, sub);
  const kept = new FormulaWarnings('its last value was kept');
  const outside = new FormulaWarnings('it is computed from the last values that the file has of it');
  for (const { row, col, text, shared: key, array, dynamic, flags } of formulas) {
    const size = array === undefined || dynamic ? array !== undefined : sizeAt(array, row, col);
    const mode: Mode = size === true ? { base: true, isKept: false, isMarked: true } : size;
    const found = text === undefined ? shared.get(key as number) : templateOf(book, sub, text, row, col, mode);
    if (found === undefined) continue;
    if (key !== undefined && text !== undefined) shared.set(key, found);
    if (typeof found === 'string') kept.add(found, row, col);
    else {
      const books =
        text === undefined ? [] : externalBooksIn(resolveBookNumbers(text, book.externalBooks), book.externalBooks);
      if (books.length > 0) reading.set(found, books.join(', '));
      if (reading.has(found)) outside.add(`refers to ${reading.get(found)}, another workbook`, row, col);
      let one = known.get(found);
      if (!one) known.set(found, (one = resolvedFormula(book, sub, found, text ?? '', row, col)));
      if (one.lacking === undefined) {
        if (array) clearArray(book, sub, array, row, col);
      } else if (sub.sheet.read(row, col) !== null) kept.add(one.lacking, row, col);
      workbook.setTemplate(sub.sheet, row, col, one.template, true);
      if (text !== undefined || flags !== '') spellings.add(one.template, row, col, text, flags);
    }
  }
  const spelled = spellings.kept(sub);
  if (spelled) book.passthrough.keepSpellings(spelled);
  kept.warn(sub.name, book.warnings);
  outside.warn(sub.name, book.warnings);
}

/**
 * Returns the parsed formula, or the reason why only its cached value can be imported. The reason completes a sentence
 * that begins with "the formula".
 */
function templateOf(
  book: ImportContext,
  sub: SubSheet,
  text: string,
  row: number,
  col: number,
  mode: Mode,
): Template | string {
  const found = resolveBookNumbers(stripOwnWorkbook(text), book.externalBooks);
  try {
    const written = book.tables.qualified(found, { sheet: sub.name, row, col });
    const { templates } = book.document.workbook;
    // Call `replace` even if its result is not used, because it throws for unknown tables, columns and table parts.
    const ranges = book.tables.replace(written, { sheet: sub.name, row, col });
    if (ranges === written) return templates.of(fromFileSyntax(written), row, col, mode);
    const bound = parseStructuredFormula(templates, fromFileSyntax(written), row, col, mode);
    return bound ?? templates.of(fromFileSyntax(ranges), row, col, mode);
  } catch (error) {
    if (error instanceof UnknownTablePart) return error.message;
    if (error instanceof FormulaSyntaxError) return 'is not understood';
    throw error;
  }
}

/**
 * Returns why a formula cannot be calculated, or undefined if it can. The reason completes a sentence that begins with
 * "the formula".
 */
function missingFeature(book: ImportContext, sub: SubSheet, { pattern }: Template): string | undefined {
  const { workbook } = book.document;
  const unknown = pattern.unknown.find((name) => !workbook.nameDefinition(name, sub.sheet.id));
  if (unknown !== undefined) return `calls the function ${unknown.slice(0, 100)}, which is not computed here`;
  const others = pattern.externalSheets.filter((key) => !workbook.outsideSheet(key));
  if (others.length === 0) return undefined;
  const books = new Set(others.map((key) => key.slice(1, key.indexOf(']'))));
  return `refers to ${externalBookNames([...books], book)}, another workbook`;
}

/**
 * Returns the formula and, if it cannot be calculated, the reason (`lacking`). The cell then keeps the value that the
 * file stores for it.
 */
function resolvedFormula(
  book: ImportContext,
  sub: SubSheet,
  found: Template,
  text: string,
  row: number,
  col: number,
): ResolvedFormula {
  const name = findUsedName(text, book.undefinedNames);
  const lacking =
    name === undefined
      ? missingFeature(book, sub, found)
      : `uses the name '${name.slice(0, 100)}', which cannot be computed here`;
  if (lacking === undefined) return { template: found, lacking };
  const { templates } = book.document.workbook;
  const { parts, keptMode } = found.pattern;
  return {
    template: templates.with(templates.patternOf(parts, row, col, keptMode), found.constants, found.texts),
    lacking,
  };
}

interface ResolvedFormula {
  readonly template: Template;
  readonly lacking: string | undefined;
}

/** Joins the names of external workbooks for a message. A workbook without a name is listed by its number. */
export function externalBookNames(others: readonly string[], { externalBooks }: ImportContext): string {
  return others.map((other) => externalBooks[Number(other) - 1]?.name ?? other.slice(0, 100)).join(', ');
}

/**
 * Clears the cached values in the range of an array formula, except in its first cell; calculation fills them again.
 */
function clearArray({ document }: ImportContext, sub: SubSheet, rect: Rect, row: number, col: number): void {
  for (let c = rect.left; c <= rect.right; c++) {
    eachFilledRow(sub, c, rect, (r) => {
      if (r !== row || c !== col) document.workbook.setValue(sub.sheet, r, c, null);
    });
  }
}

/**
 * Parses a formula and keeps its structured references, such as `Sales[Price]`, instead of replacing them by ranges.
 * Returns undefined if the formula cannot be parsed, has no structured reference, or names an unknown table or column.
 */
export function parseStructuredFormula(
  templates: WorkbookCore['templates'],
  text: string,
  row: number,
  col: number,
  mode: Mode,
): Template | undefined {
  try {
    const template = templates.of(text, row, col, mode);
    const { tables } = template.pattern;
    return tables.length > 0 && tables.every((part) => part.table !== undefined) ? template : undefined;
  } catch (error) {
    if (error instanceof FormulaSyntaxError) return undefined;
    throw error;
  }
}

/**
 * Returns the size (rows, columns) of the array formula if this cell is the first of its range, otherwise the size of a
 * single cell.
 */
function sizeAt({ top, left, bottom, right }: Rect, row: number, col: number): Mode {
  return top === row && left === col ? [bottom - top + 1, right - left + 1] : [1, 1];
}

import type { Rect } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';
import type { RewrittenFormulas } from '../workbook/structure.ts';
import type { SheetNames } from '../formula/reference.ts';
import type { FormulaRun } from '../document/objects/contents.ts';
import { regionOf } from '../document/objects/rect.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import type { Style } from '../document/objects/styles.ts';
import type { Mutation } from './mutation.ts';
import { defineName } from './define-name.ts';
import { restoreStyles } from './restore-styles.ts';
import { setGrid } from './set-grid.ts';
import { setLink } from './set-link.ts';
import { setRichText } from './set-rich-text.ts';
import { setValues } from './set-values.ts';

/** Makes the grid hold a cell; returns what makes it small again. */
export function grow(sheet: SubSheet, row: number, col: number): Mutation[] {
  const { rows, cols } = sheet;
  if (row < rows && col < cols) return [];
  sheet.rows = Math.max(rows, row + 1);
  sheet.cols = Math.max(cols, col + 1);
  return [setGrid.of({ sheet: sheet.id, rows, cols })];
}

/** Takes links and rich text off cells whose content is replaced; returns what puts them back. */
export function dropLinks(sheet: SubSheet, rects: readonly Rect[]): Mutation[] {
  const undo: Mutation[] = [];
  if (sheet.links.size > 0) {
    const links = rects.flatMap((rect) => sheet.links.list(rect));
    for (const { row, col } of links) sheet.links.delete(row, col);
    if (links.length > 0)
      undo.push(setLink.of({ sheet: sheet.id, links: links.map(({ row, col, value }) => [row, col, value]) }));
  }
  if (sheet.rich.size > 0) {
    const texts = rects.flatMap((rect) => sheet.rich.list(rect));
    for (const { row, col } of texts) sheet.rich.delete(row, col);
    if (texts.length > 0)
      undo.push(setRichText.of({ sheet: sheet.id, texts: texts.map(({ row, col, value }) => [row, col, value]) }));
  }
  return undo;
}

/** The styles of a rectangle as they are, to be put back. */
export function keepStyles(document: SheetDocument, sheet: SubSheet, rect: Rect): Mutation {
  const styles: Style[] = [];
  const places = new Map<number, number>();
  const runs = sheet.styles.list(rect).map(([col, start, end, id]) => {
    let place = places.get(id);
    if (place === undefined) {
      place = styles.length;
      places.set(id, place);
      styles.push(document.styles.get(id));
    }
    return [col, start, end, place] as const;
  });
  return restoreStyles.of({ sheet: sheet.id, region: regionOf(rect), styles, runs });
}

/** Formulas as they were before an edit rewrote them, at the places they had then. */
export function keepFormulas(
  document: SheetDocument,
  rewritten: readonly RewrittenFormulas[],
  placeBefore: (sheet: number, row: number, col: number) => { row: number; col: number } | undefined,
  names: SheetNames = document.workbook,
): Mutation[] {
  const { workbook } = document;
  const bySheet = new Map<string, FormulaRun[]>();
  for (const { sheet, col, top, bottom, before } of rewritten) {
    const found = document.numbered(sheet);
    if (!found) continue;
    let runs = bySheet.get(found.id);
    if (!runs) {
      runs = [];
      bySheet.set(found.id, runs);
    }
    let open: { row: number; col: number; count: number; id: number } | undefined;
    const close = (): void => {
      const template = open && workbook.templates.get(open.id);
      if (!open || !template) return;
      const text = template.text(open.row, open.col, names);
      runs.push(template.lift ? [open.row, open.col, open.count, text] : [open.row, open.col, open.count, text, 1]);
    };
    for (let row = top; row <= bottom; row++) {
      const now = workbook.templateAt(found.sheet, row, col);
      const place = placeBefore(sheet, row, col);
      if (!now || !place) continue;
      const { id } = workbook.templates.with(before, now.constants, now.texts);
      if (open && open.id === id && open.col === place.col && open.row + open.count === place.row) open.count++;
      else {
        close();
        open = { ...place, count: 1, id };
      }
    }
    close();
  }
  return [...bySheet]
    .filter(([, formulas]) => formulas.length > 0)
    .map(([sheet, formulas]) => setValues.of({ sheet, formulas, keepLinks: true }));
}

/** Names that speak of sub-sheets that are not there, as they are: a sub-sheet of that name would bind them. */
export function keepUnboundNames(document: SheetDocument): Mutation[] {
  const unbound = new Set(
    document.workbook.names
      .list()
      .filter(({ template }) =>
        template.refs.some((ref) => typeof ref.sheet === 'string' || typeof ref.lastSheet === 'string'),
      )
      .map(({ name, sheet }) => `${sheet === undefined ? '' : (document.numbered(sheet)?.id ?? '')}!${name}`),
  );
  if (unbound.size === 0) return [];
  return document
    .names()
    .filter((one) => unbound.has(`${one.sheet ?? ''}!${one.name}`))
    .map((one) =>
      defineName.of({ name: one.name, formula: one.formula, ...(one.sheet === undefined ? {} : { sheet: one.sheet }) }),
    );
}

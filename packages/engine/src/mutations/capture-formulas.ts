import type { SheetDocument } from '../document/document.ts';
import { runOf, type FormulaRun } from '../document/objects/cell-contents.ts';
import { namesForStoredFormulas } from '../document/objects/document-tables.ts';
import type { SheetNames } from '../formula/reference.ts';
import type { RewrittenFormulas } from '../workbook/shift-cells-and-formulas.ts';
import type { Mutation } from './define-mutation.ts';
import { defineName } from './names.ts';
import { setValues } from './set-values.ts';

/**
 * Returns the mutations that restore formulas rewritten by an edit, at their positions before the edit. `placeBefore`
 * returns the earlier position of a cell, or undefined if the cell did not exist.
 */
export function captureFormulas(
  document: SheetDocument,
  rewritten: readonly RewrittenFormulas[],
  placeBefore: (sheet: number, row: number, col: number) => { row: number; col: number } | undefined,
  names: SheetNames = namesForStoredFormulas(document),
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
      runs.push(runOf(open.row, open.col, open.count, text, template.mode));
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

/**
 * Returns the mutations that restore the defined names whose formulas refer to missing sub-sheets. Called before a
 * sub-sheet is added or renamed: references to its new name are then bound to it, and undo must unbind them.
 */
export function captureUnboundNames(document: SheetDocument): Mutation[] {
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
    .names(namesForStoredFormulas(document))
    .filter((one) => unbound.has(`${one.sheet ?? ''}!${one.name}`))
    .map((one) =>
      defineName.of({ name: one.name, formula: one.formula, ...(one.sheet === undefined ? {} : { sheet: one.sheet }) }),
    );
}

import type { SheetDocument } from '../document/document.ts';
import { runOf, type FormulaRun } from '../document/objects/cell-contents.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { namesForStoredFormulas } from '../document/objects/document-tables.ts';
import type { TablePart } from '../formula/table-reference.ts';
import type { Template } from '../formula/formula-template.ts';
import type { Mutation } from './define-mutation.ts';
import { defineName } from './names.ts';
import { setValues } from './set-values.ts';

/**
 * Makes the formulas and defined names that already contain `name` refer to the table that just got this name. Returns
 * the mutations that undo this.
 */
export function bindTableReferences(document: SheetDocument, name: string): Mutation[] {
  const upper = name.toUpperCase();
  const isWaiting = ({ table, written }: TablePart): boolean =>
    table === undefined && (written.split('[', 1)[0] ?? '').toUpperCase() === upper;
  const waits = ({ pattern }: Template): boolean => pattern.names.includes(upper) || pattern.tables.some(isWaiting);
  return [...bindFormulas(document, waits), ...bindNames(document, waits)];
}

function bindFormulas(document: SheetDocument, waits: (template: Template) => boolean): Mutation[] {
  const { workbook } = document;
  const written = namesForStoredFormulas(document);
  workbook.graph.flush();
  const found: { sub: SubSheet; row: number; col: number; count: number; template: Template }[] = [];
  workbook.graph.eachGroup(({ sheet, col, top, bottom, pattern }) => {
    const sub = pattern.names.length > 0 || pattern.tables.length > 0 ? document.numbered(sheet.id) : undefined;
    for (let row = top; sub && row <= bottom;) {
      const template = workbook.templateAt(sheet, row, col);
      let end = row;
      while (end < bottom && workbook.templateAt(sheet, end + 1, col) === template) end++;
      if (template && waits(template)) found.push({ sub, row, col, count: end - row + 1, template });
      row = end + 1;
    }
  });
  const before = new Map<string, FormulaRun[]>();
  for (const { sub, row, col, count, template } of found) {
    const bound = workbook.templates.of(template.text(row, col, workbook), row, col, template.mode);
    if (bound === template) continue;
    const runs = before.get(sub.id) ?? [];
    runs.push(runOf(row, col, count, template.text(row, col, written), template.mode));
    before.set(sub.id, runs);
    for (let i = 0; i < count; i++) workbook.setTemplate(sub.sheet, row + i, col, bound);
  }
  return [...before].map(([sheet, formulas]) => setValues.of({ sheet, formulas, keepLinks: true }));
}

function bindNames(document: SheetDocument, waits: (template: Template) => boolean): Mutation[] {
  const { workbook } = document;
  return workbook.names.list().flatMap(({ name, sheet, template }) => {
    if (!waits(template)) return [];
    const formula = template.text(0, 0, namesForStoredFormulas(document));
    const sub = sheet === undefined ? undefined : document.numbered(sheet);
    workbook.defineName(name, template.text(0, 0, workbook), sheet);
    return [defineName.of({ name, formula, ...(sub ? { sheet: sub.id } : {}) })];
  });
}

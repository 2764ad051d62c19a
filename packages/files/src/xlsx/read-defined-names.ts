import { createDefinedNameTest, namesForFileFormulas } from './names-for-file-formulas.ts';
import { normalizeFormula } from './formula-spelling.ts';
import type { KeptName, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { FormulaSyntaxError } from '@sheaf/engine';
import { externalWorkbooksIn, stripOwnWorkbook } from './external-references.ts';
import { fromFileSyntax, toFileSyntax } from './formula-file-syntax.ts';
import { resolveBookNumbers } from './external-workbooks.ts';
import { externalBookNames, parseStructuredFormula } from './set-formulas.ts';
import type { ImportContext } from './import-context.ts';
import { UnknownTablePart } from './table-references.ts';

export interface ParsedName {
  readonly name: string;
  /** Index of the sheet that the name is limited to; undefined for the whole workbook. */
  readonly sheet: number | undefined;
  /** XML attributes of the defined name other than its name and its sheet. */
  readonly attributes: string;
  readonly text: string;
}

/**
 * Hidden defined name under which XLSX files store a sheet's filter range. The export generates it for each filter. In
 * an imported file, it may be left over from a filter that was removed.
 */
export const filterName = '_xlnm._FilterDatabase';

/**
 * Adds the defined names of the file to the document. `sheets` maps the index of a sheet, which counts chart sheets
 * too, to its sub-sheet. Returns what must be stored for export: additional attributes, and names that formulas cannot
 * use.
 */
export function defineNames(
  document: SheetDocument,
  sheets: ReadonlyMap<number, SubSheet>,
  names: readonly ParsedName[],
  book: ImportContext,
): KeptName[] {
  const { tables, undefinedNames, externalBooks, warnings } = book;
  const kept: KeptName[] = [];
  const listed = new Set(names.map(({ name }) => name.toUpperCase()));
  for (const { name, sheet, attributes, text } of names) {
    if (text === '' || (sheet !== undefined && !sheets.has(sheet))) continue;
    const sub = sheet === undefined ? undefined : sheets.get(sheet)!;
    const scope = sub ? { sheet: sub.id } : {};
    if (name === filterName) {
      kept.push({ name, ...scope, attributes, text });
      continue;
    }
    const keep = (why: string): void => {
      undefinedNames.add(name.toLowerCase());
      warnings.add(`the name '${name.slice(0, 100)}' ${why}: it is kept for export, and formulas cannot use it`);
      kept.push({ name, ...scope, attributes, text });
    };
    const found = resolveBookNumbers(stripOwnWorkbook(text), externalBooks);
    const others = externalWorkbooksIn(found).filter((other) => !externalBooks.some((one) => one.name === other));
    if (others.length > 0) {
      keep(`refers to ${externalBookNames(others.slice(0, 1), book)}, another workbook`);
      continue;
    }
    try {
      const written = found;
      const ranges = tables.replace(written, { sheet: '', row: -1, col: -1 });
      const isBound =
        ranges !== written &&
        parseStructuredFormula(document.workbook.templates, fromFileSyntax(written), 0, 0, true) !== undefined;
      const formula = fromFileSyntax(isBound ? written : ranges);
      define(document, name, formula, sub?.sheet.id);
      const spelling = spellingOf(document, name, sub, text, listed);
      if (attributes !== '' || spelling) kept.push({ name, ...scope, attributes, ...(spelling ? { spelling } : {}) });
    } catch (error) {
      if (
        !(error instanceof FormulaSyntaxError) &&
        !(error instanceof RangeError) &&
        !(error instanceof UnknownTablePart)
      )
        throw error;
      keep('is not understood');
    }
  }
  return kept;
}

/**
 * Returns the text that the export would write for a name and the text in the file, if they differ only in spelling,
 * such as spaces or letter case; otherwise undefined. `listed` holds all names of the file in upper case, because some
 * are not defined yet.
 */
function spellingOf(
  document: SheetDocument,
  name: string,
  sub: SubSheet | undefined,
  text: string,
  listed: ReadonlySet<string>,
): KeptName['spelling'] {
  const template = document.workbook.nameDefinition(name, sub?.sheet.id ?? 0);
  if (!template) return undefined;
  const isDefined = createDefinedNameTest(document, sub);
  const written = toFileSyntax(
    template.text(0, 0, namesForFileFormulas(document)),
    template.pattern.variables,
    (word) => listed.has(word) || isDefined(word),
  );
  return written !== text && normalizeFormula(written) === normalizeFormula(text) ? [written, text] : undefined;
}

/**
 * Defines a name. A union of ranges has no parentheses in the file but needs them in a formula, so they are added if
 * parsing fails.
 */
function define(document: SheetDocument, name: string, formula: string, sheet: number | undefined): void {
  try {
    document.workbook.defineName(name, formula, sheet);
  } catch (error) {
    if (!(error instanceof FormulaSyntaxError) || !formula.includes(',')) throw error;
    document.workbook.defineName(name, `=(${formula.slice(1)})`, sheet);
  }
}

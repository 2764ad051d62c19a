import { type Filter, rectOf, type SheetDocument, type SubSheet } from '@sheaf/engine/internal/document';
import { rectName } from '@sheaf/engine';
import { toFileSyntax } from './formula-file-syntax.ts';
import { createDefinedNameTest, namesForFileFormulas } from './names-for-file-formulas.ts';
import { filterName } from './read-defined-names.ts';
import { xmlEscape } from './xml-escape.ts';

/**
 * Returns the XML of all defined names, including the hidden names of sheet filters. `place` maps sub-sheet ids to
 * sheet indexes in the file.
 */
export function namesXml(
  document: SheetDocument,
  filters: ReadonlyMap<SubSheet, Filter | undefined>,
  place: ReadonlyMap<string, number>,
): string {
  const key = (name: string, sheet: string | undefined): string => `${sheet ?? ''}!${name.toUpperCase()}`;
  const told = new Map((document.kept?.names ?? []).map((one) => [key(one.name, one.sheet), one]));
  const defined = new Set<string>();
  const variables = new Map(
    document.workbook.names.list().map(({ name, template }) => [name.toUpperCase(), template.pattern.variables]),
  );
  const found: string[] = [];
  /**
   * Returns whether the hidden name of a removed filter can be written: its sheet has no filter, and the text refers to
   * that sheet.
   */
  const isLeftover = (sheet: string | undefined, text: string): boolean => {
    const sub = sheet === undefined ? undefined : document.find(sheet);
    return (
      sub !== undefined && !filters.get(sub) && text.replaceAll("'", '').startsWith(`${sub.name.replaceAll("'", '')}!`)
    );
  };
  const add = (name: string, sheet: string | undefined, text: string, attributes: string): void => {
    const at = sheet === undefined ? undefined : place.get(sheet);
    // Skip a name whose sub-sheet was deleted.
    if (sheet !== undefined && at === undefined) return;
    const local = at === undefined ? '' : ` localSheetId="${at}"`;
    found.push(`<definedName name="${xmlEscape(name)}"${local}${attributes}>${xmlEscape(text)}</definedName>`);
  };
  for (const { name, sheet, formula } of document.names(namesForFileFormulas(document))) {
    defined.add(key(name, sheet));
    const { attributes = '', spelling } = told.get(key(name, sheet)) ?? {};
    const written = toFileSyntax(
      formula,
      variables.get(name.toUpperCase()),
      createDefinedNameTest(document, sheet === undefined ? undefined : document.find(sheet)),
    );
    add(name, sheet, spelling?.[0] === written ? spelling[1] : withoutParentheses(name, written), attributes);
  }
  for (const { name, sheet, text, attributes } of told.values())
    if (text !== undefined && !defined.has(key(name, sheet)) && (name !== filterName || isLeftover(sheet, text)))
      add(name, sheet, text, attributes);
  document.subSheets.forEach((sub) => {
    const filter = filters.get(sub);
    if (!filter) return;
    const range = rectName(rectOf(filter.region)).replace(/([A-Z]+)(\d+)/g, '$$$1$$$2');
    add(
      filterName,
      sub.id,
      `'${sub.name.replaceAll("'", "''")}'!${range}`,
      told.get(key(filterName, sub.id))?.attributes ?? ' hidden="1"',
    );
  });
  return found.length > 0 ? `<definedNames>${found.join('')}</definedNames>` : '';
}

/**
 * Removes the parentheses around a built-in name with several ranges, such as a print area. Documents need the
 * parentheses, but files do not allow them.
 */
function withoutParentheses(name: string, text: string): string {
  return name.startsWith('_xlnm.') && text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text;
}

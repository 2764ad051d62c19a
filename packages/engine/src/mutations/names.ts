import type { SheetDocument } from '../document/document.ts';
import { namesForStoredFormulas } from '../document/objects/document-tables.ts';
import type { NamedFormula } from './restore-state.ts';
import { neverNoOp, undoWhenApart, nameObject, laterWhenApart } from './affected-parts.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

function nameOf(document: SheetDocument, name: string, sheet: string | undefined): NamedFormula | undefined {
  const found = document
    .names(namesForStoredFormulas(document))
    .find((one) => one.name.toUpperCase() === name.toUpperCase() && one.sheet === sheet);
  return found && { name: found.name, formula: found.formula };
}

interface DefineName {
  readonly name: string;
  /** Id of the sub-sheet that the name belongs to; if absent, the name belongs to the whole workbook. */
  readonly sheet?: string;
  /** Formula or reference that the name stands for. Relative references are written as seen from cell A1. */
  readonly formula: string;
}

export const defineName: MutationKind<DefineName> = defineMutation({
  type: 34,
  name: 'define_name',
  scope: 'objects',
  touches: (data) => [{ object: nameObject(data) }],
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, { name, sheet, formula }) => {
    const number = sheet === undefined ? undefined : document.subSheet(sheet).sheet.id;
    const before = nameOf(document, name, sheet);
    document.workbook.defineName(name, formula, number);
    const scope = sheet === undefined ? {} : { sheet };
    return before
      ? [defineName.of({ name: before.name, ...scope, formula: before.formula })]
      : [removeName.of({ name, ...scope })];
  },
});

interface RemoveName {
  readonly name: string;
  readonly sheet?: string;
}

export const removeName: MutationKind<RemoveName> = defineMutation({
  type: 35,
  name: 'remove_name',
  scope: 'objects',
  touches: (data) => [{ object: nameObject(data) }],
  isNoOp: neverNoOp,
  beside: laterWhenApart,
  apply: (document, { name, sheet }) => {
    const number = sheet === undefined ? undefined : document.subSheet(sheet).sheet.id;
    const before = nameOf(document, name, sheet);
    document.workbook.removeName(name, number);
    return before
      ? [defineName.of({ name: before.name, ...(sheet === undefined ? {} : { sheet }), formula: before.formula })]
      : [];
  },
});

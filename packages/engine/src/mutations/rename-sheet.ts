import type { SheetNames } from '../formula/reference.ts';
import { neverNoOp, undoNever } from './affected-parts.ts';
import { updateSheetReferences, captureReferencesToName } from './update-references.ts';
import { captureFormulas, captureUnboundNames } from './capture-formulas.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

interface RenameSheet {
  readonly sheet: string;
  readonly name: string;
}

/**
 * Renames a sub-sheet and updates the formulas that refer to it. Formulas that referred to a missing sub-sheet of the
 * new name are bound to this sub-sheet.
 */
export const renameSheet: MutationKind<RenameSheet> = defineMutation({
  type: 26,
  name: 'rename_sheet',
  scope: 'sheets',
  touches: ({ sheet }) => [{ sheet, object: 'name' }],
  isNoOp: neverNoOp,
  beside: undoNever,
  apply: (document, { sheet, name }) => {
    const sub = document.subSheet(sheet);
    if (name === '') throw new RangeError('name: a sub-sheet needs a name');
    const before = sub.name;
    const names = captureUnboundNames(document);
    const mentions = captureReferencesToName(document, name);
    const { id } = sub.sheet;
    const rewritten = document.workbook.renameSheet(id, name);
    const asBefore: SheetNames = {
      sheetName: (number) => (number === id ? before : document.workbook.sheetName(number)),
      sheetId: (text) => (text.toUpperCase() === before.toUpperCase() ? id : document.workbook.sheetId(text)),
    };
    return [
      renameSheet.of({ sheet, name: before }),
      ...captureFormulas(document, rewritten, (_, row, col) => ({ row, col })),
      ...names,
      ...updateSheetReferences(document, asBefore, (ref) => ref),
      ...mentions,
    ];
  },
});

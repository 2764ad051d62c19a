import { neverNoOp, laterWhenApart } from './affected-parts.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

interface MoveSheet {
  readonly sheet: string;
  /** Index of the sub-sheet in the resulting order. */
  readonly to: number;
}

export const moveSheet: MutationKind<MoveSheet> = defineMutation({
  type: 27,
  name: 'move_sheet',
  scope: 'sheets',
  touches: ({ sheet }) => [{ sheet, object: 'place' }],
  isNoOp: neverNoOp,
  beside: laterWhenApart,
  apply: (document, { sheet, to }) => {
    const sub = document.subSheet(sheet);
    const { subSheets } = document;
    if (!Number.isInteger(to) || to < 0 || to >= subSheets.length)
      throw new RangeError(`to: ${to} is not between 0 and ${subSheets.length - 1}`);
    const from = subSheets.indexOf(sub);
    document.workbook.moveSheet(sub.sheet.id, to);
    document.arrange(subSheets.toSpliced(from, 1).toSpliced(to, 0, sub));
    return [moveSheet.of({ sheet, to: from })];
  },
});

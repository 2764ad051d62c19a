import type { RewrittenFormulas } from '../workbook/structure.ts';
import { newCols, newRows, SubSheet } from '../document/objects/sub-sheet.ts';
import type { SheetType } from '../document/objects/objects.ts';
import { deleteSheet } from './delete-sheet.ts';
import { alwaysChanges, besideLater } from './facts.ts';
import { defineMutation, type MutationKind } from './mutation.ts';
import { keepFormulas, keepUnboundNames } from './support.ts';

export interface AddSheet {
  /** Id of the new sub-sheet, made by the caller. */
  readonly sheet: string;
  readonly name: string;
  readonly at?: number;
  readonly type?: SheetType;
  readonly rows?: number;
  readonly cols?: number;
  /** The number formulas know it by; only undoing a deletion gives it. */
  readonly number?: number;
}

export const addSheet: MutationKind<AddSheet> = defineMutation({
  type: 24,
  name: 'add_sheet',
  scope: 'sheets',
  touches: ({ sheet }) => [{ object: `sub-sheet ${sheet}` }],
  isNoOp: alwaysChanges,
  beside: besideLater,
  apply: (document, data) => {
    const { workbook } = document;
    if (typeof data.sheet !== 'string' || data.sheet === '') throw new RangeError('sheet: a sub-sheet needs an id');
    if (document.find(data.sheet)) throw new RangeError(`sheet: a sub-sheet '${data.sheet}' exists`);
    if (data.name === '') throw new RangeError('name: a sub-sheet needs a name');
    const at = data.at ?? document.subSheets.length;
    if (!Number.isInteger(at) || at < 0 || at > document.subSheets.length)
      throw new RangeError(`at: ${at} is not between 0 and ${document.subSheets.length}`);
    const names = keepUnboundNames(document);
    const rewritten: RewrittenFormulas[] = [];
    const number = data.number ?? Math.max(0, ...workbook.sheets.map((one) => one.id)) + 1;
    const made = new SubSheet(
      data.sheet,
      data.type ?? 'worksheet',
      workbook.addSheet(data.name, at, number, rewritten),
    );
    made.rows = data.rows ?? newRows;
    made.cols = data.cols ?? newCols;
    document.arrange(document.subSheets.toSpliced(at, 0, made));
    return [
      deleteSheet.of({ sheet: data.sheet }),
      ...keepFormulas(document, rewritten, (_, row, col) => ({ row, col })),
      ...names,
    ];
  },
});

import type { SheetNames } from '../formula/reference.ts';
import { retractPivots } from '../document/pivot/output.ts';
import { capture, isEmpty } from '../document/objects/contents.ts';
import { wholeGrid, regionOf } from '../document/objects/rect.ts';
import { addSheet } from './add-sheet.ts';
import { alwaysChanges, besideNothing } from './facts.ts';
import { defineMutation, type Mutation, type MutationKind } from './mutation.ts';
import { restoreBlock } from './restore-block.ts';
import { restoreState } from './restore-state.ts';
import { changedNames } from './structural.ts';
import { keepFormulas, keepStyles } from './support.ts';

export interface DeleteSheet {
  readonly sheet: string;
}

/** References to it become `#REF!`; pivot tables on it go, those that read it lose their source. */
export const deleteSheet: MutationKind<DeleteSheet> = defineMutation({
  type: 25,
  name: 'delete_sheet',
  scope: 'sheets',
  touches: ({ sheet }) => [{ sheet, rect: wholeGrid }],
  isNoOp: alwaysChanges,
  beside: besideNothing,
  apply: (document, { sheet }) => {
    const sub = document.subSheet(sheet);
    const { workbook } = document;
    const { id: number, name } = sub.sheet;
    const at = document.subSheets.indexOf(sub);
    retractPivots(document, sheet);
    const state = sub.save();
    const undo: Mutation[] = [addSheet.of({ sheet, name, at, type: sub.type, rows: sub.rows, cols: sub.cols, number })];
    const contents = capture(document, sub, wholeGrid);
    if (!isEmpty(contents)) undo.push(restoreBlock.of({ sheet, region: regionOf(wholeGrid), ...contents }));
    if (sub.styles.used().length > 0) undo.push(keepStyles(document, sub, wholeGrid));
    const names = document.names();
    for (const one of names) if (one.sheet === sheet) workbook.removeName(one.name, number);
    const { pivots } = document;
    document.pivots = pivots
      .filter((one) => one.sheet !== sheet)
      .map((one) => (one.sourceSheet === sheet ? { ...one, source: null } : one));
    const rewritten = workbook.deleteSheet(number);
    document.arrange(document.subSheets.toSpliced(at, 1));
    const asBefore: SheetNames = {
      sheetName: (id) => (id === number ? name : workbook.sheetName(id)),
      sheetId: (text) => workbook.sheetId(text),
    };
    undo.push(...keepFormulas(document, rewritten, (_, row, col) => ({ row, col }), asBefore));
    const lostNames = changedNames(names, document.names());
    const samePivots = document.pivots.length === pivots.length && document.pivots.every((one, i) => one === pivots[i]);
    undo.push(
      restoreState.of({
        sheet,
        state,
        ...(samePivots ? {} : { pivots }),
        ...(lostNames.length > 0 ? { names: lostNames } : {}),
      }),
    );
    document.looksChanged = true;
    return undo;
  },
});

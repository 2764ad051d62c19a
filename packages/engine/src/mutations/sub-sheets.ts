import { capture, isEmpty } from '../document/objects/cell-contents.ts';
import type { SheetType } from '../document/objects/sheet-objects.ts';
import { wholeGrid, regionOf } from '../document/objects/rect.ts';
import { newCols, newRows, SubSheet } from '../document/objects/sub-sheet.ts';
import { namesForStoredFormulas } from '../document/objects/document-tables.ts';
import { retractPivots } from '../document/pivot/pivot-output.ts';
import type { SheetNames } from '../formula/reference.ts';
import { lostRef } from '../formula/rewrite-reference.ts';
import type { RewrittenFormulas } from '../workbook/shift-cells-and-formulas.ts';
import { neverNoOp, laterWhenApart, undoNever } from './affected-parts.ts';
import { updateSheetReferences, captureReferencesToName } from './update-references.ts';
import { captureFormulas, captureUnboundNames } from './capture-formulas.ts';
import { defineMutation, type MutationKind, type Mutation } from './define-mutation.ts';
import { restoreBlock } from './restore-block.ts';
import { restoreState } from './restore-state.ts';
import { keepStyles } from './restore-styles.ts';
import { changedNames } from './structural-edit.ts';

interface AddSheet {
  /** Id of the new sub-sheet, chosen by the caller. */
  readonly sheet: string;
  readonly name: string;
  readonly at?: number;
  readonly type?: SheetType;
  readonly rows?: number;
  readonly cols?: number;
  /** Numeric id of the sub-sheet in formulas; set only when a deletion is undone. */
  readonly number?: number;
}

export const addSheet: MutationKind<AddSheet> = defineMutation({
  type: 24,
  name: 'add_sheet',
  scope: 'sheets',
  touches: ({ sheet }) => [{ object: `sub-sheet ${sheet}` }],
  isNoOp: neverNoOp,
  beside: laterWhenApart,
  apply: (document, data) => {
    const { workbook } = document;
    if (typeof data.sheet !== 'string' || data.sheet === '') throw new RangeError('sheet: a sub-sheet needs an id');
    if (document.find(data.sheet)) throw new RangeError(`sheet: a sub-sheet '${data.sheet}' exists`);
    if (data.name === '') throw new RangeError('name: a sub-sheet needs a name');
    const at = data.at ?? document.subSheets.length;
    if (!Number.isInteger(at) || at < 0 || at > document.subSheets.length)
      throw new RangeError(`at: ${at} is not between 0 and ${document.subSheets.length}`);
    const names = captureUnboundNames(document);
    const mentions = captureReferencesToName(document, data.name);
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
      ...captureFormulas(document, rewritten, (_, row, col) => ({ row, col })),
      ...names,
      ...mentions,
    ];
  },
});

interface DeleteSheet {
  readonly sheet: string;
}

/**
 * Deletes a sub-sheet and its pivot tables. References to it become `#REF!`; pivot tables that read it lose their
 * source.
 */
export const deleteSheet: MutationKind<DeleteSheet> = defineMutation({
  type: 25,
  name: 'delete_sheet',
  scope: 'sheets',
  touches: ({ sheet }) => [{ sheet, rect: wholeGrid }],
  isNoOp: neverNoOp,
  beside: undoNever,
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
    const written = namesForStoredFormulas(document);
    const names = document.names(written);
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
      tableForm: 'stored',
    };
    undo.push(...captureFormulas(document, rewritten, (_, row, col) => ({ row, col }), asBefore));
    const carried = updateSheetReferences(
      document,
      { ...asBefore, sheetId: (text) => (text.toUpperCase() === name.toUpperCase() ? number : workbook.sheetId(text)) },
      (ref) => (ref.sheet === number || ref.lastSheet === number ? lostRef({ ...ref, sheet: undefined }) : ref),
      sheet,
    );
    const lostNames = changedNames(names, document.names(written));
    const samePivots = document.pivots.length === pivots.length && document.pivots.every((one, i) => one === pivots[i]);
    undo.push(
      restoreState.of({
        sheet,
        state,
        ...(samePivots ? {} : { pivots }),
        ...(lostNames.length > 0 ? { names: lostNames } : {}),
      }),
      ...carried,
    );
    document.looksChanged = true;
    return undo;
  },
});

import {
  capture,
  isEmpty,
  prepareContents,
  writeContents,
  type BlockCell,
  type Constant,
  type FormulaRun,
  type ValueRun,
} from '../document/objects/cell-contents.ts';
import { regionOf } from '../document/objects/rect.ts';
import { clearContents } from './clear-contents.ts';
import { checkWholeArrays } from './array-formula-checks.ts';
import { removeLinksAndRichText } from './remove-links-and-rich-text.ts';
import { neverNoOp, undoWhenApart } from './affected-parts.ts';
import { growGrid } from './set-grid.ts';
import { defineMutation, type Mutation, type MutationKind } from './define-mutation.ts';
import { restoreBlock } from './restore-block.ts';

interface SetRangeBlock {
  readonly sheet: string;
  readonly row: number;
  readonly col: number;
  /** Cells row by row; rows may have different lengths. */
  readonly rows: readonly (readonly BlockCell[])[];
}

/** Writes values and formulas to a block of adjacent cells, for example the rows of a CSV text. */
export const setRangeBlock: MutationKind<SetRangeBlock> = defineMutation({
  type: 2,
  name: 'set_range_block',
  scope: 'cells',
  touches: ({ sheet, row, col, rows }) => {
    const width = rows.reduce((most, line) => Math.max(most, line.length), 1);
    const rect = { top: row, left: col, bottom: row + Math.max(1, rows.length) - 1, right: col + width - 1 };
    return [{ sheet, rect, writesFormulas: true, writesContents: true }];
  },
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, data) => {
    const sub = document.subSheet(data.sheet);
    const prepared = prepareContents(document, runsOf(data), sub);
    if (prepared.rects.length === 0) return [];
    checkWholeArrays(document, sub, prepared.rects);
    const rect = { top: data.row, left: data.col, bottom: prepared.lastRow, right: prepared.lastCol };
    const region = regionOf(rect);
    const old = capture(document, sub, rect);
    const undo: Mutation[] = [
      isEmpty(old)
        ? clearContents.of({ sheet: sub.id, region, keepLinks: true })
        : restoreBlock.of({ sheet: sub.id, region, ...old, keepLinks: true }),
    ];
    undo.push(...removeLinksAndRichText(sub, prepared.rects));
    writeContents(document, sub, prepared);
    undo.push(...growGrid(sub, prepared.lastRow, prepared.lastCol));
    return undo;
  },
});

function runsOf({ row, col, rows }: SetRangeBlock): { values: ValueRun[]; formulas: FormulaRun[] } {
  const values: [number, number, Constant[]][] = [];
  const formulas: FormulaRun[] = [];
  const open: ([number, number, Constant[]] | undefined)[] = [];
  rows.forEach((line, r) => {
    for (let c = 0; c < line.length; c++) {
      const cell = line[c];
      if (cell === null || cell === undefined) continue;
      if (typeof cell === 'object' && 'formula' in cell) {
        formulas.push([row + r, col + c, 1, cell.formula]);
        continue;
      }
      let run = open[c];
      if (!run || run[0] + run[2].length !== row + r) {
        run = [row + r, col + c, []];
        open[c] = run;
        values.push(run);
      }
      run[2].push(cell);
    }
  });
  return { values, formulas };
}

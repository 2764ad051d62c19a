import {
  capture,
  prepareContents,
  writeContents,
  type Contents,
  type FormulaRun,
  type ValueRun,
} from '../document/objects/cell-contents.ts';
import { checkWholeArrays } from './array-formula-checks.ts';
import { removeLinksAndRichText } from './remove-links-and-rich-text.ts';
import { neverNoOp, undoWhenApart } from './affected-parts.ts';
import { growGrid } from './set-grid.ts';
import { defineMutation, type Mutation, type MutationKind, type Touch } from './define-mutation.ts';

interface SetValues extends Contents {
  readonly sheet: string;
  /** If set, links and rich text of the cells are kept. */
  readonly keepLinks?: true;
}

/**
 * Writes runs of values and formulas down columns. Styles are kept; links and rich text are removed unless `keepLinks`
 * is set.
 */
export const setValues: MutationKind<SetValues> = defineMutation({
  type: 1,
  name: 'set_values',
  scope: 'cells',
  touches: ({ sheet, values = [], formulas = [] }) => [
    ...values.map(([row, col, list]) => run(sheet, row, col, list.length)),
    ...formulas.map(([row, col, count, , mode]) => {
      const [rows, cols] = typeof mode === 'object' ? mode : [1, 1];
      return run(sheet, row, col, count + rows - 1, cols);
    }),
  ],
  place: boxAround,
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, data) => {
    const sub = document.subSheet(data.sheet);
    const prepared = prepareContents(document, data, sub);
    checkWholeArrays(document, sub, prepared.rects);
    const values: ValueRun[] = [];
    const formulas: FormulaRun[] = [];
    for (const rect of prepared.rects) {
      const old = capture(document, sub, rect, true);
      if (old.values) values.push(...old.values);
      if (old.formulas) formulas.push(...old.formulas);
    }
    const undo: Mutation[] = [
      setValues.of({ sheet: data.sheet, values, formulas, ...(data.keepLinks ? { keepLinks: true as const } : {}) }),
    ];
    if (!data.keepLinks) undo.push(...removeLinksAndRichText(sub, prepared.rects));
    writeContents(document, sub, prepared);
    undo.push(...growGrid(sub, prepared.lastRow, prepared.lastCol));
    return undo;
  },
});

function run(sheet: string, row: number, col: number, count: number, cols = 1): Touch {
  const rect = { top: row, left: col, bottom: row + count - 1, right: col + cols - 1 };
  return { sheet, rect, writesFormulas: true, writesContents: true };
}

/**
 * Returns the bounding box of all written cells as a single `Touch` (a part of the document that a mutation changes).
 * One `Touch` per cell would be too many for thousands of scattered cells.
 */
function boxAround({ sheet, values = [], formulas = [] }: SetValues): Touch[] {
  const rect = { top: Infinity, left: Infinity, bottom: -1, right: -1 };
  const include = (row: number, col: number, count: number): void => {
    if (row < rect.top) rect.top = row;
    if (col < rect.left) rect.left = col;
    if (row + count - 1 > rect.bottom) rect.bottom = row + count - 1;
    if (col > rect.right) rect.right = col;
  };
  for (const [row, col, column] of values) include(row, col, column.length);
  for (const [row, col, count] of formulas) include(row, col, count);
  return rect.bottom < 0 ? [] : [{ sheet, rect }];
}

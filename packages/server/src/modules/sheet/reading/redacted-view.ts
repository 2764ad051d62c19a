import { cellRect, containsCell, unionRect } from '../cells/rects.ts';
import {
  cellsShowingFormulaText,
  meets,
  rectOf,
  type SheetDocument,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { charge, rectName, type Rect } from '@sheaf/engine';
import { buildLayout, buildRangeView } from './range-view.ts';

type Calculation = Parameters<typeof buildRangeView>[3];

/**
 * Returns a function that tests whether a cell is in a hidden row or column. Rows hidden by a filter count as hidden.
 */
export function createHiddenTest(sub: SubSheet): (row: number, col: number) => boolean {
  const filtered = sub.filteredRows();
  return (row, col) => sub.hiddenRows.get(row) !== 0 || filtered.get(row) !== 0 || sub.hiddenCols.get(col) !== 0;
}

/**
 * Returns the view of a region for readers who may see only what is displayed. Leaves out hidden rows and columns,
 * cells covered by a merge, values hidden by a conditional format, and the texts of formulas.
 */
export function buildRedactedView(
  document: SheetDocument,
  sub: SubSheet,
  rect: Rect,
  calculation: Calculation,
): ReturnType<typeof buildRangeView> {
  const { cells, styles, links, colours, rich, formats, ...view } = buildRangeView(document, sub, rect, calculation);
  const isHidden = createHiddenTest(sub);
  const isCovered = (row: number, col: number): boolean =>
    view.merges.length > 0 &&
    sub.merges.meeting(cellRect(row, col)).some(({ top, left }) => top !== row || left !== col);
  const withoutValue = new Set((formats ?? []).flatMap((one) => (one.hide_value ? [`${one.row} ${one.col}`] : [])));
  const showsFormula = createFormulaTextTest(document, sub);
  const isSeen = (row: number, col: number): boolean => !isHidden(row, col) && !isCovered(row, col);
  const isValueSeen = (row: number, col: number): boolean => isSeen(row, col) && !withoutValue.has(`${row} ${col}`);
  const text = 0;
  return {
    ...view,
    cells: cells.flatMap(([row, col, shown, kind]): typeof cells => {
      if (!isSeen(row, col)) return [];
      const isBlank = !isValueSeen(row, col) || (kind === text && showsFormula(row, col));
      return [[row, col, isBlank ? '' : shown, kind]];
    }),
    styles: styles.flatMap((run) => visibleRuns(run, isHidden)),
    links: links.filter(([row, col]) => isSeen(row, col)),
    ...(colours ? { colours: colours.filter(([row, col]) => isValueSeen(row, col)) } : {}),
    ...(rich ? { rich: rich.filter(({ row, col }) => isValueSeen(row, col)) } : {}),
    ...(formats ? { formats: formats.filter(({ row, col }) => isSeen(row, col)) } : {}),
  };
}

type StyleRun = ReturnType<typeof buildRangeView>['styles'][number];

/** Splits a run of equal styles in a column at its hidden rows. Returns the visible parts. */
function visibleRuns([col, first, last, look]: StyleRun, isHidden: (row: number, col: number) => boolean): StyleRun[] {
  charge(last - first);
  const runs: StyleRun[] = [];
  for (let start = first, row = first; row <= last + 1; row++) {
    if (row <= last && !isHidden(row, col)) continue;
    if (start < row) runs.push([col, start, row - 1, look]);
    start = row + 1;
  }
  return runs;
}

function createFormulaTextTest(document: SheetDocument, sub: SubSheet): (row: number, col: number) => boolean {
  const byNumber = cellsShowingFormulaText(document.workbook);
  const rects = [...(byNumber.get(sub.sheet.id) ?? [])];
  // A pivot table may display texts of its source range. If the source range contains cells that show formula texts (by
  // FORMULATEXT), the pivot table's output is left out too.
  for (const { id, sourceSheet, source } of byNumber.size === 0 ? [] : document.pivots) {
    const output = document.pivotOutputs.get(id);
    const read = source && byNumber.get(document.find(sourceSheet)?.sheet.id ?? -1);
    if (output?.sheet === sub.id && source && read?.some((one) => meets(one, rectOf(source)))) rects.push(output.rect);
  }
  return (row, col) => {
    charge(rects.length);
    return rects.some((one) => containsCell(one, row, col));
  };
}

/**
 * Returns the layout of a sub-sheet. Its used range covers visible cells only, because the full used range would reveal
 * the extent of hidden rows and columns.
 */
export function buildRedactedLayout(document: SheetDocument, sub: SubSheet): ReturnType<typeof buildLayout> {
  const layout = buildLayout(document, sub);
  const used = document.usedRange(sub);
  if (!used || (layout.hidden_rows.length === 0 && layout.hidden_cols.length === 0)) return layout;
  const isHidden = createHiddenTest(sub);
  let seen: Rect | undefined;
  let count = 0;
  sub.sheet.eachFilled(used.top, used.left, used.bottom, used.right, (_, down, right) => {
    if ((++count & 1023) === 0) charge(4096);
    const [row, col] = [used.top + down, used.left + right];
    if (isHidden(row, col)) return;
    seen = unionRect(seen, cellRect(row, col));
  });
  return { ...layout, used: seen ? rectName(seen) : '' };
}

import { foldText } from '../../base/compare.ts';
import type { SheetDocument } from '../document.ts';
import type { PivotItem } from '../../functions/call-context.ts';
import { generalText } from '../../base/general-format.ts';
import type { PivotTable } from '../objects/sheet-objects.ts';
import { rectOf } from '../objects/rect.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';
import { cellErrors, type Scalar } from '../../base/values.ts';
import { noValue, fieldNames, shapeOf } from './compute-pivot.ts';

/**
 * Implements the function GETPIVOTDATA: returns a value from the output of the pivot table that covers the cell `row`,
 * `col`. `data` names the value column, and `items` gives a value for each group. The items must name all row groups
 * (for one row) or none of them (for the grand total), and likewise the column groups. Returns #REF! for a combination
 * that the output does not contain.
 */
export function getPivotData(
  document: SheetDocument,
  sub: SubSheet,
  row: number,
  col: number,
  data: string,
  items: readonly PivotItem[],
): Scalar {
  const pivot = document.pivots.find((one) => {
    const output = document.pivotOutputs.get(one.id);
    return (
      output?.sheet === sub.id &&
      !output.blocked &&
      !output.hidden &&
      row >= output.rect.top &&
      row <= output.rect.bottom &&
      col >= output.rect.left &&
      col <= output.rect.right
    );
  });
  const source = pivot?.source && document.find(pivot.sourceSheet);
  if (!pivot?.source || !source) return cellErrors.ref;
  const { rect } = document.pivotOutputs.get(pivot.id)!;
  const from = rectOf(pivot.source);
  const names = fieldNames(document, source, from.top, from.left, from.right).map(foldText);
  const measure = measureOf(pivot, names, data);
  const wanted = wantedItems(pivot, names, items);
  if (measure < 0 || !wanted) return cellErrors.ref;
  const { labelCols, headingRows, measures, isAcross } = shapeOf(pivot);
  const shown = (r: number, c: number): Scalar => sub.sheet.read(r, c);
  // An item of the function call matches a label cell by the cell's value or by its formatted text.
  const isItem = (r: number, c: number, item: Scalar): boolean =>
    isSame(shown(r, c), item) || (typeof item === 'string' && foldText(document.text(sub, r, c)) === foldText(item));
  const rowAt = lineAt(
    pivot.rowGroups,
    wanted,
    rect.top + headingRows,
    rect.bottom - 1,
    1,
    rect.bottom,
    (line, level, item) => isItem(line, rect.left + level, item),
  );
  const firstCol = rect.left + labelCols;
  const total = isAcross ? rect.right - measures + 1 : firstCol;
  const colAt = lineAt(pivot.columnGroups, wanted, firstCol, total - 1, measures, total, (line, level, item) =>
    isItem(rect.top + level, line, item),
  );
  return rowAt < 0 || colAt < 0 ? cellErrors.ref : shown(rowAt, colAt + measure);
}

/**
 * Returns the index of the value column with the caption `data`, else of the first one whose field has this name; -1 if
 * there is none.
 */
function measureOf(pivot: PivotTable, names: readonly string[], data: string): number {
  const asked = foldText(data);
  const captions = [
    ...pivot.values.map(({ field, aggregation }) => foldText(`${aggregation} of `) + (names[field] ?? '')),
    ...pivot.calculated.map(({ name }) => foldText(name)),
  ];
  const byCaption = captions.indexOf(asked);
  return byCaption >= 0 ? byCaption : pivot.values.findIndex(({ field }) => names[field] === asked);
}

/**
 * Returns the item that a GETPIVOTDATA call gives for each field, by field index. Returns undefined if a field is given
 * twice or is neither a row group nor a column group of the pivot table.
 */
function wantedItems(
  pivot: PivotTable,
  names: readonly string[],
  items: readonly PivotItem[],
): Map<number, Scalar> | undefined {
  const wanted = new Map<number, Scalar>();
  for (const { field, item } of items) {
    const at = names.indexOf(foldText(field));
    if (wanted.has(at) || (!pivot.rowGroups.includes(at) && !pivot.columnGroups.includes(at))) return undefined;
    wanted.set(at, item);
  }
  return wanted;
}

function lineAt(
  groups: readonly number[],
  wanted: ReadonlyMap<number, Scalar>,
  first: number,
  last: number,
  step: number,
  total: number,
  isItem: (line: number, level: number, item: Scalar) => boolean,
): number {
  const named = groups.filter((field) => wanted.has(field)).length;
  if (named === 0) return total;
  if (named < groups.length) return -1;
  for (let line = first; line <= last; line += step) {
    if (groups.every((field, level) => isItem(line, level, wanted.get(field) ?? null))) return line;
  }
  return -1;
}

function isSame(label: Scalar, item: Scalar): boolean {
  return label === item || foldText(textOf(label)) === foldText(textOf(item));
}

function textOf(value: Scalar): string {
  if (value === null || value === '') return noValue;
  if (typeof value === 'number') return generalText(value);
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : typeof value === 'string' ? value : value.text;
}

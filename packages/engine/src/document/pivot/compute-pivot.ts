import { charge, chargeArray } from '../../base/budget.ts';
import { compareScalars, foldText } from '../../base/compare.ts';
import type { SheetDocument } from '../document.ts';
import { storedText } from '../display-text.ts';
import type { PivotTable } from '../objects/sheet-objects.ts';
import { rectOf } from '../objects/rect.ts';
import type { SubSheet } from '../objects/sub-sheet.ts';
import { maxCols, maxRows } from '../../base/grid-size.ts';
import { CellError, Matrix, type Scalar } from '../../base/values.ts';
import type { RecalcOptions } from '../../workbook/workbook-core.ts';
import { Aggregator } from './aggregate.ts';
import { compileOrNameError, type CalculatedField } from './calculated-fields.ts';

const grandTotal = 'Grand Total';
export const noValue = '(blank)';

/**
 * One distinct combination of the values of the row groups or column groups. It becomes a row or column of the pivot
 * table's output.
 */
interface Member {
  readonly key: string;
  readonly values: readonly Scalar[];
  readonly labels: readonly Scalar[];
}

/** A value column of the pivot table: an aggregated field or a calculated field. */
interface Measure {
  readonly caption: string;
  readonly result: (tallies: readonly Aggregator[]) => Scalar;
}

/** Returns the field names of a pivot source: the texts of its first row, or `Column N` where a cell is blank. */
export function fieldNames(document: SheetDocument, sub: SubSheet, top: number, left: number, right: number): string[] {
  return Array.from({ length: right - left + 1 }, (_, i) => document.text(sub, top, left + i) || `Column ${i + 1}`);
}

/**
 * Computes the output of a pivot table. Its rows are the header rows, one row per combination of row group values, and
 * the grand total. Its columns are the row groups, the values for each combination of column group values, and the
 * grand totals. The matrix is empty if the source is missing or the table has no fields.
 */
export function computePivot(document: SheetDocument, pivot: PivotTable, options: RecalcOptions): Matrix {
  const sub = document.find(pivot.sourceSheet);
  if (!sub || !pivot.source) return new Matrix(0, 0, []);
  const rect = rectOf(pivot.source);
  const names = fieldNames(document, sub, rect.top, rect.left, rect.right);
  const { measures, fields } = measuresOf(document, pivot, names, options);
  if (measures.length === 0 && pivot.rowGroups.length === 0 && pivot.columnGroups.length === 0)
    return new Matrix(0, 0, []);
  const rows = new Map<string, Member>();
  const cols = new Map<string, Member>();
  const cells = new Map<string, Aggregator[]>();
  const tally = (key: string): Aggregator[] => {
    let found = cells.get(key);
    if (!found) {
      found = fields.map(() => new Aggregator());
      cells.set(key, found);
    }
    return found;
  };
  const bottom = Math.min(rect.bottom, sub.sheet.lastRow);
  const visible = pivot.filters.flatMap(({ field, visible: list }) =>
    list === null ? [] : [{ col: rect.left + field, texts: new Set(list.map(foldText)) }],
  );
  const width = rect.right - rect.left + 1;
  for (let row = rect.top + 1; row <= bottom; row++) {
    charge(16 + (width >> 2) + 4 * fields.length);
    if (isBlankRow(sub, row, rect.left, rect.right)) continue;
    if (!visible.every(({ col, texts }) => isListed(document, sub, row, col, texts))) continue;
    const member = memberOf(sub, row, rect.left, pivot.rowGroups);
    const across = memberOf(sub, row, rect.left, pivot.columnGroups);
    if (!rows.has(member.key)) rows.set(member.key, member);
    if (!cols.has(across.key)) cols.set(across.key, across);
    const tallies = [
      tally(`${member.key}\u0001${across.key}`),
      tally(`${member.key}\u0002`),
      tally(`\u0003${across.key}`),
      tally('\u0004'),
    ];
    fields.forEach((field, i) => {
      const value = sub.sheet.read(row, rect.left + field);
      for (const one of tallies) (one[i] as Aggregator).add(value);
    });
  }
  return layOut(pivot, names, measures, ordered(rows), ordered(cols), (key) => cells.get(key));
}

/**
 * Returns whether a filter's list of visible values contains the cell's formatted text or its stored value. `texts`
 * contains the listed values in case-folded form.
 */
function isListed(document: SheetDocument, sub: SubSheet, row: number, col: number, texts: Set<string>): boolean {
  const value = sub.sheet.read(row, col);
  return texts.has(foldText(document.text(sub, row, col))) || texts.has(foldText(storedText(value)));
}

function measuresOf(
  document: SheetDocument,
  pivot: PivotTable,
  names: readonly string[],
  options: RecalcOptions,
): { measures: Measure[]; fields: number[] } {
  const fields: number[] = [];
  const slot = (field: number): number => {
    const at = fields.indexOf(field);
    return at >= 0 ? at : fields.push(field) - 1;
  };
  const measures: Measure[] = pivot.values.map(({ field, aggregation }) => {
    const at = slot(field);
    return {
      caption: `${aggregation} of ${names[field] ?? ''}`,
      result: (tallies) => (tallies[at] as Aggregator).result(aggregation),
    };
  });
  for (const { name, formula } of pivot.calculated) {
    const calculated: CalculatedField = compileOrNameError(document, formula, names, options);
    const slots = calculated.fields.map(slot);
    measures.push({
      caption: name,
      result: (tallies) => calculated.compute(slots.map((at) => (tallies[at] as Aggregator).result('SUM'))),
    });
  }
  return { measures, fields };
}

function isBlankRow(sub: SubSheet, row: number, left: number, right: number): boolean {
  for (let col = left; col <= right; col++) if (sub.sheet.read(row, col) !== null) return false;
  return true;
}

function memberOf(sub: SubSheet, row: number, left: number, groups: readonly number[]): Member {
  const values = groups.map((field) => sub.sheet.read(row, left + field));
  const labels = values.map((value) => (value === null || value === '' ? noValue : value));
  return { key: values.map(keyOf).join('\u0000'), values, labels };
}

function keyOf(value: Scalar): string {
  if (typeof value === 'number') return `n${value}`;
  if (typeof value === 'string') return value === '' ? '' : `t${foldText(value)}`;
  if (typeof value === 'boolean') return `b${value}`;
  return value instanceof CellError ? `e${value.code}` : '';
}

/** Sorts the values of a pivot table's row or column groups: numbers, text, booleans, errors, then blanks. */
function ordered(members: ReadonlyMap<string, Member>): Member[] {
  charge(members.size * (1 + Math.ceil(Math.log2(members.size + 1))));
  return [...members.values()].sort((a, b) => {
    for (let i = 0; i < a.values.length; i++) {
      const left = a.values[i] === '' ? null : (a.values[i] ?? null);
      const right = b.values[i] === '' ? null : (b.values[i] ?? null);
      if (left === null || right === null) {
        if (left !== right) return left === null ? 1 : -1;
        continue;
      }
      const order = compareScalars(left, right);
      if (order !== 0) return order;
    }
    return 0;
  });
}

/**
 * Returns the layout of a pivot table's output: the number of label columns at the left, the number of header rows, the
 * number of value columns per group (`measures`), and whether there are column groups (`isAcross`).
 */
export function shapeOf(pivot: PivotTable): {
  labelCols: number;
  headingRows: number;
  measures: number;
  isAcross: boolean;
} {
  const measures = pivot.values.length + pivot.calculated.length;
  const isAcross = pivot.columnGroups.length > 0;
  return {
    labelCols: Math.max(pivot.rowGroups.length, isAcross || measures > 0 ? 1 : 0),
    headingRows: isAcross ? pivot.columnGroups.length + (measures > 1 ? 1 : 0) : 1,
    measures,
    isAcross,
  };
}

function layOut(
  pivot: PivotTable,
  names: readonly string[],
  measures: readonly Measure[],
  rows: readonly Member[],
  cols: readonly Member[],
  tallies: (key: string) => Aggregator[] | undefined,
): Matrix {
  const { labelCols, isAcross: across } = shapeOf(pivot);
  const width = labelCols + (across ? (cols.length + 1) * Math.max(1, measures.length) : measures.length);
  const height = rows.length + 1;
  // A table larger than a sub-sheet cannot be shown, so only its size is returned, without values.
  if (width > maxCols || height > maxRows) return new Matrix(height, width, []);
  charge(width * height);
  chargeArray(width * height);
  const grid: Scalar[][] = [];
  const results = (key: string): Scalar[] => {
    const found = tallies(key);
    charge(2 + measures.length);
    return measures.map((measure) => (found ? measure.result(found) : null));
  };
  const headings = pivot.rowGroups.map((field) => names[field] ?? '');
  const padded = (labels: readonly Scalar[]): Scalar[] => [
    ...labels,
    ...Array.from({ length: labelCols - labels.length }, () => null),
  ];
  if (across) {
    pivot.columnGroups.forEach((field, level) => {
      const line =
        level === 0 && pivot.rowGroups.length === 0
          ? padded([names[field] ?? ''])
          : padded(level === pivot.columnGroups.length - 1 && measures.length <= 1 ? headings : []);
      for (const member of cols)
        for (let i = 0; i < Math.max(1, measures.length); i++) line.push(member.labels[level] ?? null);
      if (measures.length > 0) for (let i = 0; i < measures.length; i++) line.push(level === 0 ? grandTotal : null);
      grid.push(line);
    });
    if (measures.length > 1) {
      const captions = measures.map((measure) => measure.caption);
      grid.push([...padded(headings), ...cols.flatMap(() => captions), ...captions]);
    }
  } else grid.push([...padded(headings), ...measures.map((measure) => measure.caption)]);
  const line = (labels: readonly Scalar[], inCell: (member: Member) => string, total: string): Scalar[] => [
    ...padded(labels),
    ...(across ? cols.flatMap((member) => (measures.length > 0 ? results(inCell(member)) : [null])) : []),
    ...results(total),
  ];
  if (pivot.rowGroups.length > 0) {
    for (const member of rows)
      grid.push(line(member.labels, (column) => `${member.key}\u0001${column.key}`, `${member.key}\u0002`));
  }
  if (measures.length > 0) grid.push(line([grandTotal], (column) => `\u0003${column.key}`, '\u0004'));
  return Matrix.fromRows(grid);
}

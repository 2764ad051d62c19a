import { columnName, type Rect } from '@sheaf/engine';
import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { buildRangeView } from '../reading/range-view.ts';

/** Style properties that affect how a cell is drawn, with the names and values that the document stores. */
export type DrawnStyle = Readonly<Record<string, string | number | boolean>>;

export interface DrawnCell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
  readonly isNumber: boolean;
  readonly style: DrawnStyle;
  /** Fraction of the cell's width covered by a data bar, and the bar's color as AARRGGBB. */
  readonly bar?: { readonly share: number; readonly color: string };
}

/** A range of cells laid out in pixels. It contains everything that is needed to draw the range. */
export interface RangeDrawing {
  readonly kind: 'range';
  readonly width: number;
  readonly height: number;
  readonly columns: readonly { readonly name: string; readonly x: number; readonly width: number }[];
  readonly rows: readonly { readonly name: string; readonly y: number; readonly height: number }[];
  readonly cells: readonly DrawnCell[];
  readonly hasGrid: boolean;
}

const standardWidth = 100;
const standardHeight = 20;
const pixelsPerPoint = 4 / 3;
export const headingWidth = 44;
export const headingHeight = 22;

type Calculation = Parameters<typeof buildRangeView>[3];

/**
 * Computes the layout of a range, including sizes, merged cells, styles, tables and conditional formats. Hidden cells
 * are left out.
 */
export function layOutRange(
  document: SheetDocument,
  sub: SubSheet,
  rect: Rect,
  calculation: Calculation,
): RangeDrawing {
  const columns = placesOf(rect.left, rect.right, headingWidth, (col) =>
    sub.hiddenCols.get(col) !== 0 ? 0 : sub.colSizes.get(col) || standardWidth,
  );
  const rows = placesOf(rect.top, rect.bottom, headingHeight, (row) =>
    sub.isRowHidden(row) ? 0 : (sub.rowSizes.get(row) || standardHeight) * pixelsPerPoint,
  );
  const view = buildRangeView(document, sub, rect, calculation);
  const at = (row: number, col: number): string => `${row} ${col}`;
  const styles = new Map<string, DrawnStyle>();
  for (const table of view.tables ?? []) addTableStyle(styles, table, rect, at);
  for (const [col, first, last, look] of view.styles)
    for (let row = Math.max(first, rect.top); row <= Math.min(last, rect.bottom); row++)
      styles.set(at(row, col), { ...styles.get(at(row, col)), ...view.looks[look]! });
  const bars = new Map<string, DrawnCell['bar']>();
  const hidden = new Set<string>();
  for (const { row, col, style, bar, hide_value: hides } of view.formats ?? []) {
    if (style) styles.set(at(row, col), { ...styles.get(at(row, col)), ...style });
    if (bar) bars.set(at(row, col), bar);
    if (hides) hidden.add(at(row, col));
  }
  for (const [row, col, color] of view.colours ?? [])
    styles.set(at(row, col), { ...styles.get(at(row, col)), fontColor: `FF${color}` });
  const texts = new Map(view.cells.map(([row, col, text, kind]) => [at(row, col), { text, kind }]));
  const cells: DrawnCell[] = [];
  const covered = new Set<string>();
  const add = (row: number, col: number, bottom: number, right: number): void => {
    const [x, width] = span(columns, col, right);
    const [y, height] = span(rows, row, bottom);
    const found = texts.get(at(row, col));
    const style = styles.get(at(row, col)) ?? {};
    const bar = bars.get(at(row, col));
    if (
      width === 0 ||
      height === 0 ||
      (!found && !bar && Object.keys(style).length === 0 && row === bottom && col === right)
    )
      return;
    const text = hidden.has(at(row, col)) ? '' : (found?.text ?? '');
    cells.push({ x, y, width, height, text, isNumber: found?.kind === 1, style, ...(bar ? { bar } : {}) });
  };
  for (const [top, left, bottom, right] of view.merges as [number, number, number, number][]) {
    if (top < rect.top || left < rect.left) continue;
    for (let row = top; row <= bottom; row++) for (let col = left; col <= right; col++) covered.add(at(row, col));
    add(top, left, Math.min(bottom, rect.bottom), Math.min(right, rect.right));
  }
  for (let row = rect.top; row <= rect.bottom; row++)
    for (let col = rect.left; col <= rect.right; col++) if (!covered.has(at(row, col))) add(row, col, row, col);
  return {
    kind: 'range',
    width: Math.ceil(endOf(columns, headingWidth)),
    height: Math.ceil(endOf(rows, headingHeight)),
    columns: columns
      .filter(({ size }) => size > 0)
      .map(({ index, at: x, size }) => ({ name: columnName(index), x, width: size })),
    rows: rows
      .filter(({ size }) => size > 0)
      .map(({ index, at: y, size }) => ({ name: String(index + 1), y, height: size })),
    cells,
    hasGrid: true,
  };
}

interface Place {
  readonly index: number;
  readonly at: number;
  readonly size: number;
}

function placesOf(first: number, last: number, start: number, sizeOf: (index: number) => number): Place[] {
  const places: Place[] = [];
  let at = start;
  for (let index = first; index <= last; index++) {
    const size = sizeOf(index);
    places.push({ index, at, size });
    at += size;
  }
  return places;
}

function endOf(places: readonly Place[], start: number): number {
  const last = places.at(-1);
  return last ? last.at + last.size : start;
}

function span(places: readonly Place[], from: number, to: number): [at: number, size: number] {
  const first = places[from - places[0]!.index]!;
  const last = places[to - places[0]!.index]!;
  return [first.at, last.at + last.size - first.at];
}

type StyledTable = NonNullable<ReturnType<typeof buildRangeView>['tables']>[number];

function addTableStyle(
  styles: Map<string, DrawnStyle>,
  { region, heads, feet, marks, whole, stripe, header, totals }: StyledTable,
  rect: Rect,
  at: (row: number, col: number) => string,
): void {
  const [top, left, bottom, right] = region as [number, number, number, number];
  for (let row = Math.max(top, rect.top); row <= Math.min(bottom, rect.bottom); row++) {
    const isHead = row < top + heads;
    const isFoot = row > bottom - feet;
    const isStriped = marks.includes('row_stripes') && !isHead && !isFoot && (row - top - heads) % 2 === 0;
    const style = { ...whole, ...(isStriped ? stripe : {}), ...(isHead ? header : {}), ...(isFoot ? totals : {}) };
    for (let col = Math.max(left, rect.left); col <= Math.min(right, rect.right); col++)
      styles.set(at(row, col), style);
  }
}

import { type SheetDocument, wholeGrid } from '../engine/document.ts';
import type { Rect } from '../engine/index.ts';
import {
  insertDimension,
  type Mutation,
  type MutationKind,
  putChart,
  putPivot,
  setValues,
} from '../engine/mutations.ts';
import { rangeText } from '../reading/range-text.ts';
import { touched } from '../protection/touched.ts';

const mostLookedAt = 1000;

/** Where a plan works, as one range of the first sub-sheet it touches: for people to go and look, nothing depends on it. */
export function placeOf(document: SheetDocument, mutations: readonly Mutation[]): string | undefined {
  let sheet: string | undefined;
  let box: Rect | undefined;
  for (const mutation of mutations.slice(0, mostLookedAt)) {
    for (const one of rectsOf(document, mutation)) {
      if (one.sheet !== (sheet ??= one.sheet)) continue;
      box = box
        ? {
            top: Math.min(box.top, one.rect.top),
            left: Math.min(box.left, one.rect.left),
            bottom: Math.max(box.bottom, one.rect.bottom),
            right: Math.max(box.right, one.rect.right),
          }
        : one.rect;
    }
  }
  if (sheet === undefined || !box) return undefined;
  const sub = document.find(sheet);
  const { rows, cols } = sub ? document.size(sub) : { rows: 1, cols: 1 };
  return rangeText(sheet, {
    ...box,
    bottom: box.bottom === wholeGrid.bottom ? Math.max(box.top, rows - 1) : box.bottom,
    right: box.right === wholeGrid.right ? Math.max(box.left, cols - 1) : box.right,
  });
}

interface Place {
  readonly sheet: string;
  readonly rect: Rect;
}

function rectsOf(document: SheetDocument, mutation: Mutation): Place[] {
  const values = dataOf(mutation, setValues);
  if (values) {
    // Thousands of scattered cells are one box, without a thing for each of them.
    const rect = { top: Infinity, left: Infinity, bottom: -1, right: -1 };
    const grow = (row: number, col: number, count: number): void => {
      if (row < rect.top) rect.top = row;
      if (col < rect.left) rect.left = col;
      if (row + count - 1 > rect.bottom) rect.bottom = row + count - 1;
      if (col > rect.right) rect.right = col;
    };
    for (const [row, col, column] of values.values ?? []) grow(row, col, column.length);
    for (const [row, col, count] of values.formulas ?? []) grow(row, col, count);
    return rect.bottom < 0 ? [] : [{ sheet: values.sheet, rect }];
  }
  const inserted = dataOf(mutation, insertDimension);
  if (inserted) {
    const last = inserted.at + inserted.count - 1;
    return [
      {
        sheet: inserted.sheet,
        rect:
          inserted.axis === 'row'
            ? { ...wholeGrid, top: inserted.at, bottom: last }
            : { ...wholeGrid, left: inserted.at, right: last },
      },
    ];
  }
  const chart = dataOf(mutation, putChart);
  if (chart) return [{ sheet: chart.sheet, rect: cell(chart.chart.anchor) }];
  const pivot = dataOf(mutation, putPivot);
  if (pivot) return [{ sheet: pivot.pivot.sheet, rect: cell(pivot.pivot) }];
  return touched(document, mutation).flatMap(({ sheet, rect }) => (rect ? [{ sheet, rect }] : []));
}

function dataOf<Data>(mutation: Mutation, kind: MutationKind<Data>): Data | undefined {
  return mutation.type === kind.type ? (mutation.data as Data) : undefined;
}

const cell = ({ row, col }: { row: number; col: number }): Rect => ({ top: row, left: col, bottom: row, right: col });

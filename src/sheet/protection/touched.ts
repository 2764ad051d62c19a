import { type SheetDocument, computePivot, wholeGrid, rectOf, type Region } from '../engine/document.ts';
import type { Rect } from '../engine/index.ts';
import {
  clearContents,
  clearLink,
  deleteDimension,
  deleteRange,
  deleteSheet,
  insertDimension,
  insertRange,
  merge,
  moveDimension,
  type MoveDimension,
  moveLines,
  type Mutation,
  type MutationKind,
  permuteRows,
  putPivot,
  removePivot,
  restoreBlock,
  restoreState,
  restoreStyles,
  setBorder,
  setLink,
  setRangeBlock,
  setRichText,
  setStyle,
  setValues,
  unmerge,
} from '../engine/mutations.ts';

/** What a mutation would change on a sub-sheet. */
export interface Touch {
  readonly sheet: string;
  /** Absent: no cell, only the sub-sheet as a whole (sizes, freeze, charts); protections of the whole sub-sheet count. */
  readonly rect?: Rect;
  /** Only what reaches over this line is touched: rows or columns inserted beside a range leave it whole. */
  readonly across?: { readonly axis: 'row' | 'col'; readonly at: number };
}

type Find<Data> = (data: Data, document: SheetDocument) => Touch[];

const finders = new Map<number, Find<never>>();
function on<Data>(kind: MutationKind<Data>, find: Find<Data>): void {
  finders.set(kind.type, find as Find<never>);
}

const cell = (row: number, col: number): Rect => ({ top: row, left: col, bottom: row, right: col });
const band = (axis: 'row' | 'col', first: number, last: number): Rect =>
  axis === 'row' ? { ...wholeGrid, top: first, bottom: last } : { ...wholeGrid, left: first, right: last };
const region = (data: { sheet: string; region: Region }): Touch[] => [{ sheet: data.sheet, rect: rectOf(data.region) }];
const regions = (data: { sheet: string; regions: readonly Region[] }): Touch[] =>
  data.regions.map((one) => ({ sheet: data.sheet, rect: rectOf(one) }));
/** What a range shift moves: the region and all beyond it in its direction. */
const shifted = (data: { sheet: string; region: Region; axis: 'row' | 'col' }): Touch[] => {
  const rect = rectOf(data.region);
  return [
    {
      sheet: data.sheet,
      rect: data.axis === 'row' ? { ...rect, bottom: wholeGrid.bottom } : { ...rect, right: wholeGrid.right },
    },
  ];
};

on(setValues, (data) => [
  ...(data.values ?? []).map(([row, col, values]) => ({
    sheet: data.sheet,
    rect: { top: row, left: col, bottom: row + values.length - 1, right: col },
  })),
  ...(data.formulas ?? []).map(([row, col, count]) => ({
    sheet: data.sheet,
    rect: { top: row, left: col, bottom: row + count - 1, right: col },
  })),
]);
on(setRangeBlock, (data) => {
  const width = data.rows.reduce((most, row) => Math.max(most, row.length), 1);
  return [
    {
      sheet: data.sheet,
      rect: {
        top: data.row,
        left: data.col,
        bottom: data.row + Math.max(1, data.rows.length) - 1,
        right: data.col + width - 1,
      },
    },
  ];
});
on(clearContents, region);
on(setStyle, region);
on(setBorder, region);
on(permuteRows, region);
on(restoreBlock, region);
on(restoreStyles, region);
on(restoreState, (data) => [{ sheet: data.sheet, rect: wholeGrid }]);
on(merge, regions);
on(unmerge, regions);
on(insertDimension, (data) => [{ sheet: data.sheet, across: { axis: data.axis, at: data.at } }]);
on(deleteDimension, (data) => [{ sheet: data.sheet, rect: band(data.axis, data.at, data.at + data.count - 1) }]);
const moved = (data: MoveDimension): Touch[] => [
  { sheet: data.sheet, rect: band(data.axis, data.from, data.from + data.count - 1) },
  { sheet: data.sheet, across: { axis: data.axis, at: data.to } },
];
on(moveDimension, moved);
on(moveLines, moved);
on(insertRange, shifted);
on(deleteRange, shifted);
on(setLink, (data) => data.links.map(([row, col]) => ({ sheet: data.sheet, rect: cell(row, col) })));
on(clearLink, (data) => data.cells.map(([row, col]) => ({ sheet: data.sheet, rect: cell(row, col) })));
on(setRichText, (data) => data.texts.map(([row, col]) => ({ sheet: data.sheet, rect: cell(row, col) })));
on(deleteSheet, (data) => [{ sheet: data.sheet, rect: wholeGrid }]);
on(putPivot, ({ pivot }, document) => {
  // On a sub-sheet that the same plan makes, nothing is protected yet.
  if (!document.find(pivot.sheet)) return [];
  const shown = computePivot(document, pivot, {});
  const rect = {
    top: pivot.row,
    left: pivot.col,
    bottom: pivot.row + Math.max(1, shown.rows) - 1,
    right: pivot.col + Math.max(1, shown.cols) - 1,
  };
  return [{ sheet: pivot.sheet, rect }, ...shownNow(document, pivot.id)];
});
on(removePivot, ({ id }, document) => shownNow(document, id));

function shownNow(document: SheetDocument, id: string): Touch[] {
  const now = document.pivotOutputs.get(id);
  return now ? [{ sheet: now.sheet, rect: now.rect }] : [];
}

/** Kinds that change no sub-sheet that exists, or what its own tool guards: adding a sub-sheet, names, protections. */
const harmless = new Set([24, 32, 33, 34, 35]);

export function touched(document: SheetDocument, mutation: Mutation): Touch[] {
  if (harmless.has(mutation.type)) return [];
  const find = finders.get(mutation.type);
  if (find) return find(mutation.data as never, document);
  return [{ sheet: (mutation.data as { sheet: string }).sheet }];
}

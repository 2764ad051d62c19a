import { type SheetDocument, isBlank, contains, rectOf } from '../engine/document.ts';
import {
  clearContents,
  type Mutation,
  type MutationKind,
  putChart,
  putImage,
  putPivot,
  putProtect,
  linesOf,
  setBorder,
  setFreeze,
  setSize,
  setStyle,
  updateFilter,
} from '../engine/mutations.ts';

/**
 * Mutations that would leave the document as it is: a call of nothing else makes no revision. Values are not compared: what
 * is written into cells is a revision even where they held it, and formulas that change by themselves are computed anew.
 */
const finders = new Map<number, (document: SheetDocument, data: never) => boolean>();
function on<Data>(kind: MutationKind<Data>, isIdle: (document: SheetDocument, data: Data) => boolean): void {
  finders.set(kind.type, isIdle as (document: SheetDocument, data: never) => boolean);
}

on(clearContents, (document, { sheet, region }) => isBlank(document.subSheet(sheet), rectOf(region)));
on(setStyle, (document, { sheet, region, clear, set }) => {
  const sub = document.subSheet(sheet);
  const rect = rectOf(region);
  if (set && !contains(sub.grid, rect)) return false;
  const cleared = clear ? document.styles.clearing(clear) : (id: number): number => id;
  const patched = set ? document.styles.patching(set) : (id: number): number => id;
  return sub.styles.keeps(rect, (id) => patched(cleared(id)));
});
on(setBorder, (document, data) => {
  const sub = document.subSheet(data.sheet);
  return (
    contains(sub.grid, rectOf(data.region)) &&
    linesOf(data).every(({ area, change }) => sub.styles.keeps(area, document.styles.patching(change)))
  );
});
on(setSize, (document, { sheet, axis, runs }) => {
  const sub = document.subSheet(sheet);
  const sizes = axis === 'row' ? sub.rowSizes : sub.colSizes;
  return runs.every(([first, last, size]) => {
    let same = last < (axis === 'row' ? sub.rows : sub.cols);
    sizes.each(first, last, (_start, _end, value) => void (same &&= value === size));
    return same;
  });
});
on(setFreeze, (document, { sheet, rows, cols }) => {
  const { freeze } = document.subSheet(sheet);
  return freeze.rows === rows && freeze.cols === cols;
});
on(putChart, (document, { sheet, chart }) => isAmong(document.subSheet(sheet).charts, chart));
on(putImage, (document, { sheet, image }) => isAmong(document.subSheet(sheet).images, image));
on(putProtect, (document, { sheet, protection }) => isAmong(document.subSheet(sheet).protections, protection));
on(updateFilter, (document, { sheet, filter }) => isAmong(document.subSheet(sheet).filters, filter));
on(putPivot, (document, { pivot }) => isAmong(document.pivots, pivot));

function isAmong<Kept extends { readonly id: string }>(list: readonly Kept[], one: Kept): boolean {
  const before = list.find(({ id }) => id === one.id);
  return before !== undefined && JSON.stringify(before) === JSON.stringify(one);
}

/** Each by itself leaves the document as it is, so all of them do. */
export function areIdle(document: SheetDocument, mutations: readonly Mutation[]): boolean {
  return mutations.every(({ type, data }) => finders.get(type)?.(document, data as never) === true);
}

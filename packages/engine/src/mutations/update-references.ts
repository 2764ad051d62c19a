import type { SheetDocument } from '../document/document.ts';
import type { PassthroughElement } from '../document/objects/passthrough.ts';
import type { Chart } from '../document/objects/sheet-objects.ts';
import { shiftChartData } from '../document/objects/shift-objects.ts';
import { replaceAnchoredReferences, shiftAnchored } from '../document/objects/shift-anchored-objects.ts';
import type { SubSheet, SubSheetState } from '../document/objects/sub-sheet.ts';
import type { RefPart, SheetNames } from '../formula/reference.ts';
import type { StructuralEdit } from '../formula/rewrite-reference.ts';
import type { WorkbookCore } from '../workbook/workbook-core.ts';
import type { Mutation } from './define-mutation.ts';
import { restoreState } from './restore-state.ts';

type ReferencingLists = Pick<SubSheetState, 'charts' | 'carried' | 'formats' | 'validations'>;
const referencingKeys = [
  'charts',
  'carried',
  'formats',
  'validations',
] as const satisfies readonly (keyof ReferencingLists)[];

/**
 * Updates the references in a sub-sheet's charts, conditional formats, validations and preserved XML elements of an
 * imported file after the structural edit `by`. `own` is the numeric id of this sub-sheet.
 */
export function shiftReferencing(
  { charts, carried, formats, validations }: ReferencingLists,
  own: number,
  by: StructuralEdit,
  undo: StructuralEdit,
  workbook: WorkbookCore,
): ReferencingLists {
  return {
    charts: mapChartPassthrough(charts, (list) => shiftAnchored(list, own, by, undo, workbook)),
    carried: shiftAnchored(carried, own, by, undo, workbook),
    formats: shiftAnchored(formats, own, by, undo, workbook),
    validations: shiftAnchored(validations, own, by, undo, workbook),
  };
}

/**
 * Updates the charts, conditional formats, validations and imported elements of other sub-sheets after `edit` moved,
 * inserted or deleted rows or columns of `edited`. Returns mutations that restore the references that the reverse edit
 * `back` does not restore.
 */
export function updateOtherSheets(
  document: SheetDocument,
  edited: SubSheet,
  edit: StructuralEdit,
  back: StructuralEdit,
): Mutation[] {
  const shift = (lists: ReferencingLists, own: number, by: StructuralEdit, undo: StructuralEdit): ReferencingLists => {
    const charts = lists.charts.map((chart) => (chart.dataSheet === edited.id ? shiftChartData(chart, by) : chart));
    return shiftReferencing({ ...lists, charts }, own, by, undo, document.workbook);
  };
  return document.subSheets.flatMap((sub) => {
    if (sub === edited || referencingKeys.every((key) => sub[key].length === 0)) return [];
    const before = referencingListsOf(sub);
    const after = shift(before, sub.sheet.id, edit, back);
    sub.restore(after);
    return changed(sub, before, shift(after, sub.sheet.id, back, edit));
  });
}

/**
 * Updates the references of charts, conditional formats and other objects after a sub-sheet or table was renamed or a
 * sub-sheet was deleted. `before` resolves the names with which their formulas were written, and `change` returns the
 * new form of a reference. Charts that show data of the deleted sub-sheet `gone` lose it. Returns the mutations that
 * undo the update.
 */
export function updateSheetReferences(
  document: SheetDocument,
  before: SheetNames,
  change: (ref: RefPart) => RefPart,
  gone?: string,
): Mutation[] {
  const follow = <T extends Pick<PassthroughElement, 'regions' | 'formulas'>>(list: readonly T[]): readonly T[] =>
    replaceAnchoredReferences(list, before, document.workbook, change);
  return document.subSheets.flatMap((sub) => {
    const was = referencingListsOf(sub);
    const charts = was.charts.map((chart) =>
      chart.dataSheet === gone && gone !== undefined ? withoutData(chart) : chart,
    );
    const is = {
      charts: mapChartPassthrough(charts, follow),
      carried: follow(was.carried),
      formats: follow(was.formats),
      validations: follow(was.validations),
    };
    sub.restore(is);
    return changed(sub, was, is);
  });
}

/**
 * Returns the mutations that restore the objects, such as charts, whose formulas already contain `name`. Called before
 * a sub-sheet gets this name: these formulas then refer to the sub-sheet, and taking the name away again does not
 * restore them.
 */
export function captureReferencesToName(document: SheetDocument, name: string): Mutation[] {
  const wanted = name.toUpperCase();
  const mentions = (list: readonly { readonly formulas?: readonly string[] }[]): boolean =>
    list.some(({ formulas }) => formulas?.some((text) => text.toUpperCase().includes(wanted)));
  return document.subSheets.flatMap((sub) => {
    const { carried, formats, validations } = sub;
    const kept = sub.charts.flatMap((chart) => chart.kept ?? []);
    if (![carried, formats, validations, kept].some(mentions)) return [];
    return [restoreState.of({ sheet: sub.id, state: referencingListsOf(sub) })];
  });
}

function withoutData({ dataSheet: _, series: __, ...chart }: Chart): Chart {
  return { ...chart, region: null };
}

function referencingListsOf({ charts, carried, formats, validations }: SubSheet): ReferencingLists {
  return { charts, carried, formats, validations };
}

/** Returns the mutation that restores the lists of `before` that have changed; none if all lists are equal. */
function changed(sub: SubSheet, before: ReferencingLists, now: ReferencingLists): Mutation[] {
  const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
  const state = Object.fromEntries(
    referencingKeys.filter((key) => !same(before[key], now[key])).map((key) => [key, before[key]]),
  );
  return Object.keys(state).length > 0 ? [restoreState.of({ sheet: sub.id, state })] : [];
}

function mapChartPassthrough(
  charts: readonly Chart[],
  change: (list: readonly PassthroughElement[]) => readonly PassthroughElement[],
): readonly Chart[] {
  if (!charts.some((chart) => chart.kept)) return charts;
  return charts.map((chart) => {
    const [kept] = chart.kept ? change([chart.kept]) : [];
    return kept && kept !== chart.kept ? { ...chart, kept } : chart;
  });
}

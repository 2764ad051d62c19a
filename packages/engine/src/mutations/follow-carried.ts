import type { SheetDocument } from '../document/document.ts';
import type { Carried } from '../document/objects/kept.ts';
import type { Chart } from '../document/objects/objects.ts';
import { shiftData } from '../document/objects/shift.ts';
import { changeCarried, shiftCarried } from '../document/objects/shift-carried.ts';
import type { SubSheet, SubSheetState } from '../document/objects/sub-sheet.ts';
import type { RefPart, SheetNames } from '../formula/reference.ts';
import type { StructuralEdit } from '../formula/rewrite.ts';
import type { Mutation } from './mutation.ts';
import { restoreState } from './restore-state.ts';

type Followers = Pick<SubSheetState, 'charts' | 'carried' | 'formats' | 'validations'>;
const followerKeys = ['charts', 'carried', 'formats', 'validations'] as const satisfies readonly (keyof Followers)[];

/**
 * Adjusts objects of other sub-sheets that refer to the edited one. Returns the mutations for what the reverse edit
 * does not restore.
 */
export function followElsewhere(
  document: SheetDocument,
  edited: SubSheet,
  edit: StructuralEdit,
  back: StructuralEdit,
): Mutation[] {
  const shift = (
    { charts, carried, formats, validations }: Followers,
    own: number,
    by: StructuralEdit,
    undo: StructuralEdit,
  ): Followers => ({
    charts: mapKept(
      charts.map((chart) => (chart.dataSheet === edited.id ? shiftData(chart, by) : chart)),
      (list) => shiftCarried(list, own, by, undo, document.workbook),
    ),
    carried: shiftCarried(carried, own, by, undo, document.workbook),
    formats: shiftCarried(formats, own, by, undo, document.workbook),
    validations: shiftCarried(validations, own, by, undo, document.workbook),
  });
  return document.subSheets.flatMap((sub) => {
    if (sub === edited || followerKeys.every((key) => sub[key].length === 0)) return [];
    const before = followersOf(sub);
    const after = shift(before, sub.sheet.id, edit, back);
    sub.restore(after);
    return changed(sub, before, shift(after, sub.sheet.id, back, edit));
  });
}

/**
 * Adjusts references after sub-sheets were deleted or renamed; `before` holds the names that the formulas were written
 * with.
 */
export function followSheets(
  document: SheetDocument,
  before: SheetNames,
  change: (ref: RefPart) => RefPart,
  gone?: string,
): Mutation[] {
  const follow = <T extends Pick<Carried, 'regions' | 'formulas'>>(list: readonly T[]): readonly T[] =>
    changeCarried(list, before, document.workbook, change);
  return document.subSheets.flatMap((sub) => {
    const was = followersOf(sub);
    const charts = was.charts.map((chart) =>
      chart.dataSheet === gone && gone !== undefined ? withoutData(chart) : chart,
    );
    const is = {
      charts: mapKept(charts, follow),
      carried: follow(was.carried),
      formats: follow(was.formats),
      validations: follow(was.validations),
    };
    sub.restore(is);
    return changed(sub, was, is);
  });
}

/**
 * Saves the lists whose formulas may refer to a missing sub-sheet of this name; adding and then removing such a
 * sub-sheet would otherwise change them.
 */
export function keepMentions(document: SheetDocument, name: string): Mutation[] {
  const wanted = name.toUpperCase();
  const mentions = (list: readonly { readonly formulas?: readonly string[] }[]): boolean =>
    list.some(({ formulas }) => formulas?.some((text) => text.toUpperCase().includes(wanted)));
  return document.subSheets.flatMap((sub) => {
    const { carried, formats, validations } = sub;
    const kept = sub.charts.flatMap((chart) => chart.kept ?? []);
    if (![carried, formats, validations, kept].some(mentions)) return [];
    return [restoreState.of({ sheet: sub.id, state: followersOf(sub) })];
  });
}

function withoutData({ dataSheet: _, series: __, ...chart }: Chart): Chart {
  return { ...chart, region: null };
}

function followersOf({ charts, carried, formats, validations }: SubSheet): Followers {
  return { charts, carried, formats, validations };
}

/** The mutation that restores the lists that have changed. */
function changed(sub: SubSheet, before: Followers, now: Followers): Mutation[] {
  const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
  const state = Object.fromEntries(
    followerKeys.filter((key) => !same(before[key], now[key])).map((key) => [key, before[key]]),
  );
  return Object.keys(state).length > 0 ? [restoreState.of({ sheet: sub.id, state })] : [];
}

/** Applies `change` to the passthrough data of each chart. */
export function mapKept(
  charts: readonly Chart[],
  change: (list: readonly Carried[]) => readonly Carried[],
): readonly Chart[] {
  if (!charts.some((chart) => chart.kept)) return charts;
  return charts.map((chart) => {
    const [kept] = chart.kept ? change([chart.kept]) : [];
    return kept && kept !== chart.kept ? { ...chart, kept } : chart;
  });
}

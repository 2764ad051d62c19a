import type { SheetDocument } from '@sheaf/engine/internal/document';
import { lineShiftOf, scopeOf, type LineShift, type Mutation, type Scope } from '@sheaf/engine/internal/mutations';

/** What a revision did, for whoever shows the document: what to look at again, and where rows and columns went. */
export interface Effect {
  /** Each once, in the order of the alphabet. */
  readonly scope: readonly Scope[];
  /** To be followed one after the other. Undefined when there are too many to tell. */
  readonly shifts: readonly LineShift[] | undefined;
}

/** An event has to stay small; who hears of no shift keeps the place where it is. */
const maxShifts = 20;

/** Of nearly every edit. */
export const cellsAlone: Effect = { scope: ['cells'], shifts: [] };

/** Undefined: cells alone. Nearly every edit is that, and what crosses from thread to thread is copied each time. */
export function effectOf(mutations: readonly Mutation[], isResized: boolean): Effect | undefined {
  if (!isResized && mutations.every((one) => scopeOf(one) === 'cells')) return undefined;
  const scopes = new Set(mutations.map(scopeOf));
  if (isResized) scopes.add('layout');
  const shifts = mutations.flatMap((one) => lineShiftOf(one) ?? []);
  return { scope: [...scopes].sort(), shifts: shifts.length > maxShifts ? undefined : shifts };
}

export type Sizes = ReadonlyMap<string, { readonly rows: number; readonly cols: number }>;

export function sizesOf(document: SheetDocument): Sizes {
  return new Map(document.subSheets.map((sub) => [sub.id, document.size(sub)]));
}

/** Whether a sub-sheet that was there became larger or smaller: cells and arrays make a grid grow without saying so. */
export function isResized(document: SheetDocument, before: Sizes): boolean {
  return document.subSheets.some((sub) => {
    const old = before.get(sub.id);
    const now = document.size(sub);
    return old !== undefined && (old.rows !== now.rows || old.cols !== now.cols);
  });
}

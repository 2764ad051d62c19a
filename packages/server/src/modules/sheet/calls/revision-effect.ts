import type { SheetDocument } from '@sheaf/engine/internal/document';
import { lineShiftOf, scopeOf, type LineShift, type Mutation, type Scope } from '@sheaf/engine/internal/mutations';

/**
 * Effect of a revision on clients that display the document: which parts to reload, and which rows and columns moved.
 */
export interface RevisionEffect {
  /** Names of the parts of the document that clients must reload, without duplicates and in alphabetical order. */
  readonly scope: readonly Scope[];
  /**
   * Inserted, deleted and moved rows and columns, in the order in which clients must apply them to their selection.
   * Undefined if there are too many for an event.
   */
  readonly shifts: readonly LineShift[] | undefined;
}

/**
 * Maximum number of row and column shifts in an event. Events must be small, so the shifts are left out if there are
 * more, and clients then leave the user's selection where it is.
 */
const maxShifts = 20;

/** Effect of nearly every edit: only cell contents change. */
export const cellsOnlyEffect: RevisionEffect = { scope: ['cells'], shifts: [] };

/**
 * Returns the effect of a revision with these mutations on clients. Returns undefined if only cell contents changed,
 * because undefined is cheaper to send between threads than an object. `isResized`: whether a sub-sheet changed its
 * number of rows or columns.
 */
export function computeRevisionEffect(mutations: readonly Mutation[], isResized: boolean): RevisionEffect | undefined {
  if (!isResized && mutations.every((one) => scopeOf(one) === 'cells')) return undefined;
  const scopes = new Set(mutations.map(scopeOf));
  if (isResized) scopes.add('layout');
  const shifts = mutations.flatMap((one) => lineShiftOf(one) ?? []);
  return { scope: [...scopes].sort(), shifts: shifts.length > maxShifts ? undefined : shifts };
}

export type SheetSizes = ReadonlyMap<string, { readonly rows: number; readonly cols: number }>;

export function readSheetSizes(document: SheetDocument): SheetSizes {
  return new Map(document.subSheets.map((sub) => [sub.id, document.size(sub)]));
}

/**
 * Returns whether the number of rows or columns of an existing sub-sheet changed. The mutations alone do not show this,
 * because writing cells or arrays outside the grid enlarges it implicitly.
 */
export function hasResizedSheets(document: SheetDocument, before: SheetSizes): boolean {
  return document.subSheets.some((sub) => {
    const old = before.get(sub.id);
    const now = document.size(sub);
    return old !== undefined && (old.rows !== now.rows || old.cols !== now.cols);
  });
}

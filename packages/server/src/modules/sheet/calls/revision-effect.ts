import type { SheetDocument } from '@sheaf/engine/internal/document';
import { lineShiftOf, scopeOf, type LineShift, type Mutation, type Scope } from '@sheaf/engine/internal/mutations';

/**
 * Effect of a revision on clients that display the document: which parts to reload, and which rows and columns moved.
 */
export interface RevisionEffect {
  /** Names of the parts of the document that clients must reload, without duplicates and in alphabetical order. */
  readonly scope: readonly Scope[];
  /** Row and column shifts, to be applied in order. Undefined if there are too many for an event. */
  readonly shifts: readonly LineShift[] | undefined;
}

/**
 * Maximum number of row and column shifts in an event, because events must be small. Without shifts, a client leaves
 * its scroll position unchanged.
 */
const maxShifts = 20;

/** Effect of nearly every edit: only cell contents change. */
export const cellsOnlyEffect: RevisionEffect = { scope: ['cells'], shifts: [] };

/**
 * Returns the effect of the mutations, or undefined if only cell contents changed. Undefined is cheaper to send between
 * threads than an object.
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
 * Returns whether the size of an existing sub-sheet changed. Writing cells or arrays can enlarge the grid implicitly.
 */
export function hasResizedSheets(document: SheetDocument, before: SheetSizes): boolean {
  return document.subSheets.some((sub) => {
    const old = before.get(sub.id);
    const now = document.size(sub);
    return old !== undefined && (old.rows !== now.rows || old.cols !== now.cols);
  });
}

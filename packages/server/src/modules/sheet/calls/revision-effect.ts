import type { SheetDocument } from '@sheaf/engine/internal/document';
import { lineShiftOf, scopeOf, type LineShift, type Mutation, type Scope } from '@sheaf/engine/internal/mutations';

/**
 * Effect of a revision for clients that display the document: which parts to reload, and which rows and columns moved.
 */
export interface RevisionEffect {
  /** Names of the parts to reload, without duplicates and in alphabetical order. */
  readonly scope: readonly Scope[];
  /** Row and column shifts, to be applied in order. Undefined if there are more than an event may carry. */
  readonly shifts: readonly LineShift[] | undefined;
}

/**
 * Maximum number of row and column shifts in an event, because events must stay small. A client that gets no shifts
 * leaves its scroll position unchanged.
 */
const maxShifts = 20;

/** Effect of nearly every edit: only cell contents changed. */
export const cellsOnlyEffect: RevisionEffect = { scope: ['cells'], shifts: [] };

/**
 * Returns the effect of the mutations, or undefined for `cellsOnlyEffect`. Undefined saves copying an object between
 * threads in the most common case.
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
 * Returns whether a sub-sheet that existed before has another size now. Writing cells or arrays can enlarge the grid
 * implicitly.
 */
export function hasResizedSheets(document: SheetDocument, before: SheetSizes): boolean {
  return document.subSheets.some((sub) => {
    const old = before.get(sub.id);
    const now = document.size(sub);
    return old !== undefined && (old.rows !== now.rows || old.cols !== now.cols);
  });
}

import type { SheetDocument } from '@sheaf/engine/internal/document';
import { lineShiftOf, scopeOf, type LineShift, type Mutation, type Scope } from '@sheaf/engine/internal/mutations';

/** What a revision changed, for clients that display the document: what to reload, and which rows and columns moved. */
export interface RevisionEffect {
  /** Unique, in alphabetical order. */
  readonly scope: readonly Scope[];
  /** To be applied in order. Undefined if there are too many for an event. */
  readonly shifts: readonly LineShift[] | undefined;
}

/** Events must stay small. A client without shift information keeps its scroll position. */
const maxShifts = 20;

/** The effect of nearly every edit. */
export const cellsOnlyEffect: RevisionEffect = { scope: ['cells'], shifts: [] };

/** Undefined means cells only, the most common case: it saves copying the object between threads. */
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

/** True if an existing sub-sheet changed its size; writing cells or arrays can enlarge the grid implicitly. */
export function hasResizedSheets(document: SheetDocument, before: SheetSizes): boolean {
  return document.subSheets.some((sub) => {
    const old = before.get(sub.id);
    const now = document.size(sub);
    return old !== undefined && (old.rows !== now.rows || old.cols !== now.cols);
  });
}

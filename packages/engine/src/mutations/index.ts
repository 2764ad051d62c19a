import type { SheetDocument } from '../document/document.ts';
import * as kinds from './all-mutation-kinds.ts';
import type { Beside, LineShift, Mutation, MutationKind, Scope, Touch } from './define-mutation.ts';

const list = (Object.values(kinds) as unknown as MutationKind<never>[]).toSorted((a, b) => a.type - b.type);

const byType = new Map(list.map((kind) => [kind.type, kind]));

/** Type number and name of every mutation kind, ordered by number. */
export const mutationKinds: readonly { readonly type: number; readonly name: string }[] = list.map(
  ({ type, name }) => ({ type, name }),
);

/**
 * Applies one mutation. If it throws, the document is unchanged. Returns the inverse mutations, in the order in which
 * they must be applied.
 */
export function apply(document: SheetDocument, mutation: Mutation): Mutation[] {
  return kindOf(mutation).apply(document, mutation.data as never);
}

function kindOf({ type }: Mutation): MutationKind<never> {
  const kind = byType.get(type);
  if (!kind) throw new RangeError(`type: there is no mutation ${type}`);
  return kind;
}

/** Returns everything that a mutation would change in the document's current state. */
export function touches(document: SheetDocument, mutation: Mutation): readonly Touch[] {
  return kindOf(mutation).touches(mutation.data as never, document);
}

/** Returns the cells to show a user as the location of a mutation. */
export function placesOf(document: SheetDocument, mutation: Mutation): readonly Touch[] {
  return kindOf(mutation).place?.(mutation.data as never) ?? touches(document, mutation);
}

/** Returns whether every mutation of the list leaves the document unchanged. */
export function areNoOps(document: SheetDocument, mutations: readonly Mutation[]): boolean {
  return mutations.every((one) => kindOf(one).isNoOp(one.data as never, document));
}

export function scopeOf(mutation: Mutation): Scope {
  return kindOf(mutation).scope;
}

/** Returns how a mutation inserts, deletes or moves whole rows or columns; undefined if it does not. */
export function lineShiftOf(mutation: Mutation): LineShift | undefined {
  return kindOf(mutation).shift?.(mutation.data as never);
}

export function besideOf(mutation: Mutation): Beside {
  return kindOf(mutation).beside;
}

export function isKnown(mutation: Mutation): boolean {
  return byType.has(mutation.type);
}

export type { Beside, LineShift, Mutation, MutationFacts, MutationKind, Scope, Touch } from './define-mutation.ts';
export { defineMutation } from './define-mutation.ts';
export * from './all-mutation-kinds.ts';

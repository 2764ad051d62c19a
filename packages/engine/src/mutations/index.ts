import type { SheetDocument } from '../document/document.ts';
import * as kinds from './kinds.ts';
import type { Beside, LineShift, Mutation, MutationKind, Scope, Touch } from './mutation.ts';

/** Each kind validates its own data. */
const list = (Object.values(kinds) as unknown as MutationKind<never>[]).toSorted((a, b) => a.type - b.type);

const byType = new Map(list.map((kind) => [kind.type, kind]));

/** Type number and name of every kind, ordered by number. */
export const mutationKinds: readonly { readonly type: number; readonly name: string }[] = list.map(
  ({ type, name }) => ({ type, name }),
);

/** Applies one mutation; if it throws, nothing has changed. Returns the inverse mutations, to be applied in order. */
export function apply(document: SheetDocument, mutation: Mutation): Mutation[] {
  return kindOf(mutation).apply(document, mutation.data as never);
}

function kindOf({ type }: Mutation): MutationKind<never> {
  const kind = byType.get(type);
  if (!kind) throw new RangeError(`type: there is no mutation ${type}`);
  return kind;
}

/** Everything that a mutation would change in the document's current state. */
export function touches(document: SheetDocument, mutation: Mutation): readonly Touch[] {
  return kindOf(mutation).touches(mutation.data as never, document);
}

/** The cells to show a user as the location of a mutation. */
export function placesOf(document: SheetDocument, mutation: Mutation): readonly Touch[] {
  return kindOf(mutation).place?.(mutation.data as never) ?? touches(document, mutation);
}

/** True if each mutation by itself changes nothing; then all of them together change nothing. */
export function areNoOps(document: SheetDocument, mutations: readonly Mutation[]): boolean {
  return mutations.every((one) => kindOf(one).isNoOp(one.data as never, document));
}

export function scopeOf(mutation: Mutation): Scope {
  return kindOf(mutation).scope;
}

/** The insertion, deletion or move of whole rows or columns that a mutation makes, if any. */
export function lineShiftOf(mutation: Mutation): LineShift | undefined {
  return kindOf(mutation).shift?.(mutation.data as never);
}

export function besideOf(mutation: Mutation): Beside {
  return kindOf(mutation).beside;
}

export function isKnown(mutation: Mutation): boolean {
  return byType.has(mutation.type);
}

export type { Beside, LineShift, Mutation, MutationFacts, MutationKind, Scope, Touch } from './mutation.ts';
export { defineMutation } from './mutation.ts';
export * from './kinds.ts';

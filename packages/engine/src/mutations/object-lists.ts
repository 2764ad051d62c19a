/** Helpers for ordered lists of objects with ids. */

export interface Identified {
  readonly id: string;
}

export function requireIndex(list: readonly Identified[], id: string, what: string): number {
  const index = list.findIndex((one) => one.id === id);
  if (index < 0) throw new RangeError(`id: there is no ${what} '${id}'`);
  return index;
}

/** The list with an object added at an index, or at the end; its id must be new. */
export function insertObject<T extends Identified>(
  list: readonly T[],
  object: T,
  at: number | undefined,
  what: string,
): T[] {
  if (typeof object.id !== 'string' || object.id === '') throw new RangeError(`id: a ${what} needs an id`);
  if (list.some((one) => one.id === object.id)) throw new RangeError(`id: a ${what} '${object.id}' exists`);
  return list.toSpliced(at ?? list.length, 0, object);
}

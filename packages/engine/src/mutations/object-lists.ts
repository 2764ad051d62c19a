export interface Identified {
  readonly id: string;
}

/** Data of mutations that remove an object, such as a chart, an image, a filter or a protection, from a sub-sheet. */
export interface RemoveObject {
  readonly sheet: string;
  readonly id: string;
}

export function requireIndex(list: readonly Identified[], id: string, what: string): number {
  const index = list.findIndex((one) => one.id === id);
  if (index < 0) throw new RangeError(`id: there is no ${what} '${id}'`);
  return index;
}

/**
 * Replaces the object of the list that has the same id as `object`. If there is none, inserts `object` at index `at`,
 * or at the end if `at` is undefined. Returns the new list and the replaced object.
 */
export function putObject<T extends Identified>(
  list: readonly T[],
  object: T,
  at: number | undefined,
  what: string,
): [list: T[], before: T | undefined] {
  const index = list.findIndex((one) => one.id === object.id);
  return index < 0 ? [insertObject(list, object, at, what), undefined] : [list.with(index, object), list[index]];
}

/**
 * Returns the list without the object of this id, the object itself, and its index. Throws if there is no such object.
 */
export function takeObject<T extends Identified>(
  list: readonly T[],
  id: string,
  what: string,
): { rest: T[]; object: T; at: number } {
  const at = requireIndex(list, id, what);
  return { rest: list.toSpliced(at, 1), object: list[at]!, at };
}

/**
 * Returns the list with an object inserted at index `at`, or at the end if `at` is undefined. Throws if the list
 * already has an object with its id. Error messages call the object `what`.
 */
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

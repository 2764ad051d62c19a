let shown: { readonly base: string; readonly ids: readonly string[] } | undefined;

/** Stores the order of the items in the displayed list, for the next and previous buttons of the reader. */
export function setItemOrder(base: string, ids: readonly string[]): void {
  shown = { base, ids };
}

/**
 * Returns the ids of the items in the order of the list that was displayed last, or undefined if that list does not
 * contain the item `id`.
 */
export function itemOrder(base: string, id: string): readonly string[] | undefined {
  return shown?.base === base && shown.ids.includes(id) ? shown.ids : undefined;
}

let shown: { readonly base: string; readonly ids: readonly string[] } | undefined;

/** Stores the order of the items in the displayed list, for the next and previous buttons of the reader. */
export function setItemOrder(base: string, ids: readonly string[]): void {
  shown = { base, ids };
}

/** Returns the stored item order, or undefined if it does not contain the item. */
export function itemOrder(base: string, id: string): readonly string[] | undefined {
  return shown?.base === base && shown.ids.includes(id) ? shown.ids : undefined;
}

let shown: { readonly base: string; readonly ids: readonly string[] } | undefined;

/** Remembers in which order a list shows its items, for next and previous in the reader. */
export function setItemOrder(base: string, ids: readonly string[]): void {
  shown = { base, ids };
}

/** Returns the remembered order if it contains the item. */
export function itemOrder(base: string, id: string): readonly string[] | undefined {
  return shown?.base === base && shown.ids.includes(id) ? shown.ids : undefined;
}

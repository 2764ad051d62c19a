export interface TitledNote {
  readonly id: string;
  readonly title: string;
}

/**
 * Returns the notes whose titles contain every word of the query, best match first.
 *
 * The order is: equal titles, titles that start with the query, titles with a word that starts with the query, all
 * others. Notes that match only in their text are omitted.
 */
export function findNotesByTitle(query: string, notes: readonly TitledNote[]): TitledNote[] {
  const wanted = foldTitle(query);
  const words = wanted.split(' ');
  const rank = (title: string): number => {
    if (title === wanted) return 0;
    if (title.startsWith(wanted)) return 1;
    return title.includes(` ${wanted}`) ? 2 : 3;
  };
  return notes
    .map(({ id, title }) => ({ id, title, folded: foldTitle(title) }))
    .filter(({ folded }) => words.every((word) => folded.includes(word)))
    .toSorted((one, other) => rank(one.folded) - rank(other.folded))
    .map(({ id, title }) => ({ id, title }));
}

/** Normalizes a text for comparison: removes case, accents and repeated spaces. */
export function foldTitle(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/**
 * Encloses a placeholder in passed-through XML, which the export fills with current values. This character is invalid
 * in XML, so it cannot occur in a file.
 */
const mark = '\ufffe';
const placeholderPattern = new RegExp(`${mark}([a-z])(\\d+)${mark}`, 'g');

/**
 * Kinds of placeholder: f formula, q list of regions, x column and y row of a point, c its name, r relationship id, d
 * index in a list of the file.
 */
/**
 * Start of a piece that stands for a number which must be unique in the exported file, such as a table's id. The file's
 * own number follows.
 */
export const ownNumber = 'own number';

export type PlaceholderKind = 'f' | 'q' | 'x' | 'y' | 'c' | 'r' | 'd';

export function placeholder(kind: PlaceholderKind, index: number): string {
  return `${mark}${kind}${index}${mark}`;
}

/** Replaces each placeholder by the result of `give`, which must return escaped XML. */
export function fillPlaceholders(xml: string, give: (kind: PlaceholderKind, index: number) => string): string {
  return xml.replace(placeholderPattern, (_, kind: PlaceholderKind, index: string) => give(kind, Number(index)));
}

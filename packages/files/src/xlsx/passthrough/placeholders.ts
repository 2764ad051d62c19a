/**
 * Delimits a placeholder in stored XML, which the export replaces by the current value. The character is invalid in
 * XML, so it cannot occur in a file.
 */
const mark = '\ufffe';
const placeholderPattern = new RegExp(`${mark}([a-z])(\\d+)${mark}`, 'g');

/**
 * Prefix of an entry in `KeptText.pieces` that stands for a number unique in the exported file, such as a table id. The
 * imported number follows the prefix.
 */
export const ownNumber = 'own number';

/**
 * Kinds of placeholders: f formula, q list of regions, x column and y row of a point, c cell name of a point, r
 * relationship id, d entry of a list such as a differential format.
 */
export type PlaceholderKind = 'f' | 'q' | 'x' | 'y' | 'c' | 'r' | 'd';

export function placeholder(kind: PlaceholderKind, index: number): string {
  return `${mark}${kind}${index}${mark}`;
}

/**
 * Replaces each placeholder in stored XML (such as the one of a formula or a relationship id) by the result of `give`,
 * which must return escaped XML.
 */
export function fillPlaceholders(xml: string, give: (kind: PlaceholderKind, index: number) => string): string {
  return xml.replace(placeholderPattern, (_, kind: PlaceholderKind, index: string) => give(kind, Number(index)));
}

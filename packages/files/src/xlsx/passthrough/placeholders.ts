/**
 * Marks a placeholder in passed-through XML, to be filled with the document's current values on export. This character is
 * not allowed in XML.
 */
const mark = '\ufffe';
const placeholderPattern = new RegExp(`${mark}([a-z])(\\d+)${mark}`, 'g');

/**
 * Kinds of placeholder: f formula, q list of regions, x column and y row of a point, r relationship id, d index of an entry
 * in a list of the file.
 */
export type PlaceholderKind = 'f' | 'q' | 'x' | 'y' | 'r' | 'd';

export function placeholder(kind: PlaceholderKind, index: number): string {
  return `${mark}${kind}${index}${mark}`;
}

/** Fills the placeholders; `give` must return escaped text. */
export function fillPlaceholders(xml: string, give: (kind: PlaceholderKind, index: number) => string): string {
  return xml.replace(placeholderPattern, (_, kind: PlaceholderKind, index: string) => give(kind, Number(index)));
}

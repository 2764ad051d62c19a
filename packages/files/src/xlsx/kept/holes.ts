/**
 * Marks a placeholder in passed-through XML, to be filled with the document's current values on export. This character is
 * not allowed in XML.
 */
const mark = '\ufffe';
const eachHole = new RegExp(`${mark}([a-z])(\\d+)${mark}`, 'g');

/**
 * Kinds of placeholder: f formula, q list of regions, x column and y row of a point, r relationship id, d index of an entry
 * in a list of the file.
 */
export type HoleKind = 'f' | 'q' | 'x' | 'y' | 'r' | 'd';

export function hole(kind: HoleKind, index: number): string {
  return `${mark}${kind}${index}${mark}`;
}

/** Fills the placeholders; `give` must return escaped text. */
export function fillHoles(xml: string, give: (kind: HoleKind, index: number) => string): string {
  return xml.replace(eachHole, (_, kind: HoleKind, index: string) => give(kind, Number(index)));
}

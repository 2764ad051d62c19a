/** Kept XML has holes where the document says something else by the time it is written: no XML can hold their mark. */
const mark = '\ufffe';
const eachHole = new RegExp(`${mark}([a-z])(\\d+)${mark}`, 'g');

/**
 * f formula, q list of regions, x column and y row of a point, r id of a relation, d place of a piece in a list of the
 * file.
 */
export type HoleKind = 'f' | 'q' | 'x' | 'y' | 'r' | 'd';

export function hole(kind: HoleKind, index: number): string {
  return `${mark}${kind}${index}${mark}`;
}

/** `give` returns text that is ready for the file. */
export function fillHoles(xml: string, give: (kind: HoleKind, index: number) => string): string {
  return xml.replace(eachHole, (_, kind: HoleKind, index: string) => give(kind, Number(index)));
}

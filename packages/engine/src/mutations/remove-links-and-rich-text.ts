import type { Rect } from '../base/address.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { setLink } from './links.ts';
import type { Mutation } from './define-mutation.ts';
import { setRichText } from './set-rich-text.ts';

/** Removes links and rich text from cells whose content is replaced. Returns the mutations that restore them. */
export function removeLinksAndRichText(sheet: SubSheet, rects: readonly Rect[]): Mutation[] {
  const undo: Mutation[] = [];
  if (sheet.links.size > 0) {
    const links = rects.flatMap((rect) => sheet.links.list(rect));
    for (const { row, col } of links) sheet.links.delete(row, col);
    if (links.length > 0)
      undo.push(setLink.of({ sheet: sheet.id, links: links.map(({ row, col, value }) => [row, col, value]) }));
  }
  if (sheet.rich.size > 0) {
    const texts = rects.flatMap((rect) => sheet.rich.list(rect));
    for (const { row, col } of texts) sheet.rich.delete(row, col);
    if (texts.length > 0)
      undo.push(setRichText.of({ sheet: sheet.id, texts: texts.map(({ row, col, value }) => [row, col, value]) }));
  }
  return undo;
}

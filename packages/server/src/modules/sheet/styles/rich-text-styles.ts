import type { RichText, StylePatch, SubSheet } from '@sheaf/engine/internal/document';
import type { Rect } from '@sheaf/engine';
import { setRichText, type Mutation } from '@sheaf/engine/internal/mutations';

/**
 * Returns mutations that remove the properties in `set` from the rich texts (texts with formatted parts) in `rect`, so
 * that the new cell style applies to them. With `all`, all formatting of their parts is removed.
 */
export function clearRichTextStyles(sub: SubSheet, rect: Rect, set: StylePatch | 'all'): Mutation[] {
  if (sub.rich.size === 0) return [];
  const texts = sub.rich.list(rect).flatMap(({ row, col, value }) => {
    const next = set === 'all' ? null : removeStyles(value, set);
    return next === value ? [] : [[row, col, next] as const];
  });
  return texts.length > 0 ? [setRichText.of({ sheet: sub.id, texts })] : [];
}

function removeStyles(text: RichText, set: StylePatch): RichText | null {
  const isSaid = text.some(({ style }) => style && Object.keys(style).some((key) => key in set));
  if (!isSaid) return text;
  const pieces = text.map(({ text: piece, style }) => {
    const kept = Object.entries(style ?? {}).filter(([key]) => !(key in set));
    return kept.length > 0 ? { text: piece, style: Object.fromEntries(kept) } : { text: piece };
  });
  return pieces.some((piece) => 'style' in piece) ? pieces : null;
}

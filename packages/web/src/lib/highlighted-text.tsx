import type { ReactNode } from 'react';
import { parseExcerpt } from './search-excerpt.ts';

/**
 * Renders HTML-escaped text in which `<em>` marks search hits. Every other tag is shown as literal text, so that a
 * document cannot inject markup into the page.
 */
export function HighlightedText({ text }: { text: string }): ReactNode {
  return parseExcerpt(text).map((piece, index) => (piece.found ? <mark key={index}>{piece.text}</mark> : piece.text));
}

import type { ReactNode } from 'react';
import { piecesOf } from './pieces.ts';

/**
 * Text with `<em>` around what was found, all else HTML-escaped, as nodes. Nothing else is markup: any other tag stays
 * the characters it is made of, so text from a document can never become part of the page.
 */
export function Highlighted({ text }: { text: string }): ReactNode {
  return piecesOf(text).map((piece, index) => (piece.found ? <mark key={index}>{piece.text}</mark> : piece.text));
}

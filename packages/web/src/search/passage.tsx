import type { ReactNode } from 'react';
import { wordPattern } from '../lib/pieces.ts';

/** About so much of a passage is shown, from a little before what was found. */
const shownLength = 320;
const before = 60;

/** A passage with what was found marked. */
export function Passage({
  text,
  words,
  heading = '',
}: {
  text: string;
  words: readonly string[];
  /** Told above it, so not again at its beginning. */
  heading?: string | undefined;
}): ReactNode {
  const pattern = wordPattern(words);
  const rest = heading !== '' && text.startsWith(`${heading}\n`) ? text.slice(heading.length) : text;
  const shown = excerptOf(rest, pattern);
  if (!pattern) return shown;
  return shown.split(pattern).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

function excerptOf(text: string, pattern: RegExp | undefined): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  const found = pattern ? folded.search(pattern) : 0;
  const from = found <= before ? 0 : folded.lastIndexOf(' ', found - before / 2) + 1 || found - before / 2;
  const part = folded.slice(from, from + shownLength);
  return `${from > 0 ? '…' : ''}${part}${from + part.length < folded.length ? '…' : ''}`;
}

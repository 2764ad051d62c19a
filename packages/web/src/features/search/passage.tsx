import type { ReactNode } from 'react';
import { wordPattern } from '../../lib/search-excerpt.ts';

/** Approximate length of an excerpt, and maximum number of characters before its first search word. */
const shownLength = 320;
const before = 60;

interface PassageProps {
  text: string;
  words: readonly string[];
  /** Heading shown above the passage. It is removed from the passage if the passage starts with it. */
  heading?: string | undefined;
}

/** Shows an excerpt of a passage with its search words highlighted. */
export function Passage({ text, words, heading = '' }: PassageProps): ReactNode {
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

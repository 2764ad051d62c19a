import type { ReactNode } from 'react';
import { wordPattern } from '../../lib/search-excerpt.ts';

/**
 * Maximum length of an excerpt in characters. The excerpt starts at the beginning of the passage if the first search
 * word is within the first `before` characters, otherwise at a space shortly before that word.
 */
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
  const middle = found - before / 2;
  const space = folded.lastIndexOf(' ', middle);
  const from = found <= before ? 0 : space >= found - before ? space + 1 : middle;
  const part = folded.slice(from, from + shownLength);
  return `${from > 0 ? '…' : ''}${part}${from + part.length < folded.length ? '…' : ''}`;
}

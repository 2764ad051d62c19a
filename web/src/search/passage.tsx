import type { ReactNode } from 'react';
import { wordPattern } from '../lib/pieces.ts';

/** About so much of a passage is shown, from a little before what was found. */
const shownLength = 320;
const before = 60;

/** A passage with what was found marked. */
export function Passage({ text, words }: { text: string; words: readonly string[] }): ReactNode {
  const pattern = wordPattern(words);
  const shown = excerptOf(text, pattern);
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

/** The line of a passage that has the most of what was found: by it the place is found again, as a paragraph or as a cell. */
export function bestLine(text: string, words: readonly string[]): string {
  const pattern = wordPattern(words);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const count = (line: string): number =>
    pattern ? new Set(line.match(pattern)?.map((word) => word.toLowerCase())).size : 0;
  let best = lines[0] ?? '';
  for (const line of lines) if (count(line) > count(best)) best = line;
  return best;
}

import { wordPattern } from '../../lib/search-excerpt.ts';

/**
 * Returns the line of a passage that contains the most distinct search words, or the first line if none contains any.
 * The page that the search hit links to scrolls to this line.
 */
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

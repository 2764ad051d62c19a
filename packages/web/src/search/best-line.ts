import { wordPattern } from '../lib/pieces.ts';

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

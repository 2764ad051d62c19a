import { findBestPassage, highlightPassage } from '@sheaf/search/passages/highlight';
import { parseBlocks } from './parse-markdown.ts';
import { plainText } from './markdown/plain-text.ts';

/**
 * Maximum length in characters of a note that is parsed completely to show the passage that matches a query. Of longer
 * notes, only the blocks around the match are parsed.
 */
const fullyParsedLength = 200;
const around = 300;
const work = 50_000;

/**
 * Returns the passage of a note that matches the query best; undefined if nothing matches. For a long note, only the
 * blocks around the match are parsed.
 */
export function findMatchingPassage(markdown: string, query: string): string | undefined {
  const place = findBestPassage(markdown, query);
  if (!place) return undefined;
  const from = markdown.length <= fullyParsedLength ? 0 : blockStart(markdown, place.from);
  const to = markdown.length <= fullyParsedLength ? markdown.length : blockEnd(markdown, place.to);
  const source = markdown.slice(from, to);
  const found =
    highlightPassage(isPlain(source) ? source : plainText(parseBlocks(source, work)), query) ??
    highlightPassage(source, query);
  if (found === undefined) return undefined;
  return `${from > 0 && !found.startsWith('…') ? '…' : ''}${found}${to < markdown.length && !found.endsWith('…') ? '…' : ''}`;
}

/**
 * Matches text that may be markup: special characters, bare URLs, and starts of numbered lists, table rules, underlined
 * headings and indented code.
 */
const markup = /[*_`~[\]<>|\\#&!@]|^[ \t]*(?:[+=:]|-[ \t-]*$|\d+[.)])|^(?: {4}| *\t)|:\/\/|www\./m;

/** Returns whether the text contains no markup. Such a text need not be parsed. */
function isPlain(source: string): boolean {
  return !markup.test(source);
}

/**
 * Returns where the passage around a match at `at` begins: at the start of a block that is about 60 to `around`
 * characters before the match. If no block starts there, the passage begins `around` characters before the match,
 * without splitting a surrogate pair.
 */
function blockStart(text: string, at: number): number {
  const earliest = Math.max(0, at - around);
  const blank = text.lastIndexOf('\n\n', Math.max(0, at - 60));
  if (blank >= earliest) return blank + 2;
  return /[\udc00-\udfff]/.test(text.charAt(earliest)) ? earliest + 1 : earliest;
}

function blockEnd(text: string, at: number): number {
  const latest = Math.min(text.length, at + around);
  const blank = text.indexOf('\n\n', Math.min(text.length, at + 120));
  if (blank !== -1 && blank <= latest) return blank;
  return /[\udc00-\udfff]/.test(text.charAt(latest)) ? latest + 1 : latest;
}

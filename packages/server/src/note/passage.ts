import { findPassage, highlightPassage } from '@sheaf/search/passages/highlight';
import { readBlocks } from './content.ts';
import { plainText } from './markdown/plain-text.ts';

/** A note up to this long is read whole. */
const short = 200;
const around = 300;
const work = 50_000;

/** The passage of the note's text that matches best. Of a long note only the blocks around it are read. */
export function passageOf(markdown: string, query: string): string | undefined {
  const place = findPassage(markdown, query);
  if (!place) return undefined;
  const from = markdown.length <= short ? 0 : blockStart(markdown, place.from);
  const to = markdown.length <= short ? markdown.length : blockEnd(markdown, place.to);
  const source = markdown.slice(from, to);
  const found =
    highlightPassage(isPlain(source) ? source : plainText(readBlocks(source, work)), query) ??
    highlightPassage(source, query);
  if (found === undefined) return undefined;
  return `${from > 0 && !found.startsWith('…') ? '…' : ''}${found}${to < markdown.length && !found.endsWith('…') ? '…' : ''}`;
}

/** Signs that may be markup, lines that begin like a list with numbers, a table's rule, a heading's or code, and bare links. */
const markup = /[*_`~[\]<>|\\#&!@]|^[ \t]*(?:[+=:]|-[ \t-]*$|\d+[.)])|^(?: {4}| *\t)|:\/\/|www\./m;

/** Nothing in it can be markup: reading it as Markdown would give it back, but for white space. */
function isPlain(source: string): boolean {
  return !markup.test(source);
}

/** The blank line nearest before, or a cut between characters when there is none. */
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

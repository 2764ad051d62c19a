import type { MarkdownHead, MarkdownView } from '../../ports/markdown-parser.ts';
import { cleanTitle, firstNonEmptyLine, sliceHead, summarize } from './parse-markdown.ts';

/**
 * This file contains a line-based Markdown parser for texts that exceed the work limit of the full parser. It runs in
 * linear time, finds headings, and leaves inline markup unchanged.
 */

const headingLine = /^ {0,3}#{1,6}[ \t]+(.*)$/;
/**
 * Matches the markup at the start of a quote, list, heading or table line. Titles and summaries leave this markup out.
 */
const marker = /^[ \t>#*+|-]{1,64}/;
/** Maximum number of characters of a line that are examined for headings, the title and the summary of a note. */
const maxLineLength = 2000;

export function parseViewByLine(markdown: string): MarkdownView {
  const headings = markdown.split('\n').flatMap((line) => headingOf(line) ?? []);
  return {
    text: markdown,
    headings: headings.join('\n'),
    blocks: JSON.stringify([{ type: 'p', children: [{ text: markdown }] }]),
  };
}

export function parseHeadByLine(markdown: string): MarkdownHead {
  const lines = sliceHead(markdown)
    .split('\n')
    .map((line) => line.slice(0, maxLineLength));
  const heading = lines.map(headingOf).find((title) => title !== undefined && title !== '');
  const plain = lines.map((line) => line.replace(marker, '')).join('\n');
  const summary = summarize(plain);
  return {
    title: heading ?? firstNonEmptyLine(plain) ?? '',
    opening: null,
    summary,
    afterOpening: summary,
    coverImage: '',
  };
}

function headingOf(line: string): string | undefined {
  const found = headingLine.exec(line.slice(0, maxLineLength));
  return found ? cleanTitle((found[1] ?? '').replace(/[ \t]+#{1,6}[ \t]*$/, '')) : undefined;
}

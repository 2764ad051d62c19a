import { titleSortKey } from '../../lib/sort-key.ts';
import type { MarkdownHead, MarkdownText, MarkdownView } from '../../ports/markdown-parser.ts';
import type { NotePreview } from '../../ports/note-store.ts';
import { toBlocks, type Block, type Leaf } from './markdown/blocks.ts';
import { BoundedLexer } from './markdown/bounded-lexer.ts';
import { publicImageUrl } from './markdown/safe-urls.ts';
import { scanPlainBlocks } from './markdown/plain-blocks.ts';
import { inlineText, plainText } from './markdown/plain-text.ts';

/**
 * This file converts Markdown to text, blocks, title, summary and cover image. All its functions are pure, and their
 * work is bounded for every input.
 */

export const maxTitleLength = 120;
const summaryLength = 120;
/**
 * Maximum length in characters of a note's head. The head is the first part of the text, from which the title, summary
 * and cover image are taken.
 */
export const headBytes = 16 * 1024;

/**
 * Maximum work for parsing in a worker thread: at most about half a second. The unit is one pair of markup delimiters
 * to examine.
 */
const workerWorkLimit = 20_000_000;
/**
 * Maximum work for parsing a note's head, that is, its first `headBytes` characters: some milliseconds. It is low,
 * because one thread parses the heads for all users who write notes. The unit is one pair of markup delimiters to
 * examine.
 */
const headWorkLimit = 300_000;
/**
 * Maximum work for parsing in the main thread: one or two milliseconds, which suffices for most notes. The unit is one
 * pair of markup delimiters to examine.
 */
const mainThreadWorkLimit = 40_000;
const mainThreadMaxLength = 4096;

export function parseBlocks(markdown: string, work = workerWorkLimit): Block[] {
  return lexBlocks(markdown, work).blocks;
}

/** Parses Markdown to blocks. `isWhole` is true if the whole text was parsed within the work limit. */
function lexBlocks(markdown: string, work: number): { blocks: Block[]; isWhole: boolean } {
  const { matter, body } = splitFrontMatter(markdown);
  const plain = matter === '' ? scanPlainBlocks(body) : undefined;
  if (plain) return { blocks: plain, isWhole: true };
  const lexer = new BoundedLexer(work);
  let blocks: Block[];
  try {
    blocks = toBlocks(lexer.lex(body));
  } catch (error) {
    // The call stack overflowed because of unusual nesting. Keep the text as one paragraph.
    if (!(error instanceof RangeError)) throw error;
    blocks = [{ type: 'p', children: [{ text: body }] }];
  }
  const isWhole = !lexer.isCutShort;
  return {
    blocks:
      matter === '' ? blocks : [{ type: 'code_block', language: 'yaml', children: [{ text: matter }] }, ...blocks],
    isWhole,
  };
}

export function parseMarkdown(markdown: string): MarkdownView {
  return viewOf(parseBlocks(markdown));
}

/**
 * Parses Markdown in the main thread with a low work limit. Returns undefined if the text is too long or exceeds the
 * limit; the caller then uses a worker thread.
 */
export function tryParseMarkdown(markdown: string): MarkdownView | undefined {
  const blocks = tryParseBlocks(markdown);
  return blocks && viewOf(blocks);
}

function tryParseBlocks(markdown: string): Block[] | undefined {
  if (markdown.length > mainThreadMaxLength) return undefined;
  const { blocks, isWhole } = lexBlocks(markdown, mainThreadWorkLimit);
  return isWhole ? blocks : undefined;
}

function viewOf(blocks: Block[]): MarkdownView {
  return { ...textOf(blocks), blocks: JSON.stringify(blocks) };
}

function textOf(blocks: Block[]): MarkdownText {
  const headings = blocks.filter(isHeading).map((block) => inlineText(block.children, false));
  return { text: plainText(blocks), headings: headings.join('\n') };
}

/**
 * Splits off YAML front matter, which is metadata between `---` lines at the start of the text. Markdown would parse it
 * as a heading.
 */
export function splitFrontMatter(markdown: string): { matter: string; body: string } {
  if (!/^\ufeff?---[ \t]*\r?\n/.test(markdown)) return { matter: '', body: markdown };
  const found = /^\ufeff?---[ \t]*\r?\n((?:[\w-]+:.*\r?\n|-?[ \t].*\r?\n){1,200})---[ \t]*(?:\r?\n|$)/.exec(
    markdown.slice(0, 8192),
  );
  return found
    ? { matter: (found[1] ?? '').trimEnd(), body: markdown.slice(found[0].length) }
    : { matter: '', body: markdown };
}

/**
 * Parses the head (first part) of a note, and returns its title, summary and cover image, which lists of notes show.
 */
export function parseHead(markdown: string): MarkdownHead {
  const head = sliceHead(markdown);
  const blocks = parseBlocks(head, headWorkLimit);
  return headOfBlocks(blocks, head, plainText(blocks));
}

/**
 * Parses a short text once, and returns its head (title, summary, cover image) for the note's preview and its text for
 * the search index. Returns undefined if the text exceeds the work limit of the main thread.
 */
export function tryParseHeadAndText(markdown: string): { head: MarkdownHead; text: MarkdownText } | undefined {
  const blocks = tryParseBlocks(markdown);
  if (!blocks) return undefined;
  const text = textOf(blocks);
  return { head: headOfBlocks(blocks, markdown, text.text), text };
}

function headOfBlocks(blocks: Block[], head: string, text: string): MarkdownHead {
  const [first, ...rest] = blocks;
  const opening =
    first !== undefined && isHeading(first) && rest.length > 0 ? cleanTitle(inlineText(first.children, false)) : null;
  const summary = summarize(text);
  const afterOpening = opening === null ? summary : summarize(plainText(rest));
  return { title: titleOf(blocks, head), opening, summary, afterOpening, coverImage: coverOf(blocks) };
}

/**
 * Creates the preview of a note. If the note begins with a heading that is also its title, the summary leaves out this
 * heading.
 */
export function buildPreview(head: MarkdownHead, title?: string): NotePreview {
  const shown = title === undefined ? head.title : cleanTitle(title);
  const summary = head.opening === shown ? head.afterOpening : head.summary;
  return { title: shown, titleKey: titleSortKey(shown), summary, coverImage: head.coverImage };
}

/** Returns the first part of the note, cut at a line end if possible. */
export function sliceHead(markdown: string): string {
  if (markdown.length <= headBytes) return markdown;
  const cut = markdown.lastIndexOf('\n', headBytes);
  return dropLoneSurrogate(markdown.slice(0, cut > 0 ? cut : headBytes));
}

/** Removes half a surrogate pair at the end of a cut text. */
function dropLoneSurrogate(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

/** Converts a text to one line with single spaces and at most 120 characters. */
export function cleanTitle(text: string): string {
  // eslint-disable-next-line no-control-regex
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f\ufeff]+/g, ' ').trim();
  return line.length <= maxTitleLength ? line : [...line].slice(0, maxTitleLength).join('').trimEnd();
}

function titleOf(blocks: Block[], source: string): string {
  for (const block of blocks) {
    if (!isHeading(block)) continue;
    const title = cleanTitle(inlineText(block.children, false));
    if (title !== '') return title;
  }
  return firstLine(blocks) ?? firstNonEmptyLine(source) ?? '';
}

function isHeading(block: Block): block is Leaf {
  return /^h[1-6]$/.test(block.type);
}

function firstLine(blocks: readonly Block[]): string | undefined {
  for (const block of blocks) {
    const found = lineOf(block);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lineOf(block: Block): string | undefined {
  switch (block.type) {
    case 'hr':
      return undefined;
    case 'image':
      return firstNonEmptyLine(block.alt);
    case 'code_block':
      // Skip YAML code blocks, because front matter (metadata before the text) is converted to such a block.
      return block.language === 'yaml' ? undefined : firstNonEmptyLine(block.children[0].text);
    case 'table':
      return firstNonEmptyLine(
        (block.children[0]?.children ?? []).map((cell) => inlineText(cell.children, false)).join(' | '),
      );
    case 'ul':
    case 'ol':
    case 'li':
    case 'blockquote':
      return firstLine(block.children);
    default:
      return firstNonEmptyLine(inlineText(block.children, false));
  }
}

export function firstNonEmptyLine(text: string): string | undefined {
  for (const line of text.split('\n')) {
    const title = cleanTitle(line);
    if (title !== '') return title;
  }
  return undefined;
}

/** Shortens a text to one line of at most 120 characters, and adds `…` if the text was cut. */
export function summarize(text: string): string {
  const line = text
    .slice(0, summaryLength * 8)
    // eslint-disable-next-line no-control-regex
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  const points = [...dropLoneSurrogate(line)];
  return points.length <= summaryLength ? points.join('') : `${points.slice(0, summaryLength).join('').trimEnd()}…`;
}

function coverOf(blocks: readonly Block[]): string {
  for (const block of blocks) {
    const found = coverIn(block);
    if (found !== '') return found;
  }
  return '';
}

function coverIn(block: Block): string {
  if (block.type === 'image') return (block.url.length <= 2048 && publicImageUrl(block.url)) || '';
  if (block.type === 'table' || block.type === 'code_block' || block.type === 'hr') return '';
  for (const child of block.children) {
    if (!('type' in child)) continue;
    const found = coverIn(child);
    if (found !== '') return found;
  }
  return '';
}

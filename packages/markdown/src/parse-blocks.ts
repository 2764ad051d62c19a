import type { JSONContent, MarkdownToken } from '@tiptap/core';
import type { MarkdownEngine, TokenizedText } from './markdown-engine.ts';

/** A top-level block of a Markdown text. `node` is undefined if no editor node can represent the text. */
export interface ParsedBlock {
  readonly node: JSONContent | undefined;
  readonly text: string;
  /** White space from the end of the block up to the next one. */
  readonly gap: string;
  readonly token: MarkdownToken | undefined;
}

/**
 * Front matter: metadata at the start of a file between two lines of dashes. Markdown parsers would read it as a
 * heading.
 */
const frontMatter = /^---[ \t]*\n(?=[\w-]+[ \t]*:)(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/**
 * Splits Markdown whose line breaks are `\n` into its top-level blocks. Concatenating the blocks' texts and gaps gives
 * the Markdown again.
 */
export function parseBlocks(engine: MarkdownEngine, markdown: string): ParsedBlock[] {
  const head = frontMatter.exec(markdown)?.[0] ?? '';
  const text = engine.tokenize(markdown.slice(head.length));
  const parts = [
    ...(head === '' ? [] : [{ raw: head, node: undefined, token: undefined }]),
    ...text.tokens.flatMap((token) => parseToken(text, token)),
  ];
  // Keep the whole text as one block if a lexer extension consumed more text than its tokens contain; the difference
  // would be lost otherwise.
  if (parts.map(({ raw }) => raw).join('') !== markdown)
    return [{ node: undefined, ...splitGap(markdown), token: undefined }];
  const blocks: ParsedBlock[] = [];
  let lead = '';
  for (const { raw, node, token } of parts) {
    const last = blocks.at(-1);
    const blank = token?.type === 'space' ? raw : leadingBlankLines(raw);
    if (last) blocks[blocks.length - 1] = { ...last, gap: last.gap + blank };
    else lead += blank;
    if (token?.type === 'space') continue;
    const block = { node, ...splitGap(lead + raw.slice(blank.length)), token };
    lead = '';
    const open = blocks.at(-1);
    // Merge consecutive blocks that have no editor node, such as link definitions, unless a blank line separates them.
    if (open && !open.node && !node && !/\n[ \t]*\n/.test(open.gap))
      blocks[blocks.length - 1] = { ...open, text: open.text + open.gap + block.text, gap: block.gap };
    else blocks.push(block);
  }
  if (lead !== '') return [{ node: { type: 'paragraph' }, text: '', gap: lead, token: undefined }];
  return blocks.flatMap((block, index) => withEmptyParagraphs(block, index === 0, index === blocks.length - 1));
}

interface Part {
  readonly raw: string;
  readonly node: JSONContent | undefined;
  readonly token: MarkdownToken | undefined;
}

function parseToken(text: TokenizedText, token: MarkdownToken): Part[] {
  const raw = token.raw ?? '';
  if (token.type === 'space') return [{ raw, node: undefined, token }];
  const { nodes, hasHtml } = text.parse(token);
  if (nodes.length === 1 && !hasHtml) return [{ raw, node: nodes[0], token }];
  const lists = nodes.length > 1 && !hasHtml ? splitList(token) : [];
  if (lists.length < 2) return [{ raw, node: undefined, token }];
  return lists.flatMap((list) => parseToken(text, list));
}

const task = /^\s*[-+*]\s+\[[ xX]\]\s/;

/**
 * Splits a list that mixes tasks and plain items into runs of the same kind, because the parser turns it into several
 * lists.
 */
function splitList(token: MarkdownToken): MarkdownToken[] {
  const items = token.items ?? [];
  const written = items.map(({ raw }) => raw ?? '').join('');
  if (!token.raw?.startsWith(written)) return [];
  const groups: MarkdownToken[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && task.test(last[0]!.raw ?? '') === task.test(item.raw ?? '')) last.push(item);
    else groups.push([item]);
  }
  const rest = token.raw.slice(written.length);
  return groups.map((group, index) => {
    const raw = group.map((item) => item.raw).join('');
    return { ...token, items: group, raw: index < groups.length - 1 ? raw : raw + rest };
  });
}

const leadingBlankLines = (raw: string): string => /^(?:[ \t]*\n)*/.exec(raw)![0];

function splitGap(raw: string): { text: string; gap: string } {
  const end = endOfText(raw);
  return { text: raw.slice(0, end), gap: raw.slice(end) };
}

/** Returns the end of the last line that is not blank, excluding its line break. */
export function endOfText(raw: string): number {
  let end = raw.length;
  while (end > 0 && ' \t\r\n'.includes(raw[end - 1]!)) end -= 1;
  const lineBreak = /[\r\n]/.exec(raw.slice(end));
  return lineBreak ? end + lineBreak.index : raw.length;
}

/**
 * Converts the blank lines around a block, except the one that separates it from the next block, to empty paragraphs,
 * so that the editor shows them and the user can type into them or delete them.
 */
function withEmptyParagraphs(block: ParsedBlock, isFirst: boolean, isLast: boolean): ParsedBlock[] {
  const before = isFirst ? leadingBlankLines(block.text) : '';
  const leading = splitBlankLines(before);
  const [gap = '', ...trailing] = splitBlankLines(block.gap, isLast);
  const empty = (each: string): ParsedBlock => ({ node: { type: 'paragraph' }, text: '', gap: each, token: undefined });
  const isLeading = leading.length > 0 && before.includes('\n\n');
  return [
    ...(isLeading ? leading.map(empty) : []),
    { ...block, text: isLeading ? block.text.slice(before.length) : block.text, gap },
    ...trailing.map(empty),
  ];
}

/**
 * Splits a run of blank lines after each second line break. A remainder is added to the last part, or becomes a part of
 * its own if `hasRest` is true.
 */
function splitBlankLines(blank: string, hasRest = false): string[] {
  const pairs: string[] = [];
  let at = 0;
  for (let next = blank.indexOf('\n\n'); next >= 0; next = blank.indexOf('\n\n', at)) {
    pairs.push(blank.slice(at, next + 2));
    at = next + 2;
  }
  const rest = blank.slice(at);
  if (hasRest || pairs.length === 0) return [...pairs, rest];
  return [...pairs.slice(0, -1), pairs.at(-1)! + rest];
}

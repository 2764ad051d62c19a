import type { Block, Leaf } from './blocks.ts';

/**
 * Matches text that the fast scanner in this file cannot parse and leaves to the full lexer: inline syntax, URLs,
 * unusual white space, control characters, and lines that begin with block syntax unknown to the scanner.
 */
const unknownSyntax =
  // eslint-disable-next-line no-control-regex
  /[\\`*_[\]<>&~|@\u0000-\u0009\u000b-\u001f\u007f]|[^\S\n ]|^ | $|^[=+:]|^\d{1,9}[.)]|https?:|ftp:|www\./im;
const heading = /^(#{1,6}) ([^#\s](?:.*[^#])?)$/;
const listItem = /^- ([\p{L}\p{N}"'(].*)$/u;
const numbered = /^\d{1,9}[.)]/;

/**
 * Parses Markdown that consists only of headings, paragraphs and flat lists without inline syntax, as most short notes
 * do. Returns undefined for any other text, which the caller then parses with the full lexer. Returns the same blocks
 * as the lexer, but faster.
 */
export function scanPlainBlocks(markdown: string): Block[] | undefined {
  if (unknownSyntax.test(markdown)) return undefined;
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const first = line.charAt(0);
    if (first === '') at += 1;
    else if (first === '#') {
      const found = heading.exec(line);
      if (!found) return undefined;
      blocks.push({ type: `h${found[1]!.length}` as Leaf['type'], children: [{ text: found[2]! }] });
      at += 1;
    } else if (first === '-') {
      const items = scanList(lines, at);
      if (!items) return undefined;
      blocks.push({ type: 'ul', children: items });
      at += items.length;
    } else {
      const end = paragraphEnd(lines, at);
      if (end === undefined) return undefined;
      blocks.push({ type: 'p', children: [{ text: lines.slice(at, end).join('\n') }] });
      at = end;
    }
  }
  return blocks;
}

function scanList(lines: readonly string[], from: number): Block[] | undefined {
  const items: Block[] = [];
  let at = from;
  for (; at < lines.length && lines[at] !== ''; at++) {
    const text = listItem.exec(lines[at]!)?.[1];
    if (text === undefined || numbered.test(text)) return undefined;
    items.push({ type: 'li', children: [{ type: 'p', children: [{ text }] }] });
  }
  while (at < lines.length && lines[at] === '') at++;
  // Return undefined if another list item follows the empty lines. The list then continues, which this scanner does not
  // support.
  return lines[at]?.startsWith('-') ? undefined : items;
}

/**
 * Returns the index of the line after a paragraph. Returns undefined if a line begins with `#` or `-`: it may end or
 * change the paragraph, which this scanner does not support.
 */
function paragraphEnd(lines: readonly string[], from: number): number | undefined {
  let at = from + 1;
  for (; at < lines.length && lines[at] !== ''; at++) {
    const first = lines[at]!.charAt(0);
    if (first === '#' || first === '-') return undefined;
  }
  return at;
}

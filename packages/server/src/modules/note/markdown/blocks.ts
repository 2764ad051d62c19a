import type { Token, Tokens } from 'marked';
import { decodeEntities } from './entities.ts';
import { safeLinkUrl } from './safe-urls.ts';

/** A run of formatted text in the answer of get_doc_content for `target_content_format` 2. */
interface Text {
  text: string;
  bold?: true;
  italic?: true;
  strikethrough?: true;
  code?: true;
  /** URL of the link. It is in an object, because existing clients read `link.url`. */
  link?: { url: string };
}

interface Image {
  type: 'image';
  url: string;
  alt: string;
  children: [Text];
}

export type Inline = Text | Image;

export interface Leaf {
  type: 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'p';
  children: Inline[];
}

interface Code {
  type: 'code_block';
  language: string;
  children: [Text];
}

export interface Container {
  type: 'blockquote' | 'ul' | 'ol' | 'li';
  /** First number of an ordered list (block type `ol`). */
  start?: number;
  /** Whether a task item is checked (block type `li`). */
  checked?: boolean;
  children: Block[];
}

interface Row {
  header?: true;
  children: { children: Inline[] }[];
}

export interface Table {
  type: 'table';
  align: (string | null)[];
  children: Row[];
}

interface Rule {
  type: 'hr';
  children: [Text];
}

export type Block = Leaf | Code | Container | Table | Rule | Image;

export function toBlocks(tokens: readonly Token[]): Block[] {
  const blocks: Block[] = [];
  for (const token of tokens) {
    const block = toBlock(token);
    if (block) blocks.push(block);
  }
  return blocks;
}

function toBlock(token: Token): Block | undefined {
  switch (token.type) {
    case 'space':
    case 'checkbox':
      return undefined;
    case 'heading':
      return {
        type: `h${Math.min(6, (token as Tokens.Heading).depth)}` as Leaf['type'],
        children: inline(token.tokens ?? []),
      };
    case 'code':
      return {
        type: 'code_block',
        language: decodeEntities((token as Tokens.Code).lang ?? '').split(/\s/, 1)[0] ?? '',
        children: [{ text: (token as Tokens.Code).text }],
      };
    case 'hr':
      return { type: 'hr', children: [{ text: '' }] };
    case 'blockquote':
      return { type: 'blockquote', children: toBlocks(token.tokens ?? []) };
    case 'list':
      return toList(token as Tokens.List);
    case 'table':
      return toTable(token as Tokens.Table);
    case 'html':
      return { type: 'p', children: [{ text: (token as Tokens.HTML).text.trimEnd() }] };
    case 'def': {
      // Show a footnote definition as text. Drop a link definition, because it contains only a URL.
      const { tag, raw } = token as Tokens.Def;
      return tag.startsWith('^') ? { type: 'p', children: [{ text: raw.trimEnd() }] } : undefined;
    }
    default:
      return toParagraph(token);
  }
}

function toParagraph(token: Token): Block {
  const children =
    'tokens' in token && token.tokens
      ? inline(token.tokens)
      : [{ text: decodeEntities('text' in token ? String(token.text) : token.raw) }];
  const [only] = children;
  return children.length === 1 && only && 'type' in only ? only : { type: 'p', children };
}

function toList(list: Tokens.List): Container {
  const children = list.items.map((item): Container => {
    const checked = item.task ? { checked: item.checked === true } : {};
    return { type: 'li', ...checked, children: toBlocks(item.tokens) };
  });
  if (!list.ordered) return { type: 'ul', children };
  return { type: 'ol', start: typeof list.start === 'number' ? list.start : 1, children };
}

function toTable(table: Tokens.Table): Table {
  const cells = (row: Tokens.TableCell[]) => row.map((cell) => ({ children: inline(cell.tokens) }));
  const rows: Row[] = table.rows.map((row) => ({ children: cells(row) }));
  return { type: 'table', align: table.align, children: [{ header: true, children: cells(table.header) }, ...rows] };
}

type Marks = Omit<Text, 'text'>;

function inline(tokens: readonly Token[]): Inline[] {
  const found: Inline[] = [];
  collect(tokens, {}, found);
  return found.length > 0 ? found : [{ text: '' }];
}

function collect(tokens: readonly Token[], marks: Marks, into: Inline[]): void {
  for (const token of tokens) {
    switch (token.type) {
      case 'strong':
        collect(token.tokens ?? [], { ...marks, bold: true }, into);
        break;
      case 'em':
        collect(token.tokens ?? [], { ...marks, italic: true }, into);
        break;
      case 'del':
        collect(token.tokens ?? [], { ...marks, strikethrough: true }, into);
        break;
      case 'codespan':
        add(into, { text: (token as Tokens.Codespan).text, ...marks, code: true });
        break;
      case 'br':
        add(into, { text: '\n', ...marks });
        break;
      case 'link':
        collectLink(token as Tokens.Link, marks, into);
        break;
      case 'image':
        collectImage(token as Tokens.Image, marks, into);
        break;
      case 'html':
      case 'escape':
        add(into, { text: (token as Tokens.Escape).text, ...marks });
        break;
      case 'checkbox':
        break;
      default:
        if ('tokens' in token && token.tokens) collect(token.tokens, marks, into);
        else add(into, { text: decodeEntities('text' in token ? String(token.text) : token.raw), ...marks });
    }
  }
}

function collectLink(token: Tokens.Link, marks: Marks, into: Inline[]): void {
  if (token.text.startsWith('^')) {
    add(into, { text: `[${token.text}]`, ...marks });
    return;
  }
  const url = safeLinkUrl(token.href);
  const inside: Inline[] = [];
  collect(token.tokens, url === undefined ? marks : { ...marks, link: { url } }, inside);
  const isEmpty = inside.every((part) => !('type' in part) && part.text === '');
  if (isEmpty && url !== undefined) add(into, { text: url, ...marks, link: { url } });
  else for (const part of inside) add(into, part);
}

function collectImage(token: Tokens.Image, marks: Marks, into: Inline[]): void {
  const url = safeLinkUrl(token.href);
  const alt = decodeEntities(token.text);
  if (url === undefined) add(into, { text: alt, ...marks });
  else into.push({ type: 'image', url, alt, children: [{ text: '' }] });
}

/** Appends an inline part. Merges it with the last part if both are texts with the same formatting. */
function add(into: Inline[], part: Inline): void {
  const last = into.at(-1);
  if ('type' in part || !last || 'type' in last) {
    into.push(part);
    return;
  }
  const same =
    last.bold === part.bold &&
    last.italic === part.italic &&
    last.strikethrough === part.strikethrough &&
    last.code === part.code &&
    last.link?.url === part.link?.url;
  if (same) last.text += part.text;
  else into.push(part);
}

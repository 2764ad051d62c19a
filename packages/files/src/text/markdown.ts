import type { Token, Tokens } from 'marked';
import { decodeBytes } from './charset.ts';
import { FormatError } from '../format-error.ts';
import { appendLinkTarget } from './append-link-target.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { decodeXmlEntities } from '../xml/sax.ts';

export async function decodeMarkdown(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const { text, charset } = await decodeBytes(bytes, job.charset);
  return { ...(await markdownText(text, job.limits.maxTextChars)), meta: { format: 'markdown', charset } };
}

async function markdownText(source: string, maxChars: number): Promise<DecodedFile> {
  const { matter, body } = splitFrontMatter(source);
  const { Lexer } = await import('marked');
  const out = new TextBuilder(maxChars);
  try {
    writeBlocks(new Lexer({ gfm: true }).lex(body), out);
  } catch (error) {
    if (error instanceof FormatError) throw error;
    // The text is nested too deeply for the lexer: use it as plain text.
    const plain = new TextBuilder(maxChars);
    plain.append(body);
    return plain.done(matter, {});
  }
  const decoded = out.done(undefined, {});
  const first = decoded.headings.find((heading) => heading.level === 1) ?? decoded.headings[0];
  const title = matter ?? first?.text;
  return { ...decoded, ...(title === undefined ? {} : { title }) };
}

function splitFrontMatter(source: string): { matter: string | undefined; body: string } {
  const match = /^\ufeff?---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(source);
  if (match === null) return { matter: undefined, body: source };
  const title = /^title[ \t]*:[ \t]*(.+)$/im
    .exec(match[1]!)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  return { matter: title === '' ? undefined : title, body: source.slice(match[0].length) };
}

function writeBlocks(tokens: Token[], out: TextBuilder): void {
  for (const token of tokens) {
    switch (token.type) {
      case 'heading':
        out.heading((token as Tokens.Heading).depth, inline(token));
        break;
      case 'list':
        for (const item of (token as Tokens.List).items) writeBlocks(item.tokens, out);
        break;
      case 'blockquote':
        writeBlocks(token.tokens ?? [], out);
        break;
      case 'table': {
        const table = token as Tokens.Table;
        for (const row of [table.header, ...table.rows]) out.line(row.map((cell) => inlineAll(cell.tokens)).join('\t'));
        break;
      }
      case 'code':
        out.paragraph((token as Tokens.Code).text);
        break;
      case 'html':
        out.line(stripTags((token as Tokens.HTML).text));
        break;
      case 'paragraph':
        out.paragraph(inline(token));
        break;
      case 'space':
      case 'hr':
      case 'def':
        break;
      default:
        out.line(inline(token));
    }
  }
}

function inlineAll(tokens: Token[]): string {
  return tokens.map(inline).join('');
}

function inline(token: Token): string {
  if (token.type === 'br') return '\n';
  if (token.type === 'html') return '';
  if (token.type === 'image') return (token as Tokens.Image).text;
  if (token.type === 'link') return appendLinkTarget(inlineAll(token.tokens ?? []), (token as Tokens.Link).href);
  if ('tokens' in token && token.tokens !== undefined) return inlineAll(token.tokens);
  if (!('text' in token) || typeof token.text !== 'string') return '';
  return token.type === 'codespan' ? token.text : decodeXmlEntities(token.text);
}

export function stripTags(html: string): string {
  return decodeXmlEntities(
    html
      .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
      .replace(/<(?:script|style)\b[\s\S]*?(?:<\/(?:script|style)\s*>|$)/gi, ' ')
      .replace(/<[^<>]*>/g, ' '),
  ).replaceAll('&nbsp;', ' ');
}

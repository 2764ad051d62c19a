import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { safeImageUrl } from '../../lib/safe-image-url.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import type { SyntaxToken } from './syntax-tokenizer.ts';
import { NoteLink, noteIdIn } from './note-link.tsx';
import { TextWithLinks } from './text-with-links.tsx';

/**
 * Renders Markdown as React elements that look like the editor's content, without loading the editor. Returns undefined
 * for text that only the editor renders correctly: HTML, character references, formulas.
 */
export function renderMarkdown(markdown: string): ReactNode | undefined {
  if (/&[#\w]+;|\$\$|\$\S[^$]*(?<=\S)\$(?!\d)/.test(markdown)) return undefined;
  const tokens = new Lexer({ gfm: true }).lex(markdown);
  return isRenderable(tokens) ? blocks(tokens) : undefined;
}

/** Returns false if any token, including nested ones, is HTML. */
function isRenderable(tokens: readonly Token[]): boolean {
  return tokens.every((token) => token.type !== 'html' && isRenderable(childTokens(token as MarkedToken)));
}

function childTokens(token: MarkedToken): readonly Token[] {
  if (token.type === 'list') return token.items;
  if (token.type === 'table') return [...token.header, ...token.rows.flat()].flatMap((cell) => cell.tokens);
  return 'tokens' in token ? (token.tokens ?? []) : [];
}

function blocks(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Block key={index} token={token as MarkedToken} />);
}

function Block({ token }: { token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'heading': {
      const Heading = `h${token.depth}` as 'h1';
      return <Heading>{spans(token.tokens)}</Heading>;
    }
    case 'paragraph':
      return <p>{spans(token.tokens)}</p>;
    // At block level, a `text` token is the text of a list item.
    case 'text':
      return <p>{token.tokens ? spans(token.tokens) : token.text}</p>;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens)}</blockquote>;
    case 'code':
      return (
        <pre>
          <code>
            <Code text={token.text} language={token.lang} />
          </code>
        </pre>
      );
    case 'hr':
      return <hr />;
    case 'list':
      return <List list={token} />;
    case 'table':
      return <Table table={token} />;
    default:
      return null;
  }
}

/** Shows code at once, and adds syntax highlighting after the tokenizer is loaded. */
function Code({ text: code, language = '' }: { text: string; language: string | undefined }): ReactNode {
  const [parts, setParts] = useState<readonly SyntaxToken[]>([]);
  useEffect(() => {
    if (language === '') return undefined;
    let isLeft = false;
    import('./syntax-tokenizer.ts').then(
      ({ tokenizeCode }) => !isLeft && setParts(tokenizeCode(code, language)),
      (error: unknown) => console.info('colors of code', error),
    );
    return () => {
      isLeft = true;
    };
  }, [code, language]);
  const shown: ReactNode[] = [];
  let at = 0;
  for (const { from, to, kind } of parts) {
    shown.push(
      code.slice(at, from),
      <span key={from} className={`code-${kind}`}>
        {code.slice(from, to)}
      </span>,
    );
    at = to;
  }
  return [...shown, code.slice(at)];
}

function List({ list }: { list: Tokens.List }): ReactNode {
  if (list.items.some((item) => item.task)) {
    return (
      <ul data-type="taskList">
        {list.items.map((item, index) => (
          <li key={index}>
            <label>
              <input type="checkbox" checked={item.checked === true} readOnly tabIndex={-1} aria-label={item.text} />
            </label>
            <div>{blocks(item.tokens.filter((token) => token.type !== 'checkbox'))}</div>
          </li>
        ))}
      </ul>
    );
  }
  const items = list.items.map((item, index) => <li key={index}>{blocks(item.tokens)}</li>);
  return list.ordered ? <ol start={list.start === '' ? undefined : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { table: Tokens.Table }): ReactNode {
  const cells = (row: readonly Tokens.TableCell[], Cell: 'th' | 'td'): ReactNode => (
    <tr>
      {row.map((cell, index) => (
        <Cell key={index}>
          <p>{spans(cell.tokens)}</p>
        </Cell>
      ))}
    </tr>
  );
  return (
    <div className="tableWrapper">
      <table>
        <thead className="contents">{cells(table.header, 'th')}</thead>
        <tbody>
          {table.rows.map((row, index) => (
            <Row key={index}>{cells(row, 'td')}</Row>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ children }: { children: ReactNode }): ReactNode {
  return children;
}

function spans(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Span key={index} token={token as MarkedToken} />);
}

function Span({ token }: { token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{spans(token.tokens)}</strong>;
    case 'em':
      return <em>{spans(token.tokens)}</em>;
    case 'del':
      return <s>{spans(token.tokens)}</s>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'image':
      return <Picture image={token} />;
    case 'link':
      return <Link link={token} />;
    case 'text':
      return token.tokens ? spans(token.tokens) : <TextWithLinks text={token.text} />;
    case 'escape':
      return token.text;
    default:
      return null;
  }
}

/**
 * True if links to this site are clickable. A public page, which visitors open without signing in, sets it to false,
 * because these visitors cannot open the linked pages.
 */
export const InternalLinksContext = createContext(true);

function Link({ link: { href, tokens } }: { link: Tokens.Link }): ReactNode {
  const areFollowed = useContext(InternalLinksContext);
  if (!areFollowed && isInternal(href)) return spans(tokens);
  const note = noteIdIn(href);
  if (note !== undefined) return <NoteLink id={note}>{spans(tokens)}</NoteLink>;
  if (!isLinkable(href)) return spans(tokens);
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {spans(tokens)}
    </a>
  );
}

function isInternal(address: string): boolean {
  return URL.canParse(address, location.href) && new URL(address, location.href).origin === location.origin;
}

function isLinkable(address: string): boolean {
  return /^(https?:\/\/|mailto:|\/(?!\/))/i.test(address);
}

function Picture({ image: { href, text: alt, title } }: { image: Tokens.Image }): ReactNode {
  const text = useTranslation();
  const address = safeImageUrl(href, location.href);
  if (address === undefined) return <img alt={alt} title={text('pictureNotLoaded')} />;
  return <img src={address} alt={alt} title={title ?? undefined} />;
}

import type { Extensions, JSONContent, MarkdownToken } from '@tiptap/core';
import { MarkdownManager } from '@tiptap/markdown';
import { Marked, type Lexer } from 'marked';
import { escapeMath } from './math-syntax.ts';

/** Members of Tiptap's MarkdownManager that its types hide. They are needed to parse blocks one by one. */
interface ManagerInternals {
  activeParseLexer: Lexer | null;
  createLexer(): Lexer;
  parseTokens(tokens: readonly MarkdownToken[]): JSONContent[];
  parseHTMLToken(token: MarkdownToken): JSONContent | JSONContent[] | null;
  isUnrecognizedHtml(html: string): boolean;
  escapeMarkdownSyntax(text: string): string;
  applyMarkToContent(mark: string, content: JSONContent[], attrs?: Record<string, unknown>): JSONContent[];
}

/** Tokens of a Markdown text. Each token can be parsed separately, using the link definitions of the whole text. */
export interface TokenizedText {
  readonly tokens: readonly MarkdownToken[];
  /** Returns the editor nodes of a token. `hasHtml` is true if the token contains HTML, which yields no nodes. */
  parse(token: MarkdownToken): { readonly nodes: JSONContent[]; readonly hasHtml: boolean };
}

/** Tiptap's Markdown parser and serializer, used one block at a time and without a DOM. */
export class MarkdownEngine {
  readonly #manager: ManagerInternals;
  readonly #serializer: MarkdownManager;
  #hasHtml = false;

  constructor(extensions: Extensions) {
    // Use a separate Marked instance: in the shared instance, the manager would register its tokenizers again for
    // every editor.
    const marked = new Marked() as unknown as NonNullable<ConstructorParameters<typeof MarkdownManager>[0]>['marked'];
    this.#serializer = new MarkdownManager({ extensions, ...(marked && { marked }) });
    const manager = (this.#manager = this.#serializer as unknown as ManagerInternals);
    const parseHtml = manager.parseHTMLToken.bind(manager);
    manager.parseHTMLToken = (token) => {
      if (manager.isUnrecognizedHtml(token.text || token.raw || '')) return parseHtml(token);
      this.#hasHtml = true;
      return null;
    };
    const escape = manager.escapeMarkdownSyntax.bind(manager);
    manager.escapeMarkdownSyntax = (text) => escapeText(text, escape);
    const applyMark = manager.applyMarkToContent.bind(manager);
    manager.applyMarkToContent = (mark, content, attrs) =>
      applyMark(mark, content, attrs).map((node) =>
        node.type === 'image'
          ? { ...node, marks: [...(node.marks ?? []), { type: mark, ...(attrs && { attrs }) }] }
          : node,
      );
  }

  tokenize(markdown: string): TokenizedText {
    const lexer = this.#manager.createLexer();
    const tokens = lexer.lex(markdown) as MarkdownToken[];
    return {
      tokens,
      parse: (token) => {
        this.#manager.activeParseLexer = lexer;
        this.#hasHtml = false;
        try {
          const nodes = this.#manager.parseTokens([token]);
          return { nodes, hasHtml: this.#hasHtml };
        } finally {
          this.#manager.activeParseLexer = null;
        }
      },
    };
  }

  /** Returns whether a block ends at some position from `from` to `to`. */
  hasBoundary(markdown: string, from: number, to: number): boolean {
    let at = 0;
    for (const token of this.#manager.createLexer().blockTokens(markdown)) {
      if (at >= from && at <= to) return true;
      at += token.raw.length;
      if (at > to) return false;
    }
    return at >= from;
  }

  /** Returns the normalized Markdown of one block, without line breaks around it. */
  render(block: JSONContent): string {
    return this.#serializer.serialize({ type: 'doc', content: [block] }).replace(/^\n+|\n+$/g, '');
  }
}

/**
 * Matches text that must not be escaped: a backslash would become part of a URL, and would break a `[[title]]` link to
 * a note.
 */
const verbatim = /(\bhttps?:\/\/[^\s<>*`[\]|&]+|\[\[[^[\]\n]+\]\])/;

function escapeText(text: string, escape: (part: string) => string): string {
  return text
    .split(verbatim)
    .map((part, index) => (index % 2 === 1 ? part : escapeMath(escape(part))))
    .join('');
}

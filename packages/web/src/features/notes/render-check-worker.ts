import { MarkdownManager } from '@tiptap/markdown';
import { Lexer, walkTokens } from 'marked';
import { editorExtensions } from './editor-extensions.ts';
import { stripActiveAttributes } from './strip-active-attributes.ts';

/** Limit on HTML fragments: the editor parses each one separately, in about a millisecond, and only in a page. */
const maxHtml = 1000;

/**
 * Parses Markdown like the editor, in a worker that the caller terminates when it takes too long. It first reports that
 * it has started, so that its loading time does not count.
 */
self.onmessage = ({ data }: MessageEvent<string>): void => {
  self.postMessage('begun');
  try {
    const text = stripActiveAttributes(data);
    self.postMessage(
      htmlIn(text) <= maxHtml && new MarkdownManager({ extensions: editorExtensions }).parse(text)
        ? 'read'
        : 'unreadable',
    );
  } catch (error) {
    // Nesting exceeded the stack; the page would fail in the same way.
    console.info('Markdown', error);
    self.postMessage('unreadable');
  }
};

function htmlIn(markdown: string): number {
  let count = 0;
  walkTokens(new Lexer({ gfm: true }).lex(markdown), (token) => {
    if (token.type === 'html') count += 1;
  });
  return count;
}

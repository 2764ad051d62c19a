import { MarkdownManager } from '@tiptap/markdown';
import { Lexer, walkTokens } from 'marked';
import { extensions } from './extensions.ts';
import { inert } from './inert.ts';

/** Each piece of HTML is read by itself, in about a millisecond, and only where there is a page. */
const maxHtml = 1000;

/**
 * Reads Markdown as the editor does, where nobody waits for it: whoever asked ends this when it takes too long. Says first that
 * it has begun, so that loading it does not count.
 */
self.onmessage = ({ data }: MessageEvent<string>): void => {
  self.postMessage('begun');
  try {
    const text = inert(data);
    self.postMessage(
      htmlIn(text) <= maxHtml && new MarkdownManager({ extensions }).parse(text) ? 'read' : 'unreadable',
    );
  } catch (error) {
    // Nested past what the stack holds; the page would fail likewise.
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

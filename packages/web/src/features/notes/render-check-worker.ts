import { Lexer, walkTokens } from 'marked';
import { noteMarkdown } from './editor-extensions.ts';

/**
 * Maximum number of HTML fragments in a text; a text with more counts as unreadable. The page needs about a millisecond
 * per fragment to parse it into elements, and a worker cannot measure this time, because it has no DOM.
 */
const maxHtml = 1000;

/**
 * Parses the received Markdown like the editor, and answers `read` or `unreadable`. The caller terminates the worker
 * after a time limit. The message `begun` starts this limit, so that the time for loading the worker does not count.
 */
self.onmessage = ({ data }: MessageEvent<string>): void => {
  self.postMessage('begun');
  try {
    self.postMessage(htmlIn(data) <= maxHtml && noteMarkdown.parse(data) ? 'read' : 'unreadable');
  } catch (error) {
    // The Markdown is nested too deeply for the call stack. Parsing it in the page would fail, too.
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

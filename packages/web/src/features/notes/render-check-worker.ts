import { Lexer, walkTokens } from 'marked';
import { noteMarkdown } from './editor-extensions.ts';

/**
 * Maximum number of HTML fragments in a text. The page needs about a millisecond of DOM parsing per fragment, which a
 * parse in this worker cannot measure.
 */
const maxHtml = 1000;

/**
 * Parses Markdown like the editor, in a worker that the caller terminates after a time limit. The message `begun`
 * starts the time limit, so that loading the worker does not count.
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

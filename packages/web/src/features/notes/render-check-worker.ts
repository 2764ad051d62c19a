import { Lexer, walkTokens } from 'marked';
import { noteMarkdown } from './editor-extensions.ts';

/**
 * Maximum number of HTML fragments in a text. The read-only view parses each fragment separately with the DOM, in about a
 * millisecond. The worker has no DOM, so the trial parse does not measure this time.
 */
const maxHtml = 1000;

/**
 * Parses Markdown like the editor, in a worker that the caller terminates after a time limit. Reports `begun` first,
 * so that the time to load the worker is not included in the limit.
 */
self.onmessage = ({ data }: MessageEvent<string>): void => {
  self.postMessage('begun');
  try {
    self.postMessage(htmlIn(data) <= maxHtml && noteMarkdown.parse(data) ? 'read' : 'unreadable');
  } catch (error) {
    // The Markdown is nested too deeply for the call stack. Parsing it in the page would fail in the same way.
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

import { Lexer } from 'marked';
import { inert } from './inert.ts';

/**
 * Reads Markdown where nobody waits for it: whoever asked ends this when it takes too long. Says first that it has begun, so
 * that loading it does not count.
 */
self.onmessage = ({ data }: MessageEvent<string>): void => {
  self.postMessage('begun');
  try {
    new Lexer({ gfm: true }).lex(inert(data));
    self.postMessage('read');
  } catch (error) {
    // Nested past what the stack holds; the page would fail likewise.
    console.info('Markdown', error);
    self.postMessage('unreadable');
  }
};

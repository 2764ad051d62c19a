import type { LexerState } from './lexer-state.ts';

/**
 * Returns the offset after the bracket that closes the one at `from`. Skips nested brackets and characters escaped by
 * an apostrophe. Throws if the bracket is not closed.
 */
export function bracketEnd(scan: LexerState, from: number): number {
  const { text } = scan;
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (c === "'") i++;
    else if (c === '[') depth++;
    else if (c === ']' && --depth === 0) return i + 1;
  }
  return scan.fail('A bracket is not closed', from);
}

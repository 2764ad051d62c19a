import type { LexerState } from './lexer-state.ts';

/** Returns the end of the bracketed text at `from`, including nested brackets. */
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

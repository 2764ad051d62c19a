/**
 * Returns the offset after the quoted text or name that starts at `from`, or the length of the text if the closing
 * quotation mark is missing. Doubled quotation marks are part of the quoted text.
 */
export function quoteEnd(text: string, from: number): number {
  const quote = text[from];
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] !== quote) continue;
    if (text[i + 1] === quote) i++;
    else return i + 1;
  }
  return text.length;
}

/** Returns the offset after the bracketed text that starts at `from`. An apostrophe escapes the next character. */
export function bracketEnd(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "'") i++;
    else if (text[i] === '[') depth++;
    else if (text[i] === ']' && --depth === 0) return i + 1;
  }
  return text.length;
}

const word = /[\p{L}_\\][\p{L}\p{N}_.\\?]*/uy;

export function identifierAt(text: string, at: number): string | undefined {
  word.lastIndex = at;
  return word.exec(text)?.[0];
}

// Matches a number, a reference such as $A$1, or else a single character.
const plain = /[\p{N}$][\p{L}\p{N}$.]*|[\s\S]/uy;

export function tokenAt(text: string, at: number): string {
  plain.lastIndex = at;
  return plain.exec(text)?.[0] ?? text[at]!;
}

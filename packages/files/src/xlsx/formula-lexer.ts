/** Returns the end of a quoted text or name that starts at `from`. */
export function quoteEnd(text: string, from: number): number {
  const quote = text[from];
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] !== quote) continue;
    if (text[i + 1] === quote) i++;
    else return i + 1;
  }
  return text.length;
}

/** Returns the end of the bracket that starts at `from`; an apostrophe escapes the next character. */
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

/** Returns the identifier at this offset of a formula. */
export function identifierAt(text: string, at: number): string | undefined {
  word.lastIndex = at;
  return word.exec(text)?.[0];
}

// A number or a reference such as $A$1, which is not an identifier, or a single character.
const plain = /[\p{N}$][\p{L}\p{N}$.]*|[\s\S]/uy;

/** Returns the number, reference or single character at this offset. */
export function tokenAt(text: string, at: number): string {
  plain.lastIndex = at;
  return plain.exec(text)?.[0] ?? text[at]!;
}

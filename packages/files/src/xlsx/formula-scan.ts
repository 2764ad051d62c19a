/** Where a quoted text or name that begins at `from` ends. */
export function quoteEnd(text: string, from: number): number {
  const quote = text[from];
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] !== quote) continue;
    if (text[i + 1] === quote) i++;
    else return i + 1;
  }
  return text.length;
}

/** Inside brackets an apostrophe takes its special sense from the next character. */
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

/** The word at a place of a formula: a name of anything. */
export function wordAt(text: string, at: number): string | undefined {
  word.lastIndex = at;
  return word.exec(text)?.[0];
}

// A number or a reference such as $A$1 holds no name.
const plain = /[\p{N}$][\p{L}\p{N}$.]*|[\s\S]/uy;

/** A number, a reference or a single character. */
export function plainAt(text: string, at: number): string {
  plain.lastIndex = at;
  return plain.exec(text)?.[0] ?? text[at]!;
}

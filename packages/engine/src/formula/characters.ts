export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
export const isSpace = (code: number): boolean =>
  code === 32 || code === 9 || code === 10 || code === 13 || code === 0xa0;

/**
 * Returns whether a character may occur in a name: ASCII letters and digits, `_`, `.`, `\`, `?`, and every character
 * outside ASCII except the no-break space.
 */
export function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 46 ||
    code === 92 ||
    code === 63 ||
    (code >= 128 && code !== 0xa0)
  );
}

/** Returns the end of the word at `from`; `from` itself if no word starts there. */
export function wordEnd(text: string, from: number): number {
  let at = from;
  while (isWord(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Returns the weight of a UTF-16 code unit in quarters of a language model token. Token counts are estimated without a
 * model's vocabulary: a character of a script without spaces counts as one token, other characters as a quarter.
 */
function weight(code: number): number {
  // Count Han, Kana, Hangul, full-width forms, emoji and all characters beyond the Basic Multilingual Plane as four
  // quarters, and all others as one quarter.
  return code >= 0x2e80 ? 4 : 1;
}

const perToken = 4;
/**
 * A part of a text may be shorter than its maximum length by this fraction, so that the part ends at the end of a line,
 * sentence or word.
 */
const lookBack = 0.2;

export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Skip low surrogates: the high surrogate already counted for the whole character.
    if (code < 0xdc00 || code > 0xdfff) quarters += weight(code);
  }
  return Math.ceil(quarters / perToken);
}

/**
 * Returns the end of a part of the text that starts at `start` and has at most `tokens` tokens. The end is preferably
 * that of a line, sentence or word, and is always after `start`.
 */
export function tokenLimitEnd(text: string, start: number, tokens: number): number {
  const most = tokens * perToken;
  let quarters = 0;
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    const isLow = code >= 0xdc00 && code <= 0xdfff;
    const more = isLow ? 0 : weight(code);
    if (quarters + more > most) break;
    quarters += more;
    end += 1;
  }
  if (end >= text.length) return text.length;
  const earliest = end - Math.floor((end - start) * lookBack);
  for (const mark of ['\n', '。', '. ', ' ']) {
    const found = text.lastIndexOf(mark, end - 1);
    if (found >= earliest && found + mark.length <= end && found + mark.length > start) return found + mark.length;
  }
  return Math.max(end, start + 1);
}

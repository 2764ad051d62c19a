import type { MessageKey, Translate } from '../../../i18n/use-translation.ts';

export const headerSides = ['L', 'C', 'R'] as const;
export type HeaderSide = (typeof headerSides)[number];
export type HeaderParts = Readonly<Record<HeaderSide, string>>;

/** Codes in Excel's headers and footers, and the words that the form shows instead of them. */
export const headerWords: readonly (readonly [code: string, word: MessageKey])[] = [
  ['&P', 'headerPage'],
  ['&N', 'headerPages'],
  ['&A', 'headerSheet'],
  ['&F', 'headerTitle'],
  ['&D', 'headerDate'],
  ['&T', 'headerTime'],
];

/** Splits a header in Excel's notation, such as `&LName&RPage &P`, into left, center and right. */
export function splitHeader(line: string): HeaderParts {
  const parts = { L: '', C: '', R: '' };
  let side: HeaderSide = 'C';
  for (const [piece, code] of line.matchAll(/&([LCR])|&&|&"[^"]*"|&[^LCR]|[^&]+|&$/g)) {
    if (code === undefined) parts[side] += piece;
    else side = code as HeaderSide;
  }
  return parts;
}

export function joinHeader(parts: HeaderParts): string {
  return headerSides.map((side) => (parts[side] === '' ? '' : `&${side}${parts[side]}`)).join('');
}

/**
 * Matches the codes for font, size and color in an Excel page header, such as `&"Arial"` or `&12`. Sheaf preserves
 * these codes but does not show them.
 */
const formatting = /^&(?:"[^"]*"|K[0-9A-F]{6}|\d+|[BIUESXYH])$/i;

/** Matches each code in a part of a page header. `&&` stands for an ampersand. */
const codes = /&(?:&|"[^"]*"|K[0-9A-F]{6}|\d+|.)/gi;

/**
 * Converts the left, center or right part of a page header from Excel's notation to text. `valueOf` returns the text
 * for a code such as `&P`. Other codes are removed.
 */
export function headerText(part: string, valueOf: (code: string) => string | undefined): string {
  return part.replaceAll(codes, (code) => (code === '&&' ? '&' : (valueOf(code) ?? '')));
}

/**
 * Converts the left, center or right part of a page header from Excel's notation to text for the user, such as `Page
 * [page] of [pages]`.
 */
export function toHeaderWords(part: string, text: Translate): string {
  return headerText(part, (code) => {
    const word = headerWords.find(([known]) => known === code)?.[1];
    return word && `[${text(word)}]`;
  });
}

/**
 * Converts the left, center or right part of a page header from the user's text, such as `Page [page]`, to Excel's
 * notation. The font, size and color codes of `before`, the previous content of the part, are put in front.
 */
export function fromHeaderWords(words: string, before: string, text: Translate): string {
  let part = words.replaceAll('&', '&&');
  for (const [code, word] of headerWords) part = part.replaceAll(`[${text(word)}]`, code);
  const kept = (before.match(codes) ?? []).filter((code) => formatting.test(code)).join('');
  // Insert a space before a text that starts with a digit if the codes end with a digit, such as the font size `&12`.
  // Otherwise both would be read as one size.
  return part === '' ? '' : kept + (/\d$/.test(kept) && /^\d/.test(part) ? ` ${part}` : part);
}

import type { MessageKey, Translate } from '../../../i18n/use-translation.ts';

export const headerSides = ['L', 'C', 'R'] as const;
export type HeaderSide = (typeof headerSides)[number];
export type HeaderParts = Readonly<Record<HeaderSide, string>>;

/** Codes of Excel's headers and footers with the words that stand for them in the page. */
export const headerWords: readonly (readonly [code: string, word: MessageKey])[] = [
  ['&P', 'headerPage'],
  ['&N', 'headerPages'],
  ['&A', 'headerSheet'],
  ['&F', 'headerTitle'],
  ['&D', 'headerDate'],
  ['&T', 'headerTime'],
];

/** Splits a header in Excel's notation, such as `&LName&RPage &P`, into its three sides. */
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

/** Font, size and color codes, which are kept as they are and not shown. */
const formatting = /&"[^"]*"|&K[0-9A-F]{6}|&\d+|&[BIUESXYH]/g;

/** Returns one side of a header in words, such as `Page [page] of [pages]`. */
export function toHeaderWords(part: string, text: Translate): string {
  return part.replaceAll(formatting, '').replaceAll(/&(.)/g, (code, sign: string) => {
    const word = headerWords.find(([known]) => known === code)?.[1];
    return word === undefined ? (sign === '&' ? '&' : '') : `[${text(word)}]`;
  });
}

/** Returns one side of a header in Excel's notation. Formatting codes of `before` stay at its start. */
export function fromHeaderWords(words: string, before: string, text: Translate): string {
  let part = words.replaceAll('&', '&&');
  for (const [code, word] of headerWords) part = part.replaceAll(`[${text(word)}]`, code);
  const kept = (before.match(formatting) ?? []).join('');
  // A digit directly after a font size would be read as part of it.
  return part === '' ? '' : kept + (/\d$/.test(kept) && /^\d/.test(part) ? ` ${part}` : part);
}

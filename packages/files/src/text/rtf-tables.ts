/** RTF control words that represent a character, with the text of this character. */
export const specialCharacters: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['cell', '\t'],
  ['nestcell', '\t'],
  ['line', '\n'],
  ['lbr', '\n'],
  ['emdash', '\u2014'],
  ['endash', '\u2013'],
  ['lquote', '\u2018'],
  ['rquote', '\u2019'],
  ['ldblquote', '\u201c'],
  ['rdblquote', '\u201d'],
  ['bullet', '\u2022'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
]);

/** Charset labels by Windows code page number. */
const codePages = new Map<number, string>([
  [437, 'ibm866'],
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gb18030'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10_000, 'macintosh'],
  [10_007, 'x-mac-cyrillic'],
  [20_127, 'windows-1252'],
  [20_866, 'koi8-r'],
  [20_932, 'euc-jp'],
  [21_866, 'koi8-u'],
  [28_591, 'windows-1252'],
  [28_592, 'iso-8859-2'],
  [28_595, 'iso-8859-5'],
  [28_597, 'iso-8859-7'],
  [28_605, 'iso-8859-15'],
  [50_220, 'iso-2022-jp'],
  [50_222, 'iso-2022-jp'],
  [51_932, 'euc-jp'],
  [51_949, 'euc-kr'],
  [54_936, 'gb18030'],
  [65_001, 'utf-8'],
]);

export function charsetOfCodePage(page: number): string | undefined {
  return codePages.get(page) ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : undefined);
}

/** Windows code pages by the charset number of a font (`\fcharset` in RTF). */
const fontCodePages = new Map<number, number>([
  [77, 10_000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
]);

/**
 * Returns the charset for a font's charset number; undefined for symbol fonts, unknown numbers and the number that
 * means the document's charset.
 */
export function charsetOfFont(number: number): string | undefined {
  const page = fontCodePages.get(number);
  return page === undefined ? undefined : charsetOfCodePage(page);
}

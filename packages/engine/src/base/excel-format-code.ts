import { dateOfSerial } from './serial-date.ts';

/**
 * Regular expression for the parts of a number format code that must stay unchanged: quoted text, escaped characters,
 * brackets, padding (`_x`) and fill (`*x`).
 */
const literal = String.raw`"[^"]*"|\\.|\[[^\]]*\]|[_*].`;
const lowerCaseStart = '\ue000';
const lowerCaseEnd = '\ue001';

/** A value and a format code, rewritten so that the formatting library produces the same text as Excel. */
export interface AdaptedFormat {
  readonly value: number;
  readonly pattern: string;
  /** Converts the library's output to the final text. */
  readonly finish: (shown: string) => string;
}

const unadapted = /e[+-]|a\/p|%[^;]*%|\.[0#?]*,|\/|g|\[\$[^\]]*(?:-[0-9a-f]*4(?:04|11)|ja|zh-tw)/i;

/** Rewrites the parts of a format code that the formatting library reads differently from Excel. */
export function adaptFormat(value: number, pattern: string): AdaptedFormat {
  const unchanged = { value, pattern, finish: (shown: string) => shown };
  if (!unadapted.test(pattern)) return unchanged;
  const { section, isNegative, isOnly } = sectionFor(value, pattern);
  let code = inCode(section, String.raw`[0#?]e[+-]|a\/p`, (piece) =>
    piece === 'a/p' ? `"${lowerCaseStart}"A/P"${lowerCaseEnd}"` : piece.toUpperCase(),
  );
  code = withEra(groupedDecimals(code), value);
  const percents = plainPart(code).split('%').length - 1;
  const [before, fraction] = leadingLiterals(code);
  if (code === section && percents < 2 && before === '') return unchanged;
  // If the format has a section of its own for negative numbers, only minus signs written in that section are shown, so
  // the absolute value is formatted.
  const shownValue = (isNegative && !isOnly ? -value : value) * (percents > 1 ? 100 ** (percents - 1) : 1);
  return {
    value: shownValue,
    pattern: fraction,
    finish: (shown) => {
      const lower = shown.replaceAll(/\ue000([AP])\ue001/g, (_, sign: string) => sign.toLowerCase());
      return before === '' ? lower : lower.replace(/^-?/, (sign) => sign + before);
    },
  };
}

/**
 * Returns the section of a format code that applies to a number; semicolons separate the sections. A code with only one
 * section or with conditions such as `[>100]` is returned whole, with `isOnly` set to true.
 */
function sectionFor(value: number, pattern: string): { section: string; isNegative: boolean; isOnly: boolean } {
  const sections = [''];
  for (const [piece] of pattern.matchAll(new RegExp(`${literal}|[^]`, 'gu'))) {
    if (piece === ';') sections.push('');
    else sections[sections.length - 1] += piece;
  }
  const isNegative = value < 0;
  const hasConditions = /\[[<>=]/.test(pattern);
  if (hasConditions || sections.length === 1) return { section: pattern, isNegative, isOnly: true };
  const index = isNegative ? 1 : value === 0 && sections.length > 2 ? 2 : 0;
  return { section: sections[index]!, isNegative, isOnly: false };
}

/**
 * Replaces the parts of a format code that match the regular expression `wanted`, except inside literals such as quoted
 * text.
 */
function inCode(code: string, wanted: string, replace: (piece: string) => string): string {
  return code.replace(new RegExp(`(${literal})|${wanted}`, 'giu'), (piece, kept: string | undefined) =>
    kept === undefined ? replace(piece) : piece,
  );
}

function plainPart(code: string): string {
  return code.replace(new RegExp(literal, 'gu'), '');
}

/**
 * Moves a comma between decimal digits to the whole part, because Excel groups thousands wherever the comma stands. A
 * comma after the last digit is not moved, because it divides the number by a thousand.
 */
function groupedDecimals(code: string): string {
  return inCode(code, String.raw`([0#?]*)\.([0#?,]*,[0#?]+)`, (piece) => {
    const [whole = '', decimals = ''] = piece.split('.');
    const grouped = whole.length > 1 ? `${whole.slice(0, -1)},${whole.at(-1)}` : `#,##${whole || '#'}`;
    return `${grouped}.${decimals.replaceAll(',', '')}`;
  });
}

/**
 * Splits a format code such as `"a "?/?` into the literal text at its start and the rest. The formatting library drops
 * literal text before a fraction without a whole part, so the text is added to the output separately. For other codes,
 * the text is empty.
 */
function leadingLiterals(code: string): [text: string, rest: string] {
  const found = new RegExp(String.raw`^((?:"[^"]*"|\\.|[^0#?"\\\[_*;/@.,%\w])+)(?=[0#?]+\s*/)`, 'u').exec(code);
  if (!found) return ['', code];
  const text = found[1]!.replaceAll(
    /"([^"]*)"|\\(.)/gu,
    (_, quoted: string | undefined, sign: string) => quoted ?? sign,
  );
  return [text, code.slice(found[1]!.length)];
}

/** Japanese eras: first day as yyyymmdd, name and letter. */
const eras: readonly (readonly [from: number, name: string, letter: string])[] = [
  [20_190_501, '令和', 'R'],
  [19_890_108, '平成', 'H'],
  [19_261_225, '昭和', 'S'],
  [19_120_730, '大正', 'T'],
  [0, '明治', 'M'],
];
const firstYearOfRepublic = 1912;

/** Replaces the era codes of Japanese and Taiwanese date formats, such as `ggge`, with the era and year of the date. */
function withEra(code: string, value: number): string {
  const locale = /\[\$[^\]]*?-([^\]]*)\]/.exec(code)?.[1]?.toLowerCase() ?? '';
  const isTaiwan = /404$|^zh-tw/.test(locale);
  const isJapan = /411$|^ja/.test(locale) || (locale === '' && /g/i.test(plainPart(code).replace(/general/gi, '')));
  const parts = isJapan || isTaiwan ? dateOfSerial(value) : undefined;
  if (!parts) return code;
  const { year, month, day } = parts;
  const date = year * 10_000 + month * 100 + day;
  const [from, name, letter] = eras.find(([first]) => date >= first)!;
  const eraYear = isTaiwan
    ? year - firstYearOfRepublic + 1
    : year - (from === 0 ? 1868 : Math.trunc(from / 10_000)) + 1;
  const names = isTaiwan ? ['民國', '民國', '中華民國'] : [letter, name[0]!, name];
  return inCode(code, 'general|g+|e+(?![+-])', (piece) => {
    if (/^general$/i.test(piece)) return piece;
    if (/^g/i.test(piece)) return `"${names[Math.min(piece.length, 3) - 1]}"`;
    if (eraYear === 1 && locale.endsWith('x-gannen')) return '"元"';
    return `"${String(eraYear).padStart(Math.min(piece.length, 2), '0')}"`;
  });
}

/** Takes apart what programs write as one word, and gives numbers that people write in groups their normal form. */

const camelPart = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const maxParts = 8;

/** Splits an identifier at its capitals: CrashLoopBackOff into four words. Empty for any other word. */
export function camelCaseParts(raw: string): string[] {
  if (!/[a-z][A-Z]/.test(raw) || !/^[A-Za-z\d]+$/.test(raw)) return [];
  const parts = raw.match(camelPart) ?? [];
  // A single letter says that it is a name such as iPhone or eBay.
  if (parts.length < 2 || parts.length > maxParts || parts.some((part) => /^[A-Za-z]$/.test(part))) return [];
  return parts.map((part) => part.toLowerCase());
}

export interface NormalNumber {
  /** Digits and letters without separators. */
  normal: string;
  from: number;
  to: number;
}

/** Digits in groups of three: 12,450.00, 12.450,00 or 12'450, with no more digits around. */
const grouped = /(?<![\d.,])\d{1,3}([,.'’\u00a0\u202f])\d{3}(?:\1\d{3})*(?:[.,](\d{1,2}))?(?![\d])/g;
/** A whole number written as an amount: 12450.00. */
const wholeAmount = /(?<![\d.,])(\d{2,})[.,]00(?![\d.,]*\d)/g;
/** An international bank account number in groups of four. */
const iban = /(?<![A-Za-z\d])[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?(?![A-Za-z\d])/g;
/** A telephone number in groups: with its country or area code, or a Chinese mobile number. */
const telephone =
  /(?<![\d.,])(?:\+\d{1,3}|\(0?\d{2,5}\)|0\d{1,5}|1\d\d(?=([ -])\d{4}\1\d{4}))(?:[ ./-]{1,2}\(?\d{2,5}\)?){2,5}(?!\d)/g;
const hasGroups = /\d[ ,.'’\u00a0\u202f/)-]{1,2}\(?\d{2}|\d [A-Z\d]{4}/;

/** Finds the numbers that are written in groups, each with its normal form. */
export function normalNumbers(text: string): NormalNumber[] {
  if (!hasGroups.test(text)) return [];
  const found: NormalNumber[] = [];
  const add = (match: RegExpExecArray, normal: string): void => {
    const from = match.index;
    const to = from + match[0].length;
    if (!found.some((one) => from < one.to && one.from < to)) found.push({ normal, from, to });
  };
  for (const match of text.matchAll(iban)) add(match, match[0].replaceAll(' ', '').toLowerCase());
  for (const match of text.matchAll(telephone)) {
    const digits = match[0].replaceAll(/\D/g, '');
    if (digits.length >= 7 && digits.length <= 15) add(match, digits);
  }
  for (const match of text.matchAll(grouped)) {
    const decimals = match[2] === undefined ? 0 : match[2].length + 1;
    const whole = match[0].slice(0, match[0].length - decimals).replaceAll(/\D/g, '');
    // A fraction of zeros adds nothing; any other is part of the number.
    add(match, /^0*$/.test(match[2] ?? '') ? whole : whole + match[2]);
  }
  for (const match of text.matchAll(wholeAmount)) add(match, match[1]!);
  return found.sort((one, other) => one.from - other.from);
}

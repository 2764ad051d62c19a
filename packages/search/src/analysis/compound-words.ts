/** Splits camel-case identifiers into words, and normalizes numbers whose digits are written in groups. */

const camelPart = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const maxParts = 8;

/**
 * Splits a camel-case identifier into lower-case words: CrashLoopBackOff gives four. Returns an empty list for any
 * other word.
 */
export function camelCaseParts(raw: string): string[] {
  if (!/[a-z][A-Z]/.test(raw) || !/^[A-Za-z\d]+$/.test(raw)) return [];
  const parts = raw.match(camelPart) ?? [];
  // Do not split a name with a single letter as a part, such as iPhone or eBay.
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
const grouped = /(?<![\d.,])\d{1,3}([,.'’\u00a0\u202f])\d{3}(?:\1\d{3})*(?:[.,](?<fraction>\d{1,2}))?(?!\d|[.,]\d)/g;
/** Groups with plain spaces, which a fraction tells from separate numbers: 12 450,00. */
const spaced = /(?<![\d.,])\d{1,3}(?: \d{3})+[.,](?<fraction>\d{1,2})(?!\d|[.,]\d)/g;
/** A large number with a fraction, 12450.5. Smaller ones may be versions or dates. */
const fractional = /(?<![\d.,])\d{5,12}\.(?<fraction>\d{1,2})(?!\d|[.,]\d)/g;
/** An amount of four digits with cents: 2085.50. */
const amount = /(?<![\d.,])\d{4}\.(?<fraction>\d{2})(?!\d|[.,]\d)/g;
/** A whole number written as an amount: 120.00. */
const wholeAmount = /(?<![\d.,])\d{2,12}[.,](?<fraction>00)(?![\d.,]*\d)/g;
/** Matches an international bank account number (IBAN) in groups of four characters. */
const iban = /(?<![A-Za-z\d])[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?(?![A-Za-z\d])/g;
/** A telephone number in groups: with its country or area code, or a Chinese mobile or an American number. */
const telephone =
  /(?<![\d.,])(?:\+\d{1,3}|\(0?\d{2,5}\)|0\d{1,5}|1\d\d(?=([ -])\d{4}\1\d{4})|\d{3}(?=([ .-])\d{3}\2\d{4}(?!\d)))(?:[ ./-]{1,2}\(?\d{2,5}\)?){2,5}(?!\d)/g;
const hasGroups = /\d[ ,.'’\u00a0\u202f/)-]{1,2}\(?\d{2}|\d [A-Z\d]{4}/;

/** Finds the numbers that are written in groups, and returns each without its separators. */
export function normalNumbers(text: string): NormalNumber[] {
  if (!hasGroups.test(text)) return [];
  const accounts = spansOf(text, iban, ([match]) => match.replaceAll(' ', '').toLowerCase());
  const telephones = spansOf(text, telephone, ([match]) => {
    const digits = match.replaceAll(/\D/g, '');
    return digits.length >= 7 && digits.length <= 15 ? digits : undefined;
  });
  const patterns = [grouped, spaced, fractional, amount, wholeAmount];
  const numbers = patterns.map((pattern) => spansOf(text, pattern, withoutSeparators));
  return [telephones, ...numbers].reduce(withoutOverlaps, accounts);
}

/** Zeros at the end of a fraction add nothing; other digits are part of the number. */
function withoutSeparators({ 0: match, groups }: RegExpExecArray): string {
  const fraction = groups?.['fraction'] ?? '';
  const whole = fraction === '' ? match : match.slice(0, -fraction.length - 1);
  return whole.replaceAll(/\D/g, '') + fraction.replace(/0+$/, '');
}

function spansOf(
  text: string,
  pattern: RegExp,
  normalOf: (match: RegExpExecArray) => string | undefined,
): NormalNumber[] {
  const found: NormalNumber[] = [];
  for (const match of text.matchAll(pattern)) {
    const normal = normalOf(match);
    if (normal !== undefined) found.push({ normal, from: match.index, to: match.index + match[0].length });
  }
  return found;
}

/** Adds those of `others` that overlap none of `first`; both ascend. */
function withoutOverlaps(first: readonly NormalNumber[], others: readonly NormalNumber[]): NormalNumber[] {
  let at = 0;
  const added = others.filter(({ from, to }) => {
    while (at < first.length && first[at]!.to <= from) at += 1;
    return at === first.length || first[at]!.from >= to;
  });
  return added.length === 0 ? [...first] : [...first, ...added].sort((one, other) => one.from - other.from);
}

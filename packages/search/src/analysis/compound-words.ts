/** Matches one word of a camel-case identifier. */

const camelPart = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const maxParts = 8;

/**
 * Splits a camel-case identifier into lower-case words: CrashLoopBackOff gives four. Returns an empty list for any
 * other word.
 */
export function camelCaseParts(raw: string): string[] {
  if (!/[a-z][A-Z]/.test(raw) || !/^[A-Za-z\d]+$/.test(raw)) return [];
  const parts = raw.match(camelPart) ?? [];
  // Names with a single letter as a part, such as iPhone or eBay, are not split.
  if (parts.length < 2 || parts.length > maxParts || parts.some((part) => /^[A-Za-z]$/.test(part))) return [];
  return parts.map((part) => part.toLowerCase());
}

/**
 * Returns additional search words for a camel-case identifier: its parts, and each run of adjacent parts as one word. A
 * search for UserService then finds UserServiceImpl.
 */
export function camelCaseWords(raw: string): string[] {
  const parts = camelCaseParts(raw);
  const words = [...parts];
  for (let from = 0; from < parts.length; from++)
    for (let to = from + 2; to <= parts.length; to++)
      if (to - from < parts.length) words.push(parts.slice(from, to).join(''));
  return words;
}

export interface NormalizedNumber {
  /** The digits and letters of the number, without separators. */
  normal: string;
  /** Other forms of the same number: a telephone number without its country code. */
  others?: readonly string[];
  /**
   * The number without its fraction: 12450 for 12,450.50. Texts are indexed under this form as well, so that a query
   * for 12450 finds 12,450.50. Queries do not use it.
   */
  whole?: string;
  from: number;
  to: number;
}

/** Digits in groups of three, such as 12,450.00, 12.450,00 or 12'450, not adjacent to other digits. */
const grouped = /(?<![\d.,])\d{1,3}([,.'’\u00a0\u202f])\d{3}(?:\1\d{3})*(?:[.,](?<fraction>\d{1,2}))?(?!\d|[.,]\d)/g;
/** Indian digit groups, such as 12,34,567. */
const indian = /(?<![\d.,])\d{1,2}(?:,\d{2})+,\d{3}(?:\.(?<fraction>\d{1,2}))?(?!\d|[.,]\d)/g;
/**
 * Groups separated by plain spaces, such as 12 450,00. The required fraction distinguishes them from separate numbers.
 */
const spaced = /(?<![\d.,])\d{1,3}(?: \d{3})+[.,](?<fraction>\d{1,2})(?!\d|[.,]\d)/g;
/**
 * Three or more groups separated by plain spaces, such as 1 250 000. They may also be separate numbers, so they are
 * recognized only in indexed texts, not in queries.
 */
const spacedWhole = /(?<![\d.,]|\d )\d{1,3}(?: \d{3}){2,}(?! ?\d|[.,]\d)/g;
/** A number of five or more digits with a fraction, such as 12450.5. Shorter ones may be versions or dates. */
const fractional = /(?<![\d.,])\d{5,12}\.(?<fraction>\d{1,2})(?!\d|[.,]\d)/g;
/** An amount of four digits with two decimals, such as 2085.50. */
const amount = /(?<![\d.,])\d{4}\.(?<fraction>\d{2})(?!\d|[.,]\d)/g;
/** A whole number written with two zero decimals, such as 120.00. */
const wholeAmount = /(?<![\d.,])\d{2,12}[.,](?<fraction>00)(?![\d.,]*\d)/g;
/** Matches an international bank account number (IBAN) in groups of four characters. */
const iban = /(?<![A-Za-z\d])[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?(?![A-Za-z\d])/g;
/** Matches telephone numbers in several notations. */
const telephone = new RegExp(
  [
    // A telephone number with its country code, without separators.
    String.raw`\+\d{8,15}`,
    // A telephone number with its country or area code, in groups.
    String.raw`(?:(?:\+|00)\d{1,6}(?: ?\(0\) ?\d{1,8})?|\(0\d{1,5}\)|0\d{1,5})(?:[ ./-]{1,2}\(?\d{2,10}\)?){1,5}`,
    // A telephone number with its area code in brackets, a Chinese mobile number, or an American number.
    String.raw`(?:\(\d{2,5}\)|1\d\d(?=([ -])\d{4}\1\d{4})|\d{3}(?=([ .-])\d{3}\2\d{4}(?!\d)))(?:[ ./-]{1,2}\(?\d{2,5}\)?){2,5}`,
  ]
    .map((form) => String.raw`(?<![\d.,+])${form}(?!\d)`)
    .join('|'),
  'g',
);
const hasGroups = /\d[ ,.'’\u00a0\u202f/)-]{1,2}\(?\d{2}|\d [A-Z\d]{4}|\+\d{8}/;
/** Telephone country codes, which have one to three digits; the first digits determine the length. */
const countryCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;
const minTelephone = 7;
const maxTelephone = 15;

/** Finds the amounts, bank account numbers and telephone numbers in a text and returns each without its separators. */
export function findNormalizedNumbers(text: string): NormalizedNumber[] {
  if (!hasGroups.test(text)) return [];
  const accounts = spansOf(text, iban, ([match]) => ({ normal: match.replaceAll(' ', '').toLowerCase() }));
  const telephones = spansOf(text, telephone, telephoneForms);
  const patterns = [grouped, indian, spaced, fractional, amount, wholeAmount];
  const numbers = patterns.map((pattern) => spansOf(text, pattern, numberForms));
  return [telephones, ...numbers].reduce(withoutOverlaps, accounts);
}

/** Returns the numbers of a text to be indexed, including digit groups that may also be several separate numbers. */
export function findNumbersToIndex(text: string): NormalizedNumber[] {
  if (!hasGroups.test(text)) return [];
  const unclear = spansOf(text, spacedWhole, ([match]) => ({ normal: match.replaceAll(' ', '') }));
  return withoutOverlaps(findNormalizedNumbers(text), unclear);
}

type Forms = Omit<NormalizedNumber, 'from' | 'to'>;

/** Returns the indexed forms of a number. Trailing zeros of the fraction are dropped. */
function numberForms({ 0: match, groups }: RegExpExecArray): Forms {
  const fraction = groups?.['fraction'] ?? '';
  const whole = (fraction === '' ? match : match.slice(0, -fraction.length - 1)).replaceAll(/\D/g, '');
  const rest = fraction.replace(/0+$/, '');
  return rest === '' ? { normal: whole } : { normal: whole + rest, whole };
}

function telephoneForms([match]: RegExpExecArray): Forms | undefined {
  const digits = match.replaceAll(/\(0\)|\D/g, '');
  if (digits.length < minTelephone || digits.length > maxTelephone) return undefined;
  const international = match.startsWith('+') ? digits : digits.startsWith('00') ? digits.slice(2) : undefined;
  const national = international === undefined ? digits.replace(/^0/, '') : international.replace(countryCode, '');
  const normal = international ?? digits;
  return national === normal || national.length < minTelephone ? { normal } : { normal, others: [national] };
}

function spansOf(
  text: string,
  pattern: RegExp,
  formsOf: (match: RegExpExecArray) => Forms | undefined,
): NormalizedNumber[] {
  const found: NormalizedNumber[] = [];
  for (const match of text.matchAll(pattern)) {
    const forms = formsOf(match);
    if (forms) found.push({ ...forms, from: match.index, to: match.index + match[0].length });
  }
  return found;
}

/** Adds to `first` the numbers of `others` that overlap none of its numbers. Both lists must be sorted by position. */
function withoutOverlaps(first: readonly NormalizedNumber[], others: readonly NormalizedNumber[]): NormalizedNumber[] {
  let at = 0;
  const added = others.filter(({ from, to }) => {
    while (at < first.length && first[at]!.to <= from) at += 1;
    return at === first.length || first[at]!.from >= to;
  });
  return added.length === 0 ? [...first] : [...first, ...added].sort((one, other) => one.from - other.from);
}

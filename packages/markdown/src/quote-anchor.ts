/**
 * Position of a comment in a text: the quoted text with its surroundings, by which the position is found again after
 * edits.
 */
export interface QuoteAnchor {
  readonly quote: string;
  /** Characters before the quote, normalized by `toComparableText`. The field `after` holds those after the quote. */
  readonly before: string;
  readonly after: string;
  /** Approximate position of the quote, in millionths of the text's length. */
  readonly at: number;
}

export interface QuoteLocation {
  /** Start and end offset of the quote in the text. */
  readonly from: number;
  readonly to: number;
  /** True if the quoted text itself was edited, so that the position was found by the surrounding text. */
  readonly isChanged: boolean;
}

const contextLength = 32;
/** Minimum number of surrounding characters, on each side, required to locate a quote whose text was edited. */
const minContext = 6;
/** Number of surrounding characters that must match to accept an occurrence of the quote without searching further. */
const sureAgreement = 8;
const maxOccurrences = 200;
const maxLinkLength = 2000;
const newline = 10;

/**
 * A text without white space and Markdown syntax, with the original offset of each remaining character, so that quotes
 * taken from the rendered page can be found in the Markdown and vice versa.
 */
export interface ComparableText {
  readonly text: string;
  readonly offsets: Uint32Array;
  readonly length: number;
}

const skipped = new Set(' \t\n\r\u00a0*_~`#>|-+[]()!\\:');
/** Matches a list marker or checkbox at the beginning of a line, which the rendered page does not contain as text. */
const itemMark = /[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t])?)/y;

export function toComparableText(text: string): ComparableText {
  const offsets = new Uint32Array(text.length);
  const kept: string[] = [];
  let count = 0;
  const nextClose = nextOccurrence(text, ')');
  const nextLine = nextOccurrence(text, '\n');
  for (let at = 0; at < text.length;) {
    if (at === 0 || text.charCodeAt(at - 1) === newline) {
      itemMark.lastIndex = at;
      if (itemMark.test(text)) {
        at = itemMark.lastIndex;
        continue;
      }
    }
    const character = text[at]!;
    if (character === ']' && text[at + 1] === '(') {
      // Skip the address of a Markdown link. An address must end on the same line; otherwise the opening bracket is
      // plain text.
      const end = nextClose(at + 2);
      at = end < nextLine(at + 2) && end - at < maxLinkLength ? end + 1 : at + 2;
      continue;
    }
    if (!skipped.has(character)) {
      kept.push(character);
      offsets[count++] = at;
    }
    at++;
  }
  return { text: kept.join(''), offsets: offsets.subarray(0, count), length: text.length };
}

/**
 * Returns a function that finds the next occurrence of a character. Calls with ascending offsets take linear time in
 * total.
 */
function nextOccurrence(text: string, character: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      found = text.indexOf(character, from);
      if (found < 0) found = text.length;
    }
    return found;
  };
}

/** Returns the first `maxOccurrences` offsets in the compared text at which `needle` occurs. */
function occurrencesOf({ text }: ComparableText, needle: string): number[] {
  const found: number[] = [];
  if (needle === '') return found;
  for (let at = text.indexOf(needle); at >= 0 && found.length < maxOccurrences; at = text.indexOf(needle, at + 1))
    found.push(at);
  return found;
}

function toPlace(compared: ComparableText, from: number, to: number, isChanged: boolean): QuoteLocation {
  return { from: compared.offsets[from]!, to: compared.offsets[to - 1]! + 1, isChanged };
}

/**
 * Returns the positions at which the quote occurs in the original text, in text order. At most `maxOccurrences` are
 * returned.
 */
export function findQuote(compared: ComparableText, quote: string): QuoteLocation[] {
  const needle = toComparableText(quote).text;
  return occurrencesOf(compared, needle).map((at) => toPlace(compared, at, at + needle.length, false));
}

/** Creates an anchor for a quote at the given position of the text. */
export function anchorAt(compared: ComparableText, quote: string, { from, to }: QuoteLocation): QuoteAnchor {
  const first = compared.offsets.indexOf(from);
  const last = compared.offsets.indexOf(to - 1);
  return {
    quote,
    before: compared.text.slice(Math.max(0, first - contextLength), first),
    after: compared.text.slice(last + 1, last + 1 + contextLength),
    at: Math.round((from / Math.max(1, compared.length)) * 1e6),
  };
}

/**
 * Returns the position of the occurrence of the quote whose surroundings match best. If the quoted text was probably
 * edited, returns the position of the text found between the same surroundings. Returns undefined if neither the quote
 * nor its surroundings are found.
 */
export function locateQuote(compared: ComparableText, anchor: QuoteAnchor): QuoteLocation | undefined {
  const needle = toComparableText(anchor.quote).text;
  const near = Math.round((anchor.at / 1e6) * compared.text.length);
  let best: { at: number; agreement: number } | undefined;
  for (const at of occurrencesOf(compared, needle)) {
    const agreement = agreementAround(compared.text, at, at + needle.length, anchor);
    const isBetter =
      !best ||
      agreement > best.agreement ||
      (agreement === best.agreement && Math.abs(at - near) < Math.abs(best.at - near));
    if (isBetter) best = { at, agreement };
  }
  const context = anchor.before.length + anchor.after.length;
  // If no occurrence is certain, prefer the text between the anchor's surroundings, because the quoted text was
  // probably edited.
  const isSure = best !== undefined && best.agreement >= Math.min(sureAgreement, context);
  const between = isSure ? undefined : placeBetween(compared, anchor, needle);
  return between ?? (best && toPlace(compared, best.at, best.at + needle.length, false));
}

function agreementAround(text: string, from: number, to: number, { before, after }: QuoteAnchor): number {
  let left = 0;
  while (left < before.length && text[from - 1 - left] === before[before.length - 1 - left]) left++;
  let right = 0;
  while (right < after.length && text[to + right] === after[right]) right++;
  return left + right;
}

function placeBetween(compared: ComparableText, anchor: QuoteAnchor, needle: string): QuoteLocation | undefined {
  const before = anchor.before.slice(-contextLength / 2);
  const after = anchor.after.slice(0, contextLength / 2);
  if (before.length < minContext || after.length < minContext) return undefined;
  const maxGap = needle.length * 2 + contextLength;
  let best: { from: number; to: number } | undefined;
  for (const at of occurrencesOf(compared, before)) {
    const from = at + before.length;
    const to = compared.text.slice(from, from + maxGap + after.length).indexOf(after) + from;
    if (to <= from) continue;
    if (!best || Math.abs(to - from - needle.length) < Math.abs(best.to - best.from - needle.length))
      best = { from, to };
  }
  return best && toPlace(compared, best.from, best.to, true);
}

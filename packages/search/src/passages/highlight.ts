import { TextMatcher, type Match } from '../query/text-matcher.ts';
import type { ParseOptions } from '../query/parse-query.ts';

/**
 * This file highlights query words in the original text: matches are enclosed in `<em>` and `</em>`, and all text is
 * HTML-escaped.
 */

/** Maximum number of matches considered for the best passage. */
const enoughMatches = 2000;
const contextBefore = 30;
const ellipsis = '…';

/** Returns the whole text, usually a title, with every match marked. */
export function highlight(text: string, query: string, options: ParseOptions = {}): string {
  return mark(text, allMatches(text, new TextMatcher(query, options)));
}

/**
 * Returns about `length` characters around the best matches, with the matches marked, or undefined if the text contains
 * no query word.
 */
export function highlightPassage(
  text: string,
  query: string,
  length = 120,
  options: ParseOptions = {},
): string | undefined {
  const matcher = new TextMatcher(query, options);
  const best = bestWindow(text, matcher, length);
  if (!best) return undefined;
  const from = startBefore(
    text,
    Math.max(0, best.from - Math.min(contextBefore, Math.max(0, length - (best.to - best.from)) / 2)),
    best.from,
  );
  const to = endAfter(text, Math.max(from + length, Math.min(best.to, from + 2 * length)));
  const piece = text.slice(from, to);
  const matches = allMatches(piece, matcher);
  if (matches.length === 0)
    matches.push({ from: best.from - from, to: Math.min(best.to - from, piece.length), term: 0 });
  const marked = mark(piece, matches).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? ellipsis : ''}${marked}${to < text.length ? ellipsis : ''}`;
}

/**
 * Returns an HTML-escaped excerpt of a text that semantic search found by its meaning: up to about `length` characters
 * from the start of the range `near`. No words are highlighted, because the excerpt need not contain a query word.
 * Returns undefined if the range is missing or blank.
 */
export function semanticExcerpt(
  text: string,
  near: { from: number; to: number } | undefined,
  length = 120,
): string | undefined {
  if (!near || near.to <= near.from) return undefined;
  const to = endAfter(text, Math.min(near.to, near.from + length));
  const piece = mark(text.slice(near.from, to), []).replace(/\s+/g, ' ').trim();
  if (piece === '') return undefined;
  return `${near.from > 0 ? ellipsis : ''}${piece}${to < text.length ? ellipsis : ''}`;
}

/** Returns the range of the passage that matches the query best, or undefined if no word matches. */
export function findBestPassage(text: string, query: string, length = 120): { from: number; to: number } | undefined {
  return bestWindow(text, new TextMatcher(query), length);
}

/** Returns the earliest range of about `length` characters that contains the most distinct query words. */
function bestWindow(text: string, matcher: TextMatcher, length: number): { from: number; to: number } | undefined {
  if (matcher.terms.length === 0) return undefined;
  const near = text.length > shortText ? windowIn(text, matcher, length, literalMatches(text, matcher)) : undefined;
  if (near && (near.distinct === matcher.requiredTerms || text.length > longText)) return near;
  const whole = windowIn(text, matcher, length, [{ from: 0, to: text.length }]);
  return near && near.distinct >= (whole?.distinct ?? 0) ? near : whole;
}

interface Window {
  from: number;
  to: number;
  distinct: number;
}

function windowIn(
  text: string,
  matcher: TextMatcher,
  length: number,
  places: readonly { from: number; to: number }[],
): Window | undefined {
  let best: Window | undefined;
  let window: Match[] = [];
  let seen = 0;
  for (const place of places) {
    matcher.find(text.slice(place.from, place.to), (found) => {
      const match = { from: found.from + place.from, to: found.to + place.from, term: found.term };
      if (matcher.isMinor(match.term)) return false;
      seen += 1;
      window = window.filter((earlier) => match.to - earlier.from <= length);
      // A repeated word is not counted again. Only its later occurrence stays in the window, which keeps the range
      // short.
      window = window.filter((earlier) => earlier.term !== match.term);
      window.push(match);
      if (!best || window.length > best.distinct) {
        const from = Math.min(...window.map((one) => one.from));
        best = { from, to: Math.max(...window.map((one) => one.to)), distinct: window.length };
      }
      return best.distinct === matcher.requiredTerms || seen >= enoughMatches;
    });
    if (best?.distinct === matcher.requiredTerms || seen >= enoughMatches) break;
  }
  return best;
}

/**
 * Texts of at most this many characters are folded (normalized) and searched as a whole. Longer texts are first
 * searched literally, which is much faster.
 */
const shortText = 300;
/**
 * Texts above this length are searched only around literal matches, if there are any, because folding (normalizing) a
 * whole text takes too long.
 */
const longText = 50_000;
const maxLiteralMatches = 50;
/**
 * Returns how many characters before and after a literal match are searched, too, for words that match only after
 * folding, such as those with accents. More if the query has several words, because these often stand near each other.
 */
const margin = (matcher: TextMatcher): number => (matcher.terms.length > 1 ? 150 : 30);

/**
 * Finds the places where the beginning of a query word occurs literally, by a regular expression, and widens them by
 * `margin`. This is many times faster than folding (normalizing) every character, but misses words that match only
 * after folding, such as those with accents.
 */
function literalMatches(text: string, matcher: TextMatcher): { from: number; to: number }[] {
  const pattern = new RegExp(matcher.prefixPatterns.join('|'), 'giu');
  const before = margin(matcher);
  const places: { from: number; to: number }[] = [];
  for (let count = 0; count < maxLiteralMatches; count++) {
    const found = pattern.exec(text);
    if (!found) break;
    const from = spaceBefore(text, found.index - before);
    const to = spaceAfter(text, found.index + found[0].length + before);
    const last = places.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else places.push({ from, to });
  }
  return places;
}

/**
 * Returns an offset at or before `at` that does not split a word, if there is a space within 64 characters. It never
 * splits a surrogate pair.
 */
function spaceBefore(text: string, at: number): number {
  if (at <= 0) return 0;
  for (let from = at; from > at - 64 && from > 0; from--) if (isSpace(text, from - 1)) return from;
  return isLowSurrogate(text, at) ? at - 1 : at;
}

function spaceAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  for (let to = at; to < at + 64 && to < text.length; to++) if (isSpace(text, to)) return to;
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || code === 0x0a;
}

function allMatches(text: string, matcher: TextMatcher): Match[] {
  const matches: Match[] = [];
  if (matcher.terms.length > 0)
    matcher.find(text, (match) => {
      matches.push(match);
      return false;
    });
  return matches;
}

function mark(text: string, matches: Match[]): string {
  const sorted = matches.toSorted((a, b) => a.from - b.from || a.to - b.to);
  let marked = '';
  let at = 0;
  for (let i = 0; i < sorted.length;) {
    const from = sorted[i]?.from ?? 0;
    let to = sorted[i]?.to ?? 0;
    // Merge matches that overlap or touch.
    for (i += 1; i < sorted.length && (sorted[i]?.from ?? 0) <= to; i++) to = Math.max(to, sorted[i]?.to ?? 0);
    marked += `${escape(text.slice(at, from))}<em>${escape(text.slice(from, to))}</em>`;
    at = to;
  }
  return marked + escape(text.slice(at));
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const wordPart = /[\p{L}\p{N}\p{M}]/u;
const spaced = /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{N}\p{M}]/u;
/** Maximum number of characters by which a cut moves to avoid splitting a word. */
const cutReach = 20;

/**
 * Returns a start for the passage at or shortly after `at`, but not after `latest`, that splits no character and, if
 * possible, no word.
 */
function startBefore(text: string, at: number, latest: number): number {
  let from = Math.floor(at);
  const limit = Math.min(latest, from + cutReach);
  while (from > 0 && from < limit && insideWord(text, from)) from += 1;
  return from > 0 && from < latest && isLowSurrogate(text, from) ? from + 1 : from;
}

function endAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  let to = at;
  const limit = Math.min(text.length, at + cutReach);
  while (to < limit && insideWord(text, to)) to += 1;
  return isLowSurrogate(text, to) ? to + 1 : to;
}

function insideWord(text: string, at: number): boolean {
  return spaced.test(text.charAt(at)) && wordPart.test(text.charAt(at - 1));
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

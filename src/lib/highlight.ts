import { visitRuns, type RunVisitor } from './fold.ts';
import { parseQuery, singleMark, type Term } from './tokens.ts';

/** What is found, in the reader's own text: the words of the query between `<em>` and `</em>`, all else escaped. */

interface Match {
  from: number;
  to: number;
  term: number;
}

/** How many matches are weighed before the best passage so far is taken. */
const enoughMatches = 2000;
const lead = 30;
const ellipsis = '…';

/** The whole text with every match marked; for titles. */
export function highlight(text: string, query: string): string {
  const terms = parseQuery(query).terms;
  return mark(text, terms.length === 0 ? [] : allMatches(text, terms));
}

/** About `length` characters around the best matches, or undefined when no word of the query is in the text. */
export function highlightPassage(text: string, query: string, length = 120): string | undefined {
  const terms = parseQuery(query).terms;
  if (terms.length === 0) return undefined;
  const best = bestWindow(text, terms, length);
  if (!best) return undefined;
  const from = startBefore(
    text,
    Math.max(0, best.from - Math.min(lead, Math.max(0, length - (best.to - best.from)) / 2)),
    best.from,
  );
  const to = endAfter(text, Math.max(from + length, Math.min(best.to, from + 2 * length)));
  const piece = text.slice(from, to);
  const matches = allMatches(piece, terms);
  if (matches.length === 0)
    matches.push({ from: best.from - from, to: Math.min(best.to - from, piece.length), term: 0 });
  const marked = mark(piece, matches).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? ellipsis : ''}${marked}${to < text.length ? ellipsis : ''}`;
}

/** Where the passage would be, for texts of which only a part is worth showing. */
export function findPassage(text: string, query: string, length = 120): { from: number; to: number } | undefined {
  const terms = parseQuery(query).terms;
  return terms.length === 0 ? undefined : bestWindow(text, terms, length);
}

/** The earliest stretch with the most different terms in it. */
function bestWindow(text: string, terms: Term[], length: number): { from: number; to: number } | undefined {
  const near = text.length > shortText ? windowIn(text, terms, length, likelyPlaces(text, terms)) : undefined;
  return near?.distinct === terms.length ? near : windowIn(text, terms, length, [{ from: 0, to: text.length }]);
}

interface Window {
  from: number;
  to: number;
  distinct: number;
}

function windowIn(
  text: string,
  terms: Term[],
  length: number,
  places: readonly { from: number; to: number }[],
): Window | undefined {
  let best: Window | undefined;
  let window: Match[] = [];
  let seen = 0;
  for (const place of places) {
    findMatches(text.slice(place.from, place.to), terms, (found) => {
      const match = { from: found.from + place.from, to: found.to + place.from, term: found.term };
      seen += 1;
      window = window.filter((earlier) => match.to - earlier.from <= length);
      // The same term again adds nothing; the nearer one keeps the stretch short.
      window = window.filter((earlier) => earlier.term !== match.term);
      window.push(match);
      if (!best || window.length > best.distinct) {
        const from = Math.min(...window.map((one) => one.from));
        best = { from, to: Math.max(...window.map((one) => one.to)), distinct: window.length };
      }
      return best.distinct === terms.length || seen >= enoughMatches;
    });
    if (best?.distinct === terms.length || seen >= enoughMatches) break;
  }
  return best;
}

/** A text up to this long is looked through as it is. */
const shortText = 300;
const maxPlaces = 50;
/** Room for the other words of a query, where there are any. */
const margin = (terms: readonly Term[]): number => (terms.length > 1 ? 150 : 30);

/**
 * Where terms stand as they were typed, found by the engine's own search, which is many times quicker than folding every
 * character. What only folding finds (accents, wide letters) is not among them: who needs it looks through all.
 */
function likelyPlaces(text: string, terms: Term[]): { from: number; to: number }[] {
  const beginnings = terms.map((term) =>
    term.kind === 'word' ? term.token.replace(singleMark, '') : (term.tokens[0] ?? ''),
  );
  const pattern = new RegExp(beginnings.join('|'), 'giu');
  const before = margin(terms);
  const reach = before + Math.max(...terms.map((term) => (term.kind === 'word' ? 0 : term.tokens.join('').length)));
  const places: { from: number; to: number }[] = [];
  for (let count = 0; count < maxPlaces; count++) {
    const found = pattern.exec(text);
    if (!found) break;
    const from = spaceBefore(text, found.index - before);
    const to = spaceAfter(text, found.index + found[0].length + reach);
    const last = places.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else places.push({ from, to });
  }
  return places;
}

/** A cut that leaves no half of a word, where there is one near. */
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

function allMatches(text: string, terms: Term[]): Match[] {
  const matches: Match[] = [];
  findMatches(text, terms, (match) => {
    matches.push(match);
    return false;
  });
  return matches;
}

interface Token {
  text: string;
  /** The first character alone, where the token is two characters. */
  single: string | undefined;
  from: number;
  to: number;
  singleTo: number;
}

/** Calls `found` for each match in order of where it ends, until it answers true. One pass, a bounded look back. */
function findMatches(text: string, terms: Term[], found: (match: Match) => boolean): void {
  const words = new Map<string, number>();
  const phrases: { tokens: string[]; open: boolean; term: number }[] = [];
  terms.forEach((term, index) => {
    if (term.kind === 'word') words.set(term.token, index);
    else phrases.push({ tokens: term.tokens, open: term.open, term: index });
  });
  const firsts = firstCharacters(terms);
  const longest = Math.max(1, ...phrases.map((phrase) => phrase.tokens.length));
  const recent: Token[] = [];

  const visitor: RunVisitor & { done: boolean } = {
    done: false,
    word: (folded, from, to) => {
      if (firsts.has(folded.charAt(0))) push({ text: folded, single: undefined, from, to, singleTo: to });
      else recent.length = 0;
    },
    characters: (folded, starts, to) => {
      for (let i = 0; i < folded.length && !visitor.done; i++) {
        const single = folded[i] ?? '';
        // What no term begins with is in none of them, and ends every phrase: most characters cost no more than this.
        if (!firsts.has(single.length > 1 ? single.charAt(0) : single)) recent.length = 0;
        else
          push({
            text: single + (folded[i + 1] ?? ''),
            single,
            from: starts[i] ?? 0,
            to: starts[i + 2] ?? to,
            singleTo: starts[i + 1] ?? to,
          });
      }
    },
  };
  const report = (match: Match): void => {
    if (!visitor.done && found(match)) visitor.done = true;
  };
  const push = (token: Token): void => {
    if (phrases.length > 0) recent.push(token);
    if (recent.length > 4 * longest) recent.splice(0, recent.length - longest);
    const whole = words.get(token.text);
    if (whole !== undefined) report({ from: token.from, to: token.to, term: whole });
    if (token.single !== undefined) {
      const alone = words.get(singleMark + token.single);
      if (alone !== undefined) report({ from: token.from, to: token.singleTo, term: alone });
    }
    for (const phrase of phrases) {
      const first = recent.length - phrase.tokens.length;
      if (first >= 0 && endsWith(recent, phrase.tokens, phrase.open)) {
        report({ from: recent[first]?.from ?? 0, to: phrase.open ? token.singleTo : token.to, term: phrase.term });
      }
    }
  };
  visitRuns(text, visitor);
}

/** With what the tokens of the terms begin, as code units. */
function firstCharacters(terms: readonly Term[]): Set<string> {
  const tokens = terms.flatMap((term) => (term.kind === 'word' ? [term.token] : term.tokens));
  return new Set(tokens.map((token) => token.charAt(token.startsWith(singleMark) ? singleMark.length : 0)));
}

function endsWith(recent: Token[], tokens: string[], open: boolean): boolean {
  const offset = recent.length - tokens.length;
  for (let i = tokens.length - 1; i >= 0; i--) {
    const token = recent[offset + i];
    const same =
      open && i === tokens.length - 1 ? (token?.single ?? token?.text) === tokens[i] : token?.text === tokens[i];
    if (!same) return false;
  }
  return true;
}

function mark(text: string, matches: Match[]): string {
  const sorted = matches.toSorted((a, b) => a.from - b.from || a.to - b.to);
  let marked = '';
  let at = 0;
  for (let i = 0; i < sorted.length;) {
    const from = sorted[i]?.from ?? 0;
    let to = sorted[i]?.to ?? 0;
    // Matches that overlap or touch are shown as one.
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
/** How far a cut moves to spare a word. */
const cutReach = 20;

/** A start near `at` and not after `latest` that cuts no word and no character in two. */
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

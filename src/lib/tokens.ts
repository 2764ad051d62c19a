import { visitRuns } from './fold.ts';

/**
 * The one tokenizer, for every database, for texts and for queries. A word is one token. A run of n characters is n
 * tokens: each character with the one after it, the last alone; so any two characters side by side are one token, and
 * any longer piece is a phrase of tokens. After the text each of its characters is listed once more, with a mark: looking
 * for one character is as quick as looking for a word, which a search by prefix is not (55 times slower, measured).
 */

/** Part of the index's format: raise it when the same text gives other tokens, and every index is built anew. */
export const tokensVersion = '1';

/** Comes before a character looked for alone. No text and no word holds it, and it keeps phrases out of the list. */
export const singleMark = '¶';

/** How many tokens of a query count; what follows is not looked at. */
const maxQueryLength = 32;

export type Term =
  | { kind: 'word'; token: string }
  /** Tokens side by side. When `open`, the last is a single character and stands for every token that begins with it. */
  | { kind: 'phrase'; tokens: string[]; open: boolean };

export interface TextQuery {
  /** All of them must be found. */
  terms: Term[];
  /** Nothing was asked for: everything matches. False with no terms: only signs were given, and nothing matches. */
  matchesAll: boolean;
  /** The whole query side by side, when it is more than one term. */
  phrase: Term | undefined;
}

/** The tokens of a text, separated by spaces. */
export function tokenize(text: string): string {
  const parts: string[] = [];
  const singles = new Set<string>();
  visitRuns(text, {
    word: (folded) => parts.push(folded),
    characters: (folded) => {
      for (let i = 0; i < folded.length; i++) {
        const character = folded[i] ?? '';
        parts.push(character + (folded[i + 1] ?? ''));
        singles.add(character);
      }
    },
  });
  for (const character of singles) parts.push(singleMark + character);
  return parts.join(' ');
}

export function parseQuery(text: string): TextQuery {
  const terms: Term[] = [];
  const seen = new Set<string>();
  let room = maxQueryLength;
  const add = (term: Term | undefined): void => {
    if (!term || room <= 0) return;
    const key = termKey(term);
    if (seen.has(key)) return;
    seen.add(key);
    room -= term.kind === 'word' ? 1 : term.tokens.length;
    terms.push(term);
  };
  // Both straight and typographic quotes: input methods write the latter.
  const parts = text.split(/["“”„«»「」『』]/u);
  parts.forEach((part, index) => {
    // Odd parts are inside quotes; the last one only if its quote was closed.
    if (index % 2 === 1 && index < parts.length - 1) add(asPhrase(part, room));
    else for (const term of runTerms(part)) add(term.kind === 'word' ? term : cut(term, room));
  });
  return {
    terms,
    matchesAll: text.trim() === '',
    phrase: terms.length > 1 ? closed(asPhrase(parts.join(' '), maxQueryLength)) : undefined,
  };
}

/** Ranking does without the last character of an open phrase: the databases are slow at beginnings of tokens. */
function closed(term: Term | undefined): Term | undefined {
  if (term?.kind !== 'phrase' || !term.open) return term;
  return term.tokens.length > 2 ? { kind: 'phrase', tokens: term.tokens.slice(0, -1), open: false } : undefined;
}

function termKey(term: Term): string {
  return term.kind === 'word' ? term.token : `${term.open ? '*' : '"'}${term.tokens.join(' ')}`;
}

/** Each word and each run of characters on its own. */
function runTerms(text: string): Term[] {
  const terms: Term[] = [];
  visitRuns(text, {
    word: (folded) => terms.push({ kind: 'word', token: folded }),
    characters: (folded) => terms.push(characterTerm(folded)),
  });
  return terms;
}

function characterTerm(folded: string[]): Term {
  if (folded.length === 1) return { kind: 'word', token: `${singleMark}${folded[0]}` };
  const tokens = pairs(folded);
  return tokens.length === 1 ? { kind: 'word', token: tokens[0] ?? '' } : { kind: 'phrase', tokens, open: false };
}

function pairs(folded: string[]): string[] {
  const tokens: string[] = [];
  for (let i = 0; i + 1 < folded.length; i++) tokens.push(`${folded[i]}${folded[i + 1]}`);
  return tokens;
}

/** Everything in the text side by side: the same tokens that a text holding it would have there. */
function asPhrase(text: string, most: number): Term | undefined {
  const runs: { tokens: string[]; last: string | undefined }[] = [];
  visitRuns(text, {
    word: (folded) => runs.push({ tokens: [folded], last: undefined }),
    characters: (folded) => runs.push({ tokens: pairs(folded), last: folded.at(-1) }),
  });
  const tokens: string[] = [];
  let open = false;
  runs.forEach((run, index) => {
    if (tokens.length > most) return;
    for (const token of run.tokens) tokens.push(token);
    if (run.last === undefined) return;
    // Inside a phrase the run must end here, as it does in the text; at the end it may go on.
    if (index < runs.length - 1) tokens.push(run.last);
    else if (run.tokens.length === 0) {
      tokens.push(run.last);
      open = true;
    }
  });
  const [only] = tokens;
  if (only === undefined) return undefined;
  if (tokens.length === 1) return { kind: 'word', token: open ? singleMark + only : only };
  return cut({ kind: 'phrase', tokens, open }, most);
}

function cut(term: Term & { kind: 'phrase' }, most: number): Term | undefined {
  if (term.tokens.length <= most) return term;
  const tokens = term.tokens.slice(0, most);
  const [only] = tokens;
  if (only === undefined) return undefined;
  return tokens.length === 1 ? { kind: 'word', token: only } : { kind: 'phrase', tokens, open: false };
}

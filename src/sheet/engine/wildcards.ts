import { foldText } from './compare.ts';

/**
 * Patterns with `?` (one character), `*` (any run) and `~` (the next character as it is), any case.
 * Matched without regular expressions: time is bounded by pattern times text, whatever the pattern.
 */

const NOWHERE = -2;
const ONE = 0;
const RUN = 1;
type Token = typeof ONE | typeof RUN | string;

export function hasWildcard(pattern: string): boolean {
  for (let i = 0; i < pattern.length; i++) {
    const sign = pattern[i];
    if (sign === '~') i++;
    else if (sign === '*' || sign === '?') return true;
  }
  return false;
}

/** A pattern without wildcards as the text it stands for: `~*` is `*`. */
export function plainPattern(pattern: string): string {
  return pattern.includes('~') ? pattern.replace(/~([\s\S])/g, '$1') : pattern;
}

function tokensOf(pattern: string): Token[] {
  const folded = foldText(pattern);
  const tokens: Token[] = [];
  for (let i = 0; i < folded.length; i++) {
    const sign = folded[i] as string;
    if (sign === '~' && i + 1 < folded.length) tokens.push(folded[++i] as string);
    else if (sign === '?') tokens.push(ONE);
    else if (sign !== '*') tokens.push(sign);
    else if (tokens.at(-1) !== RUN) tokens.push(RUN);
  }
  return tokens;
}

/** The test whether a whole text has the pattern. */
export function wildcardMatcher(pattern: string): (text: string) => boolean {
  const tokens = tokensOf(pattern);
  return (text) => matchLength(tokens, foldText(text), 0, true) >= 0;
}

/** Position of the first part of `text` at or after `from` that has the pattern, -1 when there is none. */
export function wildcardFind(pattern: string, text: string, from = 0): number {
  const tokens = tokensOf(pattern);
  const folded = foldText(text);
  for (let start = from; start <= folded.length; start++) {
    const end = matchLength(tokens, folded, start, false);
    if (end >= 0) return start;
    // What follows a run was looked for up to the end of the text: a later start cannot find it either.
    if (end === NOWHERE) return -1;
  }
  return -1;
}

/** End of the match that begins at `start`, or negative. Only the last run is ever tried again. */
function matchLength(tokens: readonly Token[], text: string, start: number, whole: boolean): number {
  let at = start;
  let token = 0;
  let run = -1;
  let runEnd = -1;
  for (;;) {
    if (token === tokens.length) {
      if (!whole || at === text.length) return at;
    } else {
      const expected = tokens[token];
      if (expected === RUN) {
        run = token++;
        runEnd = at;
        continue;
      }
      if (at < text.length && (expected === ONE || expected === text[at])) {
        token++;
        at++;
        continue;
      }
    }
    if (run < 0) return -1;
    if (runEnd >= text.length) return NOWHERE;
    runEnd++;
    at = runEnd;
    token = run + 1;
  }
}

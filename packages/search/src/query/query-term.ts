import { stemOf } from '../analysis/stem.ts';
import { stemMark } from '../analysis/tokenizer.ts';

/**
 * One way to match a query term: the document contains all of the tokens, at the relative positions if these are given.
 */
export interface TermAlternative {
  tokens: readonly string[];
  /** Position of each token relative to the first; undefined if the tokens may be anywhere. */
  positions?: readonly number[] | undefined;
}

/** A query term, usually one word. It matches a document if one of its alternatives matches. */
export interface QueryTerm {
  /** Identifies the term within its query. */
  key: string;
  alternatives: readonly TermAlternative[];
  /**
   * The word as written in the query. A document that contains this form gets a higher score than one with other forms
   * only.
   */
  exact?: string | undefined;
  /** If set, the term also matches every word that starts with this prefix. */
  prefix?: string | undefined;
  /** If true, the term affects the ranking but need not match, such as a character pair that is mostly grammar. */
  isMinor?: boolean | undefined;
  /** Factor for the score of the term; 1 if undefined. */
  boost?: number | undefined;
  /**
   * True if the term is a translation of a query word. A document that matches only translations does not contain every
   * word.
   */
  isTranslation?: true | undefined;
  /** False for a term that is part of another term, because highlighting it would mark too much of a text. */
  isHighlighted?: false | undefined;
}

/**
 * Creates a query term. All terms are created here with all properties, even undefined ones, because the JavaScript
 * engine recompiles code when it meets objects with other properties.
 */
export function queryTerm(key: string, alternatives: readonly TermAlternative[], from?: QueryTerm): QueryTerm {
  return {
    key,
    alternatives,
    exact: from?.exact,
    prefix: from?.prefix,
    isMinor: from?.isMinor,
    boost: from?.boost,
    isTranslation: from?.isTranslation,
    isHighlighted: from?.isHighlighted,
  };
}

/** Returns the term with further alternatives. */
export function withAlternatives(term: QueryTerm, more: readonly TermAlternative[]): QueryTerm {
  return queryTerm(term.key, [...term.alternatives, ...more], term);
}

/** Returns an alternative of one token. */
export function oneToken(token: string): TermAlternative {
  return { tokens: [token], positions: undefined };
}

export function wordTerm(word: string): QueryTerm & { exact: string } {
  const stem = stemOf(word);
  const term = queryTerm(stem, [oneToken(stem), oneToken(stemMark + stem)]);
  return Object.assign(term, { exact: word });
}

/** Returns a minor term for a part of another term. A minor term raises the score of documents that match anyway. */
export function partTerm(token: string, boost: number): QueryTerm {
  const term = queryTerm(token, [oneToken(token)]);
  term.isMinor = true;
  term.boost = boost;
  term.isHighlighted = false;
  return term;
}

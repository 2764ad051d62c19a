import type { FieldWeights } from '../index/postings.ts';

/**
 * Parameters of the BM25 ranking formula for whole documents. `k1` limits the effect of repeated words, `b` sets the
 * effect of the document length, and `fieldWeights` make words in titles and headings count more.
 */
const k1 = 1.2;
const b = 0.75;
export const fieldWeights: FieldWeights = { title: 4, headings: 2, body: 1 };
/** Share by which the score of a query word rises if the document contains the word exactly as written. */
export const exactBonus = 0.2;
/** Score factors of a query's minor terms, which affect the ranking but need not match. */
export const minorBoosts = {
  /** Factor of a character pair that contains a Chinese particle, or a Japanese ending or particle. */
  grammarPair: 0.5,
  /** Factor of a number without the characters attached to it, such as 2024 in 2024年. */
  looseNumber: 0.5,
  /** Factor of a whole date, in addition to the words and numbers that it consists of. */
  date: 1,
  /** Factor of the first letters of a word, which it shares with its inflected forms. */
  wordPrefix: 0.5,
  /**
   * Factor of the first letters of a word that cannot be stemmed, because it does not consist of the letters a to z.
   */
  unstemmedPrefix: 0.8,
  /**
   * Factor of a single Han, Kana or Hangul character from a longer run of such characters. Its score counts less than
   * that of a whole word.
   */
  character: 0.3,
  /** Factor of a character pair in a Thai word; the whole word is searched as well. */
  wordPair: 0.3,
} as const;
/** Score factor of a similar word that replaces a query word which occurs in no document. */
export const correctionBoost = 0.5;
/** Score factors of a word's translations. Translations are added if no document contains half of the query's words. */
export const translationBoosts = {
  word: 0.5,
  /**
   * Score factor of a single Chinese character that forms no dictionary word with its neighbors. It is low, because
   * such characters have many meanings.
   */
  character: 0.25,
} as const;
/**
 * Share of the total weight of a query's words that a document must contain to match. If no document reaches it, those
 * with the highest share match.
 */
export const minMatchShare = 0.15;
/**
 * Share of the documents. Words that occur in fewer documents all get about the same weight, so that the rarest word
 * alone does not decide which documents match.
 */
const rareShare = 0.003;

/** Number of documents visible to the caller, and their mean length. */
export interface CollectionStatistics {
  documents: number;
  meanLength: number;
}

export function idf(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5));
}

/**
 * Returns the weight of a word for deciding which documents match. A document matches if its query words have a
 * sufficient share of the query's total weight.
 */
export function termWeight(documents: number, having: number): number {
  return having === 0 ? 0 : Math.log(1 + documents / (having + documents * rareShare));
}

export function lengthNorm(length: number, meanLength: number): number {
  return k1 * (1 - b + (b * length) / meanLength);
}

export function termScore(idfOfWord: number, count: number, norm: number): number {
  return (idfOfWord * count * (k1 + 1)) / (count + norm);
}

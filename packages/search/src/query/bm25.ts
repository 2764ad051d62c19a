import type { FieldWeights } from '../index/postings.ts';

/** Parameters of the BM25 ranking, computed over whole documents, with higher weights for titles and headings. */
const k1 = 1.2;
const b = 0.75;
export const fieldWeights: FieldWeights = { title: 4, headings: 2, body: 1 };
/** Score bonus for a query word that the document contains exactly as written. */
export const exactBonus = 0.2;
/** Score factors of a query's minor terms, which affect the ranking but need not match. */
export const minorBoosts = {
  /** A character pair that holds a Chinese particle or an ending or particle of Japanese. */
  grammarPair: 0.5,
  /** A number without the characters attached to it, such as 2024 of 2024年. */
  looseNumber: 0.5,
  /** A whole date, beside the words and numbers it is written with. */
  date: 1,
  /** The first letters of a word, which it shares with its inflected forms. */
  wordPrefix: 0.5,
  /** The same of a word that has no stem, because its letters are not Latin. */
  unstemmedPrefix: 0.8,
  /** A single Han, Kana or Hangul character that is part of a longer run. */
  character: 0.3,
  /** A character pair of Thai, whose words are searched for as they are. */
  wordPair: 0.3,
} as const;
/** Score factor of the word that is searched instead of a query word that no document contains. */
export const correctionBoost = 0.5;
/** Boosts of a word's translations, for a query of which no document has half of the words. */
export const translationBoosts = {
  word: 0.5,
  /** A single Chinese character that the dictionary joins with no other: it has many meanings. */
  character: 0.25,
} as const;
/** Minimum share of the total weight of the query's words that a document must match. */
export const minMatchShare = 0.15;
/**
 * Words that occur in a smaller share of the documents all get about the same weight, so that the rarest word alone
 * does not decide what matches.
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
 * Returns the weight of a word for deciding what matches. A document matches if the words it contains have a sufficient
 * share of the total weight of the query.
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

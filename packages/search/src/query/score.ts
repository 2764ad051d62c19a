import type { FieldWeights } from '../index/postings.ts';

/** The one ranking of every database: BM25 over whole documents, occurrences in titles and headings counting more. */
const k1 = 1.2;
const b = 0.75;
export const fieldWeights: FieldWeights = { title: 4, headings: 2, body: 1 };
/** How much more a word counts where it stands as it was written, not in another form. */
export const exactBonus = 0.2;
/** How much of its worth a pair of characters with a particle in it adds. */
export const minorShare = 0.5;
/** What must be there of the question's weight. */
export const leastShare = 0.3;
/** Words rarer than about one document in so many weigh alike: the rarest alone must not decide what is an answer. */
const rareShare = 0.003;

/** How many documents the caller can see, and their mean length. */
export interface Collection {
  documents: number;
  meanLength: number;
}

export function idf(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5));
}

/** What a word adds to the weight of the question, and of a document that has it. */
export function weightOf(documents: number, having: number): number {
  return having === 0 ? 0 : Math.log(1 + documents / (having + documents * rareShare));
}

export function lengthNorm(length: number, meanLength: number): number {
  return k1 * (1 - b + (b * length) / meanLength);
}

export function termScore(idfOfWord: number, count: number, norm: number): number {
  return (idfOfWord * count * (k1 + 1)) / (count + norm);
}

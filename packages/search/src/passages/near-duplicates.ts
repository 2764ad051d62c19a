import { visitRuns } from '../analysis/fold.ts';

/** Number of consecutive words in a shingle, the unit by which two texts are compared. */
const shingleWords = 3;
/**
 * Two texts count as duplicates if the shingles that both contain make up at least this share of all their shingles.
 */
const minShared = 0.6;

/** Remembers texts and detects whether another text is nearly equal to one of them. */
export class NearDuplicates {
  readonly #seen: Set<string>[] = [];

  /** Returns true if the text is nearly equal to a remembered text. Otherwise remembers the text and returns false. */
  has(text: string): boolean {
    const shingles = shinglesOf(text);
    if (this.#seen.some((other) => sharedShare(shingles, other) >= minShared)) return true;
    this.#seen.push(shingles);
    return false;
  }
}

function shinglesOf(text: string): Set<string> {
  const words: string[] = [];
  visitRuns(text, {
    word: (word) => words.push(word),
    characters: (characters) => words.push(...characters),
  });
  const shingles = new Set<string>();
  for (let i = 0; i <= Math.max(0, words.length - shingleWords); i++)
    shingles.add(words.slice(i, i + shingleWords).join(' '));
  return shingles;
}

function sharedShare(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const shingle of one) if (other.has(shingle)) shared += 1;
  return shared / (one.size + other.size - shared);
}

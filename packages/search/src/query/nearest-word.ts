import { findBlock, postingsPart, readTokens } from '../index/segment-format.ts';
import { readPostings, type DocRange, type FieldWeights } from '../index/postings.ts';
import type { FetchParts, PartId, SegmentReader } from '../index/segment-reader.ts';

/** Minimum length of a word to be corrected; shorter words have too many similar words. */
const minLength = 4;
/** Minimum length of a word for which two edits are allowed; shorter words allow one edit. */
const minLengthForTwo = 8;
/** Maximum number of index blocks read to correct one word, which bounds the cost in a large index. */
const maxBlocks = 256;
const correctable = /^[\p{L}\p{M}]+$/u;

/**
 * Finds the most similar word for a query word that no visible document contains. Words with fewer edits are preferred,
 * then words in more documents. Only documents in the given ranges count, so that a correction reveals no words of
 * inaccessible documents.
 */
export async function nearestWord(
  word: string,
  segments: readonly SegmentReader[],
  ranges: readonly (readonly DocRange[])[],
  weights: FieldWeights,
  read: FetchParts,
): Promise<string | undefined> {
  if (word.length < minLength || !correctable.test(word)) return undefined;
  const most = word.length < minLengthForTwo ? 1 : 2;
  const wanted: (PartId & { at: number })[] = [];
  segments.forEach(({ number, dictionary }, at) => {
    if (ranges[at]!.length === 0) return;
    for (const block of nearBlocks(dictionary, word, most))
      if (wanted.length < maxBlocks) wanted.push({ segment: number, part: postingsPart(block), at });
  });
  const blocks = wanted.length === 0 ? [] : await read(wanted);
  const found = new Map<string, { edits: number; documents: number }>();
  blocks.forEach((block, i) => {
    const { at } = wanted[i]!;
    for (const { token, list } of readTokens(block)) {
      if (token.charAt(0) !== word.charAt(0) || Math.abs(token.length - word.length) > most) continue;
      if (token.length < minLength || !correctable.test(token)) continue;
      const edits = editsWithin(token, word, most);
      if (edits > most) continue;
      const { length } = readPostings(list, ranges[at]!, segments[at]!.deleted, weights);
      if (length > 0) found.set(token, { edits, documents: length + (found.get(token)?.documents ?? 0) });
    }
  });
  const [best] = [...found].sort(
    ([a, one], [b, other]) => one.edits - other.edits || other.documents - one.documents || (a < b ? -1 : 1),
  );
  return best?.[0];
}

/** Returns the query with the corrections prepended, so that passages and highlights show them too. */
export function withCorrections(query: string, corrected: ReadonlyMap<string, string> | undefined): string {
  return corrected ? [...corrected.values(), query].join(' ') : query;
}

/**
 * Lists the index blocks that may contain words similar to the given one. Only words with the same first letter
 * count as similar. A block is left out if the prefix that all its tokens share already needs more than `most` edits.
 */
function nearBlocks(dictionary: readonly string[], word: string, most: number): number[] {
  const letter = word.charAt(0);
  const blocks: number[] = [];
  for (let block = Math.max(0, findBlock(dictionary, letter)); block < dictionary.length; block++) {
    const first = dictionary[block]!;
    if (first.charAt(0) > letter) break;
    const shared = commonPrefix(first, dictionary[block + 1] ?? '');
    // Compare without the last letter of the shared prefix, because swapping it with the letter after it may save an
    // edit.
    if (Math.min(...editsOf(shared.slice(0, -1), word)) <= most) blocks.push(block);
  }
  return blocks;
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

/**
 * Returns the edit distance between the token and each prefix of the word; the last number is that of the whole word.
 * Edits are insertions, deletions, substitutions, and swaps of adjacent letters without further edits.
 */
function editsOf(token: string, word: string): number[] {
  let before: number[] = [];
  let row = Array.from({ length: word.length + 1 }, (_, i) => i);
  for (let i = 1; i <= token.length; i++) {
    const next = [i];
    for (let j = 1; j <= word.length; j++) {
      const isSame = token[i - 1] === word[j - 1];
      let edits = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && token[i - 1] === word[j - 2] && token[i - 2] === word[j - 1])
        edits = Math.min(edits, before[j - 2]! + 1);
      next.push(edits);
    }
    before = row;
    row = next;
  }
  return row;
}

/**
 * Length of a row of the edit-distance matrix. It exceeds the maximum word length of 64 code units, to which the
 * tokenizer truncates words.
 */
const maxRow = 80;
/** Rows of the edit-distance matrix, reused because allocating them for every token takes most of the time. */
let [rowBefore, rowHere, rowNext] = [new Uint8Array(maxRow), new Uint8Array(maxRow), new Uint8Array(maxRow)];

/**
 * Returns the edit distance between token and word. Stops early with a number above `most` if the distance must exceed
 * `most`.
 */
function editsWithin(token: string, word: string, most: number): number {
  const width = word.length;
  if (width >= maxRow) return editsOf(token, word).at(-1)!;
  for (let j = 0; j <= width; j++) rowHere[j] = j;
  for (let i = 1; i <= token.length; i++) {
    const unit = token.charCodeAt(i - 1);
    const unitBefore = i > 1 ? token.charCodeAt(i - 2) : -1;
    let least = (rowNext[0] = i);
    for (let j = 1; j <= width; j++) {
      const other = word.charCodeAt(j - 1);
      let edits = Math.min(rowHere[j]! + 1, rowNext[j - 1]! + 1, rowHere[j - 1]! + (unit === other ? 0 : 1));
      if (j > 1 && unit === word.charCodeAt(j - 2) && unitBefore === other)
        edits = Math.min(edits, rowBefore[j - 2]! + 1);
      rowNext[j] = edits;
      if (edits < least) least = edits;
    }
    // Stop only if the minimum exceeds `most` by more than one: a swap of adjacent letters continues from the row
    // before the last one, which may still lead to fewer edits.
    if (least > most + 1) return least;
    [rowBefore, rowHere, rowNext] = [rowHere, rowNext, rowBefore];
  }
  return rowHere[width]!;
}

import { wordPattern } from '../../../lib/search-excerpt.ts';
import type { PdfText } from './pdf-file.ts';

/**
 * A range of characters in one of the text pieces that the PDF library returns for a page. `index` is the index of the
 * piece.
 */
export interface TextPart {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

export interface PageHighlights {
  /** Ranges of the passage; empty if the passage is not on this page. */
  readonly passage: readonly TextPart[];
  /** Ranges of the search words, in the order of the page. */
  readonly words: readonly TextPart[];
}

/**
 * Sizes in characters of the fragments of a passage that are searched for in a page that does not contain the whole
 * passage. The passage is cut into fragments of `pieceLength` characters. Other fragments consist of a search word and
 * the `besideWord` characters before or after it.
 */
const pieceLength = 40;
const besideWord = 8;

/** Finds a passage and the search words in the text pieces of a page. */
export function findOnPage(texts: readonly PdfText[], passage: string, words: readonly string[]): PageHighlights {
  const joined = texts.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join('');
  const { packed, places } = pack(joined);
  const wanted = pack(passage.replace(/^…|…$/g, '')).packed;
  const [from, to] = longestShared(packed, wanted, words);
  const found = from < to ? partsOf(texts, places[from]!, places[to - 1]! + 1) : [];
  const pattern = wordPattern(words);
  const hits = pattern === undefined ? [] : [...joined.matchAll(pattern)];
  return { passage: found, words: hits.flatMap(({ index, 0: hit }) => partsOf(texts, index, index + hit.length)) };
}

/**
 * Removes white space and converts to lower case. Passages are compared in this form, because many PDF files contain no
 * white space between words. `places` holds the original offset of each remaining character.
 */
function pack(text: string): { packed: string; places: number[] } {
  let packed = '';
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]!;
    if (/\s/.test(unit)) continue;
    const small = unit.toLowerCase();
    packed += small.length === 1 ? small : unit;
    places.push(at);
  }
  return { packed, places };
}

/**
 * Searches the page for the whole passage, or else for the first of its fragments that the page contains. A found
 * fragment is extended in both directions as far as page and passage agree. Returns the start and end offset in `page`;
 * the offsets are equal if nothing is found.
 */
function longestShared(page: string, passage: string, words: readonly string[]): [from: number, to: number] {
  if (passage === '') return [0, 0];
  for (const [at, end] of [[0, passage.length] as const, ...piecesOf(passage, words)]) {
    const found = page.indexOf(passage.slice(at, end));
    if (found < 0) continue;
    let [before, length] = [0, end - at];
    while (before < at && before < found && page[found - before - 1] === passage[at - before - 1]) before++;
    while (at + length < passage.length && page[found + length] === passage[at + length]) length++;
    return [found - before, found + length];
  }
  return [0, 0];
}

/**
 * Returns the start and end offsets of the fragments of a passage, in the order in which they are searched for in a
 * page: first fragments that contain a search word, then fragments of equal length from start to end.
 */
function piecesOf(passage: string, words: readonly string[]): (readonly [from: number, to: number])[] {
  const pieces: (readonly [number, number])[] = [];
  for (const { packed: word } of words.map(pack))
    for (let at = passage.indexOf(word); at >= 0 && word !== ''; at = passage.indexOf(word, at + word.length)) {
      const end = at + word.length;
      if (end + besideWord <= passage.length) pieces.push([at, end + besideWord]);
      if (at >= besideWord) pieces.push([at - besideWord, end]);
    }
  for (let at = 0; at + pieceLength <= passage.length; at += pieceLength) pieces.push([at, at + pieceLength]);
  return pieces;
}

/** Splits a range of the page's text, which is the joined text of all pieces, into ranges within the pieces. */
function partsOf(texts: readonly PdfText[], from: number, to: number): TextPart[] {
  const parts: TextPart[] = [];
  let start = 0;
  for (const [index, { str, hasEOL }] of texts.entries()) {
    const part = { index, from: Math.max(from - start, 0), to: Math.min(to - start, str.length) };
    if (part.from < part.to) parts.push(part);
    start += str.length + (hasEOL ? 1 : 0);
    if (start >= to) break;
  }
  return parts;
}

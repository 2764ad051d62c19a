import { foldHanUnit } from './fold-han.ts';
import { replaceRadicals } from './radicals.ts';

/**
 * Callbacks for the words of a text and for its runs of characters in scripts without spaces. Width, case, accents and
 * Chinese variants of the text are folded. Offsets refer to the original text, so that highlights mark the original
 * characters.
 */
export interface RunVisitor {
  /** Called for each word (of letters and digits) of a script that separates words by spaces, and for each emoji. */
  word(folded: string, from: number, to: number): void;
  /**
   * Called for a run of characters of a script without spaces. It receives the normalized (folded) characters, the
   * offset where each starts, and the end of the run.
   */
  characters(folded: string[], starts: number[], to: number): void;
  /**
   * Faster alternative to `characters`: if defined, it is called instead for a run in which each character is one
   * UTF-16 code unit that needs no other normalization than `foldHanUnit`.
   */
  plain?(from: number, to: number): void;
  /** Set by the visitor to stop the traversal. */
  done?: boolean;
}

/** Maximum length of a word in UTF-16 code units; longer words are truncated. */
const maxWordLength = 64;

type Kind = 'none' | 'word' | 'character' | 'picture';

const wordLike = /^[\p{L}\p{N}\p{M}]$/u;
const withoutSpaces =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc]$/u;
const mark = /^\p{M}$/u;
/**
 * Emoji and regional indicators (the letters of flags). Skin tone modifiers are ignored, so all variants of an emoji
 * are one word.
 */
const picture = /^[\p{Extended_Pictographic}\p{Regional_Indicator}]$/u;
/**
 * Combining marks that searches ignore: accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic.
 * Marks of other scripts are part of the spelling and are kept.
 */
const accents = /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;
/**
 * Invisible characters, which are ignored when texts are compared: soft hyphen, joiners, byte order mark, variation
 * selectors.
 */
const invisible = /\u00ad|\u034f|\u200c|\u200d|\u2060|\ufeff|\p{Variation_Selector}/gu;
const undecomposed: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

interface Piece {
  text: string;
  kind: Kind;
}

export function visitRuns(text: string, visitor: RunVisitor): void {
  let word = '';
  let wordFrom = 0;
  let wordTo = 0;
  let points: string[] = [];
  let starts: number[] = [];
  let pointsTo = 0;

  const endWord = (): void => {
    if (wordTo > wordFrom) visitor.word(word, wordFrom, wordTo);
    word = '';
    wordFrom = wordTo = 0;
  };
  const endCharacters = (): void => {
    if (points.length === 0) return;
    visitor.characters(points, starts, pointsTo);
    points = [];
    starts = [];
  };
  const add = (piece: string, kind: Kind, from: number, to: number): void => {
    if (kind === 'word') {
      endCharacters();
      if (wordTo === wordFrom) wordFrom = from;
      wordTo = to;
      if (word.length + piece.length <= maxWordLength) word += piece;
      else if (piece.length > 2) word += piece.slice(0, maxWordLength - word.length);
    } else if (kind === 'character') {
      endWord();
      points.push(piece);
      starts.push(from);
      pointsTo = to;
    } else {
      endWord();
      endCharacters();
      if (kind === 'picture') visitor.word(piece, from, to);
    }
  };

  let at = 0;
  while (at < text.length && !visitor.done) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      const to = asciiEnd(text, at);
      if (to > at) {
        add(text.slice(at, Math.min(to, at + maxWordLength)).toLowerCase(), 'word', at, to);
        at = to;
        continue;
      }
      if (!isAsciiWord(code)) {
        add('', 'none', at, at + 1);
        at += 1;
        continue;
      }
    } else if (isPlainCharacter(code) && !joins(text, at + 1)) {
      if (visitor.plain && points.length === 0) {
        const to = plainEnd(text, at + 1);
        if (to !== undefined) {
          endWord();
          visitor.plain(at, to);
          at = to;
          continue;
        }
      }
      add(String.fromCharCode(foldHanUnit(code)), 'character', at, at + 1);
      at += 1;
      continue;
    }
    const to = clusterEnd(text, at);
    const pieces = foldCluster(text.slice(at, to));
    for (const piece of pieces) add(piece.text, piece.kind, at, to);
    at = to;
  }
  if (visitor.done) return;
  endWord();
  endCharacters();
}

function isAsciiWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}

/** Returns the end of the ASCII letters and digits at `from`, excluding a last letter that has a combining accent. */
function asciiEnd(text: string, from: number): number {
  let to = from;
  while (to < text.length && isAsciiWord(text.charCodeAt(to))) to += 1;
  return to > from && joins(text, to) ? to - 1 : to;
}

/**
 * Returns whether the code unit is one of the most common Chinese, Japanese and Korean characters, which `foldHanUnit`
 * alone normalizes.
 */
function isPlainCharacter(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa) ||
    code === 0x30fc ||
    (code >= 0xac00 && code <= 0xd7a3)
  );
}

/**
 * Returns the end of the plain characters (see `isPlainCharacter`) that start at `from`, or undefined if the run
 * continues with characters that are not plain.
 */
function plainEnd(text: string, from: number): number | undefined {
  let to = from;
  for (let code = text.charCodeAt(to); isPlainCharacter(code); code = text.charCodeAt(++to));
  if (to >= text.length || text.charCodeAt(to) < 0x80) return to;
  if (joins(text, to)) return undefined;
  const [next] = foldCluster(text.slice(to, clusterEnd(text, to)));
  return next === undefined || next.kind === 'character' ? undefined : to;
}

/** Returns whether the character at `at` combines with the previous character. */
function joins(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Past the end of the text `code` is NaN, which fails every comparison.
  if (!(code >= 0xad)) return false;
  if (code < 0x300) return code === 0xad;
  if ((code >= 0x3000 && code <= 0x3098) || (code >= 0x309b && code <= 0xa66e) || (code >= 0xac00 && code <= 0xd7af))
    return false;
  if (code === 0xff9e || code === 0xff9f || (code >= 0x1160 && code <= 0x11ff)) return true;
  if (code === 0x200c || code === 0x200d || code === 0x2060 || code === 0xfeff) return true;
  return mark.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/**
 * Maximum length of a character with its combining marks. A letter with a thousand accents is split, so that it takes
 * bounded time.
 */
const maxClusterLength = 32;

function clusterEnd(text: string, from: number): number {
  const width = (at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  let to = from + width(from);
  while (to - from < maxClusterLength && joins(text, to)) to += width(to);
  return Math.min(to, text.length);
}

const folded = new Map<string, readonly Piece[]>();
const foldedMost = 20_000;

function foldCluster(cluster: string): readonly Piece[] {
  const known = folded.get(cluster);
  if (known) return known;
  const pieces = foldNew(cluster);
  if (folded.size >= foldedMost) folded.clear();
  folded.set(cluster, pieces);
  return pieces;
}

function foldNew(cluster: string): readonly Piece[] {
  const plain = replaceRadicals(cluster.replace(invisible, '').normalize('NFKC'));
  // Convert to upper case first, then to lower case: this unifies characters with several lower-case forms (ß and ss,
  // the two sigmas).
  const bare = plain.toUpperCase().toLowerCase().normalize('NFD').replace(accents, '').normalize('NFC');
  const pieces: Piece[] = [];
  for (const point of bare) {
    const text =
      undecomposed[point] ?? (point.length === 1 ? String.fromCharCode(foldHanUnit(point.charCodeAt(0))) : point);
    pieces.push({ text, kind: kindOf(text) });
  }
  return pieces;
}

function kindOf(text: string): Kind {
  if (text.length > 2) return 'word';
  const point = String.fromCodePoint(text.codePointAt(0) ?? 0);
  if (!wordLike.test(point)) return picture.test(point) ? 'picture' : 'none';
  return withoutSpaces.test(point) ? 'character' : 'word';
}

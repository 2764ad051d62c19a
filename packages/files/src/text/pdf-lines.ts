export interface PdfTextItem {
  str: string;
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

export interface PdfLine {
  text: string;
  /** Height of the tallest letters in the line. */
  size: number;
}

const maxHeadingChars = 100;

/** A text item with the direction and height of its letters. */
interface PlacedItem {
  item: PdfTextItem;
  /** Unit vector of the writing direction. */
  direction: readonly [x: number, y: number];
  letterHeight: number;
}

/** Joins the text items of a page, in file order, into lines. */
export function toLines(items: PdfTextItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let text = '';
  let space = '';
  let size = 0;
  let last: PlacedItem | undefined;
  const flush = (): void => {
    if (text.trim() !== '') lines.push({ text: text.trim(), size });
    text = '';
    space = '';
    size = 0;
  };
  for (const item of items) {
    if (item.str.trim() === '') space += item.str;
    else {
      const next = placedItem(item);
      const height = item.height || next.letterHeight;
      // Not every PDF file marks line ends, so the positions of the items are compared too.
      if (last !== undefined && startsLine(last, next, Math.max(height, size, 1))) flush();
      if (text === '') last = undefined;
      if (last === undefined || !isOverprint(last, next)) {
        text += last === undefined ? item.str : `${spaceBetween(last, next, space)}${item.str}`;
        space = '';
        last = next;
        size = Math.max(size, height);
      }
    }
    if (item.hasEOL) flush();
  }
  flush();
  return lines;
}

function placedItem(item: PdfTextItem): PlacedItem {
  const [a = 0, b = 0, c = 0, d = 0] = item.transform;
  const length = Math.hypot(a, b);
  return { item, direction: length > 0 ? [a / length, b / length] : [1, 0], letterHeight: Math.hypot(c, d) };
}

/**
 * Returns the distance from the start of `last` to the start of `next`, along and across the writing direction of
 * `last`.
 */
function distance(
  { item: last, direction: [x, y] }: PlacedItem,
  { item: next }: PlacedItem,
): { along: number; across: number } {
  const right = (next.transform[4] ?? 0) - (last.transform[4] ?? 0);
  const up = (next.transform[5] ?? 0) - (last.transform[5] ?? 0);
  return { along: right * x + up * y, across: up * x - right * y };
}

/** Returns whether `next` starts a new line: its writing direction or its baseline differs from that of `last`. */
function startsLine(last: PlacedItem, next: PlacedItem, height: number): boolean {
  const [x, y] = last.direction;
  if (x * next.direction[0] + y * next.direction[1] < 0.8) return true;
  return Math.abs(distance(last, next).across) > height * 0.6;
}

/**
 * Returns whether `next` repeats the text of `last` at the same position, which some programs do for bold text or
 * shadows.
 */
function isOverprint(last: PlacedItem, next: PlacedItem): boolean {
  if (last.item.str !== next.item.str) return false;
  const { along, across } = distance(last, next);
  return Math.hypot(along, across) < last.letterHeight * 0.1;
}

/** Returns the white space to write between two items of a line. `space` is the white space that pdf.js found there. */
function spaceBetween(last: PlacedItem, next: PlacedItem, space: string): string {
  // In vertical writing, the length of an item is its height, so the gap computed from widths below would be wrong.
  if (isVertical(last) || isVertical(next)) return space;
  const { along } = distance(last, next);
  const gap = Math.max(along - last.item.width, -along - next.item.width);
  if (space !== '') return isStretched(last) && gap < last.letterHeight * 0.06 ? '' : space;
  if (/\s$/.test(last.item.str) || /^\s/.test(next.item.str)) return '';
  // pdf.js finds no gap before an item that is placed against the writing direction.
  if (gap > last.letterHeight * 0.25) return ' ';
  return along <= 0 && gap < 0 && hasLetters(last) && hasLetters(next) ? ' ' : '';
}

function isVertical({ item, letterHeight }: PlacedItem): boolean {
  return item.height > letterHeight * 1.5;
}

/**
 * Returns whether an item has two adjacent letters and no right-to-left script. A single letter may be an accent, or
 * part of a word whose letters are placed one by one.
 */
function hasLetters({ item: { str } }: PlacedItem): boolean {
  return /\p{Letter}{2}/u.test(str) && !rightToLeft.test(str);
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Returns whether the font has a coordinate system in which the font size says nothing about the width of letters.
 * pdf.js compares gaps with the font size and may then find false spaces.
 */
function isStretched({ item, letterHeight }: PlacedItem): boolean {
  const [a = 0, b = 0] = item.transform;
  return Math.hypot(a, b) < letterHeight * 0.1;
}

// Matches a word that a hyphen or soft hyphen divides at the end of a line. `wordRest` matches the rest of the word at
// the start of the next line.
const brokenWord = /(\p{Letter}+)[-\u2010\u00ad]$/u;
const wordRest = /^(\p{Ll}\p{Letter}*)([^\s]*)\s*/u;

/**
 * Joins each word that is hyphenated at a line end by moving its second half to the first line. The hyphen is kept if
 * `compounds` contains the hyphenated word.
 */
export function joinHyphenated(lines: PdfLine[], compounds: ReadonlySet<string>): PdfLine[] {
  const joined: PdfLine[] = [];
  let rest = '';
  lines.forEach((line, index) => {
    let text = line.text.slice(rest.length).trimStart();
    rest = '';
    const start = brokenWord.exec(text)?.[1];
    const next = start === undefined ? null : wordRest.exec(lines[index + 1]?.text ?? '');
    if (start !== undefined && next !== null) {
      const hyphen = compounds.has(`${start}-${next[1]!}`.toLowerCase()) ? '-' : '';
      text = `${text.slice(0, -1)}${hyphen}${next[1]!}${next[2]!}`;
      rest = next[0];
    }
    if (text !== '') joined.push({ text, size: line.size });
  });
  return joined;
}

/**
 * Returns, in lower case, the words that occur with a hyphen inside a line. When words divided at line ends are joined,
 * only these keep their hyphen.
 */
export function compoundsOf(pages: PdfLine[][]): Set<string> {
  const compounds = new Set<string>();
  for (const lines of pages)
    for (const { text } of lines)
      for (const [word] of text.matchAll(/\p{Letter}+-\p{Letter}+/gu)) compounds.add(word.toLowerCase());
  return compounds;
}

/** Returns the font size used for most characters, rounded to half points. */
export function bodySize(pages: PdfLine[][]): number {
  const chars = new Map<number, number>();
  for (const lines of pages) {
    for (const line of lines) {
      const size = Math.round(line.size * 2) / 2;
      chars.set(size, (chars.get(size) ?? 0) + line.text.length);
    }
  }
  let best = 0;
  let most = 0;
  for (const [size, count] of chars) if (count > most) [best, most] = [size, count];
  return best;
}

/**
 * Returns the heading level of a line in a PDF without bookmarks, or 0 for body text. A heading is a short line in
 * clearly larger letters than the body.
 */
export function headingLevelOf(line: PdfLine, body: number): number {
  if (body <= 0 || line.text.length > maxHeadingChars || !/\p{Letter}/u.test(line.text)) return 0;
  const ratio = line.size / body;
  if (ratio >= 1.6) return 1;
  if (ratio >= 1.3) return 2;
  return ratio >= 1.15 ? 3 : 0;
}

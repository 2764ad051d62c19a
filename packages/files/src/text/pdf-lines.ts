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

/** Joins the text items of a page, in file order, into lines. */
export function toLines(items: PdfTextItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let text = '';
  let size = 0;
  let lastY: number | undefined;
  const flush = (): void => {
    if (text.trim() !== '') lines.push({ text: text.trim(), size });
    text = '';
    size = 0;
  };
  for (const item of items) {
    const y = item.transform[5] ?? 0;
    const height = item.height || Math.hypot(item.transform[2] ?? 0, item.transform[3] ?? 0);
    // Some PDF files mark no line ends: start a new line if the vertical position changes by more than 0.6 of the
    // letter height.
    if (lastY !== undefined && item.str.trim() !== '' && Math.abs(y - lastY) > Math.max(height, size, 1) * 0.6) flush();
    if (item.str.trim() !== '') {
      lastY = y;
      size = Math.max(size, height);
    }
    text += item.str;
    if (item.hasEOL) flush();
  }
  flush();
  return lines;
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

export interface PdfTextItem {
  str: string;
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

export interface PdfLine {
  text: string;
  /** Height of its tallest letters. */
  size: number;
}

const maxHeadingChars = 100;

/** Joins the pieces a page was drawn with into lines. */
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
    // Producers that place every line by coordinates mark no line ends.
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

/** The size most characters are set in. */
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

/** Without bookmarks, a short line set clearly larger than the body is taken for a heading. */
export function headingLevelOf(line: PdfLine, body: number): number {
  if (body <= 0 || line.text.length > maxHeadingChars || !/\p{Letter}/u.test(line.text)) return 0;
  const ratio = line.size / body;
  if (ratio >= 1.6) return 1;
  if (ratio >= 1.3) return 2;
  return ratio >= 1.15 ? 3 : 0;
}

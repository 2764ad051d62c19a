import type { TextTable } from '@sheaf/search/passages/split-passages';
import { mediaNumber } from '@sheaf/client/media-types';
import type { SourceText } from '../../ports/search-source.ts';

/**
 * Number of lines at the start of a sub-sheet's text that are searched for headings. There are several, because titles
 * may be above the headings.
 */
const titleLines = 4;

/**
 * Adds the positions of the tables in a workbook's text to its outline, by which the text is later split into passages.
 * The text has one line per row, and each sub-sheet begins with its name.
 */
export function addTablesToOutline(mediaType: number, text: SourceText): SourceText {
  if (mediaType !== mediaNumber.excel || !text.outline) return text;
  const { pages } = text.outline;
  const starts = pages.length > 0 ? pages : [{ label: '', offset: 0 }];
  const tables = starts.flatMap(({ label, offset }, i) => {
    const from = label !== '' && text.body.startsWith(`${label}\n`, offset) ? offset + label.length + 1 : offset;
    return tableIn(text.body, from, starts[i + 1]?.offset ?? text.body.length) ?? [];
  });
  return { ...text, outline: { ...text.outline, tables } };
}

function tableIn(body: string, from: number, end: number): TextTable | undefined {
  let at = from;
  for (let i = 0; i < titleLines && at < end; i++) {
    const next = body.indexOf('\n', at) + 1 || end;
    const cells = body.slice(at, next).trimEnd().split('\t');
    if (isHeadings(cells) && next < end) return { from: next, to: end, headings: cells };
    at = next;
  }
  return from < end ? { from, to: end, headings: [] } : undefined;
}

/**
 * Returns whether the cells of a row look like column headings: most of them and at least two have a text, the texts
 * are all different, and each text contains a letter.
 */
function isHeadings(cells: readonly string[]): boolean {
  const texts = cells.filter((cell) => cell !== '');
  return (
    texts.length > 1 &&
    texts.length * 2 > cells.length &&
    new Set(texts).size === texts.length &&
    texts.every((cell) => /\p{L}/u.test(cell))
  );
}

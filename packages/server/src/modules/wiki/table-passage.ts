import { columnName } from '@sheaf/engine';
import type { RankedPassage } from '@sheaf/search/passages/rank-passages';
import type { TextTable } from '@sheaf/search/passages/split-passages';
import { TextMatcher } from '@sheaf/search/query/text-matcher';

export interface RenderedRows {
  text: string;
  range?: string;
  cell?: string;
}

/**
 * Returns the table rows of a passage as text with their column headings. If the position of the table is known, adds
 * column letters and row numbers, the cell range, and the cell that best answers the query. Returns undefined if the
 * passage does not consist of table rows.
 */
export function renderRows(
  { table, from, to, row }: RankedPassage,
  body: string,
  query: string,
): RenderedRows | undefined {
  if (!table) return undefined;
  const rows = linesOf(body.slice(from, to)).map((line) => line.split('\t'));
  const { headings, place } = table;
  const width = Math.max(...rows.map((cells) => cells.length));
  const first = linesOf(body.slice(table.from, from)).length;
  const titles = Array.from({ length: Math.max(width, place ? 0 : headings.length) }, (_, i) =>
    [...(place ? [columnName(place.left + i)] : []), headings[i] ?? ''].join(' ').trim(),
  );
  const lines = rows.map((cells, i) => [...(place ? [String(place.rows[first + i]! + 1)] : []), ...cells].join(' | '));
  const head = [...(place ? ['Row'] : []), ...titles].join(' | ');
  const text = [...(place || headings.length > 0 ? [head] : []), ...lines].join('\n');
  if (!place) return { text };
  const address = (line: number, col: number): string => columnName(place.left + col) + (place.rows[line]! + 1);
  const range = `${place.sheet}${address(first, 0)}:${address(first + rows.length - 1, width - 1)}`;
  if (!row) return { text, range };
  const best = linesOf(body.slice(table.from, row.from)).length;
  const col = bestColumn(table, body.slice(row.from, row.to).trimEnd().split('\t'), query);
  return { text, range, cell: place.sheet + address(best, col) };
}

/** Splits a text into lines. Leaves out the empty line after the last line break. */
function linesOf(text: string): string[] {
  return text.split('\n').slice(0, text.endsWith('\n') || text === '' ? -1 : undefined);
}

/**
 * Returns the index of the column that best answers a question about a table row. Compares the headings of those filled
 * cells that contain no word of the question, and chooses the column whose heading contains most of the question's
 * words. If none of these headings contains any, chooses the cell that contains most of the question's words.
 */
function bestColumn({ headings }: TextTable, cells: readonly string[], query: string): number {
  const matcher = new TextMatcher(query);
  const termsIn = (text: string): number => {
    const terms = new Set<number>();
    matcher.find(text, ({ term }) => {
      terms.add(term);
      return false;
    });
    return terms.size;
  };
  const known = cells.map(termsIn);
  const asked = cells.map((cell, i) => (known[i] === 0 && cell !== '' ? termsIn(headings[i] ?? '') : 0));
  const counts = asked.some((count) => count > 0) ? asked : known;
  return Math.max(0, counts.indexOf(Math.max(...counts)));
}

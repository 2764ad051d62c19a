import type { SheetSession } from '../sheet-session.ts';
import { regionFields, type CellRange } from '../cell-geometry.ts';
import type { Grid } from './grid.ts';
import { styleToCss } from './style-to-css.ts';
import type { PastedTable } from './pasted-table.ts';
import { parseHtmlTable } from './parse-html-table.ts';
import { parseTsv, toHtml, toTsv, type HtmlCell } from './clipboard-formats.ts';

/** Maximum number of cells in one copy or paste. */
export const maxCopied = 200_000;

/** Returns the range to copy. Whole rows or columns are clipped to the used range of the sheet. */
export function copiedRange(grid: Grid, range: CellRange): CellRange {
  const { used, rows, cols } = grid.model;
  let { bottom, right } = range;
  if (bottom >= rows.count - 1) bottom = Math.max(range.top, used?.bottom ?? 0);
  if (right >= cols.count - 1) right = Math.max(range.left, used?.right ?? 0);
  return { ...range, bottom, right };
}

export interface CopiedContent {
  readonly text: string;
  readonly html: string;
}

/**
 * Returns the cells of the range as tab-separated text and HTML, without hidden rows and columns. Returns undefined if
 * some cells are not loaded yet or the range is too large.
 */
export function copyLoadedCells(grid: Grid, range: CellRange): CopiedContent | undefined {
  const rows = shownCells(grid, range);
  return rows && { text: toTsv(rows.map((row) => row.map(({ text }) => text))), html: toHtml(rows) };
}

/**
 * Returns the content of several ranges, side by side if they span the same rows, or stacked if they span the same
 * columns. Returns undefined in other cases, and if some cells are not loaded yet or a range is too large.
 */
export function copyRanges(grid: Grid, ranges: readonly CellRange[]): CopiedContent | undefined {
  const sameRows = ranges.every((one) => one.top === ranges[0]!.top && one.bottom === ranges[0]!.bottom);
  const sameCols = ranges.every((one) => one.left === ranges[0]!.left && one.right === ranges[0]!.right);
  if (!sameRows && !sameCols) return undefined;
  const blocks = ranges
    .toSorted((a, b) => (sameRows ? a.left - b.left : a.top - b.top))
    .map((one) => shownCells(grid, one));
  if (blocks.some((block) => block === undefined)) return undefined;
  const known = blocks as HtmlCell[][][];
  const rows = sameRows ? known[0]!.map((_, index) => known.flatMap((block) => block[index]!)) : known.flat();
  return { text: toTsv(rows.map((row) => row.map(({ text }) => text))), html: toHtml(rows) };
}

function shownCells({ model }: Grid, range: CellRange): HtmlCell[][] | undefined {
  if ((range.bottom - range.top + 1) * (range.right - range.left + 1) > 20_000) return undefined;
  const cells: HtmlCell[][] = [];
  for (const row of model.rows.shown(range.top, range.bottom)) {
    const styled: HtmlCell[] = [];
    for (const col of model.cols.shown(range.left, range.right)) {
      if (!model.isCurrent(row, col)) return undefined;
      const { text, look } = model.cell(row, col);
      const merge = model.mergeAt(row, col);
      styled.push({ text, style: styleToCss(look), ...(merge ? spanIn(model, merge, range, row, col) : {}) });
    }
    cells.push(styled);
  }
  return cells;
}

/**
 * Returns how many of the copied rows and columns a merged range covers, for the rowspan and colspan of its first
 * copied cell. Returns 0 and 0 if `row` and `col` are the position of any other cell.
 */
function spanIn(
  { rows, cols }: Grid['model'],
  merge: CellRange,
  range: CellRange,
  row: number,
  col: number,
): { down: number; across: number } {
  const down = [...rows.shown(Math.max(merge.top, range.top), Math.min(merge.bottom, range.bottom))];
  const across = [...cols.shown(Math.max(merge.left, range.left), Math.min(merge.right, range.right))];
  return row === down[0] && col === across[0] ? { down: down.length, across: across.length } : { down: 0, across: 0 };
}

/**
 * Returns the range as tab-separated text, for ranges that are not completely loaded. Reads it from the server in
 * blocks of about 20,000 cells.
 */
export async function copyFromServer(session: SheetSession, tab: string, range: CellRange): Promise<string> {
  const width = range.right - range.left + 1;
  const rowsTogether = Math.max(1, Math.floor(20_000 / width));
  const rows: string[][] = Array.from({ length: range.bottom - range.top + 1 }, () =>
    Array.from({ length: width }, () => ''),
  );
  for (let top = range.top; top <= range.bottom; top += rowsTogether) {
    const view = await session.read('get_view', {
      sheet_id: tab,
      ...regionFields({ ...range, top, bottom: Math.min(range.bottom, top + rowsTogether - 1) }),
    });
    for (const [row, col, text] of view.cells) rows[row - range.top]![col - range.left] = text;
  }
  return toTsv(rows);
}

/**
 * Parses clipboard content that was not copied in this browser tab. Returns a styled table, or rows of text if the
 * content contains no table, or undefined if it is empty.
 */
export function parseClipboard(html: string, text: string): PastedTable | string[][] | undefined {
  const table = html === '' ? undefined : parseHtmlTable(html);
  if (table) return table;
  return text === '' ? undefined : parseTsv(text);
}

export function cellTexts(table: PastedTable): string[][] {
  return table.rows.map((row) => row.map(({ text }) => text));
}

/**
 * Returns whether two clipboard texts are equal, to recognize text that was copied in this browser tab. Ignores the
 * style of line breaks and a trailing line break, because the system clipboard may change them.
 */
export function isSameClipboardText(a: string, b: string): boolean {
  const plain = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  return plain(a) === plain(b);
}

/**
 * Repeats pasted rows to fill the range. Repeats them only along an axis on which the size of the range is a multiple
 * of the size of the rows. Returns the rows without repetition if the result would be too large.
 */
export function repeatToFill(rows: readonly (readonly string[])[], range: CellRange): string[][] {
  const height = range.bottom - range.top + 1;
  const width = range.right - range.left + 1;
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const down = height % rows.length === 0 ? height / rows.length : 1;
  const across = width % columns === 0 ? width / columns : 1;
  if ((down === 1 && across === 1) || down * rows.length * across * columns > maxCopied)
    return rows.map((row) => [...row]);
  return Array.from({ length: down * rows.length }, (_, r) =>
    Array.from({ length: across * columns }, (_unused, c) => rows[r % rows.length]![c % columns] ?? ''),
  );
}

import { maxCols, maxRows } from '@sheaf/engine/grid-size';
import { cellName, columnName, rangeContains, parseRange, regionFields, type CellRange } from '../cell-geometry.ts';
import { Axis } from '../grid/axis.ts';
import { rowSizesInPixels, standardHeight, standardWidth } from '../grid/grid-model.ts';
import { styleToCss } from '../grid/style-to-css.ts';
import { eachTableStyle } from '../grid/table-styles.ts';
import { defaultStyle, type CellStyle } from '../grid/tile-cache.ts';
import type { SheetSession, ToolOutput } from '../sheet-session.ts';
import type { PageSetup } from './page-setup.ts';

/** Maximum number of cells to print, because browsers take minutes to paginate a larger table. */
export const maxPrinted = 100_000;
const cellsPerRead = 20_000;
const headingWidth = 40;

type View = ToolOutput<'get_view'>;
type Layout = NonNullable<View['layout']>;

export class PrintTooLargeError extends Error {}

/**
 * Returns the range to print: the first range of the print area if one is set, otherwise the used range. Whole rows and
 * columns are clipped to the used range.
 */
export function rangeToPrint(
  { print_area: area }: Pick<PageSetup, 'print_area'>,
  layout: Pick<Layout, 'used'>,
): CellRange | undefined {
  const [first = ''] = (area ?? '').split(',');
  const used = parseRange(layout.used);
  const range = first === '' ? used : parseRange(first);
  if (!range) return undefined;
  let { bottom, right } = range;
  if (bottom === maxRows - 1) bottom = Math.max(range.top, used?.bottom ?? 0);
  if (right === maxCols - 1) right = Math.max(range.left, used?.right ?? 0);
  return { ...range, bottom, right };
}

interface Printed {
  readonly table: HTMLTableElement;
  readonly width: number;
  readonly height: number;
}

/**
 * Renders the cells to print as an HTML table with their styles. Returns undefined if there is nothing to print. Throws
 * PrintTooLargeError if there are more than `maxPrinted` cells.
 */
export async function buildPrintTable(
  session: SheetSession,
  tab: string,
  setup: PageSetup,
): Promise<Printed | undefined> {
  const { layout } = await session.read('get_view', { sheet_id: tab, ...regionFields(oneCell), layout: true });
  const range = layout && rangeToPrint(setup, layout);
  if (!layout || !range) return undefined;
  const rowAxis = new Axis(range.bottom + 1, standardHeight, rowSizesInPixels(layout), layout.hidden_rows);
  const colAxis = new Axis(range.right + 1, standardWidth, layout.col_sizes, layout.hidden_cols);
  const rows = [...rowAxis.shown(range.top, range.bottom)];
  const cols = [...colAxis.shown(range.left, range.right)];
  if (rows.length * cols.length > maxPrinted) throw new PrintTooLargeError(`${rows.length * cols.length}`);
  const cells = await Cells.read(session, tab, range);
  const width = (col: number): number => colAxis.size(col);
  const height = (row: number): number => rowAxis.size(row);
  const hasHeadings = setup.options.includes('headings');
  const table = document.createElement('table');
  table.classList.toggle('print-lines', setup.options.includes('gridlines'));
  const columns = document.createElement('colgroup');
  for (const size of [...(hasHeadings ? [headingWidth] : []), ...cols.map(width)]) {
    const column = document.createElement('col');
    column.style.width = `${size}px`;
    columns.append(column);
  }
  table.append(columns);
  const repeated = rowsRepeated(setup.titles);
  const head = table.createTHead();
  const body = table.createTBody();
  if (hasHeadings) head.append(headingRow(cols));
  const top = repeated ? rows.filter((row) => row >= repeated[0] && row <= repeated[1]) : [];
  for (const row of rows) {
    const line = document.createElement('tr');
    line.style.height = `${height(row)}px`;
    if (hasHeadings) line.append(heading(String(row + 1)));
    for (const col of cols) {
      const cell = cells.element(row, col, rows, cols);
      if (cell) line.append(cell);
    }
    (top.includes(row) ? head : body).append(line);
  }
  return {
    table,
    width: cols.reduce((sum, col) => sum + width(col), hasHeadings ? headingWidth : 0),
    height: rows.reduce((sum, row) => sum + height(row), 0),
  };
}

const oneCell: CellRange = { top: 0, left: 0, bottom: 0, right: 0 };

/**
 * Returns the zero-based rows to repeat at the top of each page: for the print titles `A:A,1:2`, rows 0 to 1. Columns
 * to repeat, such as `A:A`, are ignored.
 */
function rowsRepeated(titles: string | undefined): readonly [first: number, last: number] | undefined {
  const [, first, last] = /(?:^|,)(\d+):(\d+)/.exec(titles ?? '') ?? [];
  return first === undefined ? undefined : [Number(first) - 1, Number(last) - 1];
}

function headingRow(cols: readonly number[]): HTMLElement {
  const line = document.createElement('tr');
  line.append(heading(''), ...cols.map((col) => heading(columnName(col))));
  return line;
}

function heading(text: string): HTMLElement {
  const cell = document.createElement('th');
  cell.textContent = text;
  return cell;
}

class Cells {
  readonly #texts = new Map<string, readonly [text: string, kind: number]>();
  readonly #looks = new Map<string, CellStyle>();
  readonly #merges: CellRange[] = [];

  static async read(session: SheetSession, tab: string, range: CellRange): Promise<Cells> {
    const cells = new Cells();
    const rowsTogether = Math.max(1, Math.floor(cellsPerRead / (range.right - range.left + 1)));
    for (let top = range.top; top <= range.bottom; top += rowsTogether) {
      const part = { ...range, top, bottom: Math.min(range.bottom, top + rowsTogether - 1) };
      cells.#take(await session.read('get_view', { sheet_id: tab, ...regionFields(part) }), part);
    }
    return cells;
  }

  #take({ cells, styles, looks, merges, colours = [], formats = [], tables }: View, range: CellRange): void {
    for (const [row, col, text, kind] of cells) this.#texts.set(cellName(row, col), [text, kind]);
    for (const [col, first, last, place] of styles)
      for (let row = first; row <= last; row++) this.#looks.set(cellName(row, col), looks[place] as CellStyle);
    eachTableStyle(tables, range, (row, col, look) => {
      const name = cellName(row, col);
      this.#looks.set(name, { ...(look as CellStyle), ...this.#looks.get(name) });
    });
    for (const [row, col, color] of colours) this.#add(row, col, { fontColor: color });
    for (const { row, col, style, hide_value: isHidden } of formats) {
      if (style) this.#add(row, col, style as CellStyle);
      if (isHidden) this.#texts.delete(cellName(row, col));
    }
    for (const [top, left, bottom, right] of merges) this.#merges.push({ top, left, bottom, right });
  }

  #add(row: number, col: number, look: CellStyle): void {
    const name = cellName(row, col);
    this.#looks.set(name, { ...this.#looks.get(name), ...look });
  }

  /**
   * Returns the `td` element of a cell. Returns undefined if the cell is covered by a merged cell that starts in
   * another cell. `rows` and `cols` are the printed rows and columns, without hidden ones.
   */
  element(row: number, col: number, rows: readonly number[], cols: readonly number[]): HTMLElement | undefined {
    const merge = this.#merges.find((one) => rangeContains(one, row, col));
    const inMerge = merge && {
      rows: rows.filter((one) => one >= merge.top && one <= merge.bottom),
      cols: cols.filter((one) => one >= merge.left && one <= merge.right),
    };
    if (inMerge && (inMerge.rows[0] !== row || inMerge.cols[0] !== col)) return undefined;
    const cell = document.createElement('td');
    const first = merge ? cellName(merge.top, merge.left) : cellName(row, col);
    const [text = '', kind = 0] = this.#texts.get(first) ?? [];
    const look = this.#looks.get(first) ?? defaultStyle;
    cell.style.cssText = styleToCss(look);
    if (kind > 0 && (look.horizontalAlign ?? 'general') === 'general')
      cell.style.textAlign = kind === 1 ? 'right' : 'center';
    cell.textContent = text;
    if (inMerge) {
      cell.rowSpan = inMerge.rows.length;
      cell.colSpan = inMerge.cols.length;
    }
    return cell;
  }
}

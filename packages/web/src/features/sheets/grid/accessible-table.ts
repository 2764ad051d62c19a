import { language, translatorFor } from '../../../i18n/use-translation.ts';
import { cellName, columnName } from '../cell-geometry.ts';
import type { Grid } from './grid.ts';

const settleMs = 80;
const maxCells = 3000;

interface AccessibleCell {
  readonly col: number;
  readonly text: string;
  readonly link: string | undefined;
  readonly isKept: boolean;
}

/**
 * Maintains an HTML table of the visible non-empty cells for screen readers, because they cannot read the canvas on
 * which the grid is painted. The table is updated as soon as no repaint has occurred for a short time.
 */
export class AccessibleTable {
  readonly #grid: Grid;
  readonly #table: HTMLElement;
  readonly #stops: (() => void)[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = '';

  constructor(grid: Grid, table: HTMLElement) {
    this.#grid = grid;
    this.#table = table;
    this.#stops = [grid.subscribe(() => this.#soon())];
    this.#soon();
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#make(), settleMs);
  }

  #make(): void {
    const { model, viewport } = this.#grid;
    this.#table.setAttribute('aria-rowcount', String(model.rows.count));
    this.#table.setAttribute('aria-colcount', String(model.cols.count));
    const rows = new Map<number, AccessibleCell[]>();
    let count = 0;
    for (const { range } of viewport.panes()) {
      for (const row of model.rows.shown(range.top, range.bottom)) {
        for (const col of model.cols.shown(range.left, range.right)) {
          const text = model.text(row, col);
          if (text === undefined || text === '' || count >= maxCells) continue;
          const line = rows.get(row) ?? [];
          rows.set(row, line);
          line.push({ col, text, link: model.cell(row, col).link, isKept: model.isUnconfirmed(row, col) });
          count++;
        }
      }
    }
    const sorted = [...rows]
      .sort(([a], [b]) => a - b)
      .map(([row, cells]) => [row, cells.sort((a, b) => a.col - b.col)] as const);
    const columns = new Set(viewport.panes().flatMap(({ range }) => [...model.cols.shown(range.left, range.right)]));
    const headings = [...columns].sort((a, b) => a - b);
    const shown = JSON.stringify([headings, sorted]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#table.replaceChildren(headingsOf(headings), ...sorted.map(([row, cells]) => lineOf(row, cells)));
  }
}

function headingsOf(cols: readonly number[]): HTMLElement {
  const line = document.createElement('div');
  line.setAttribute('role', 'row');
  for (const col of cols) {
    const heading = document.createElement('span');
    heading.setAttribute('role', 'columnheader');
    heading.setAttribute('aria-colindex', String(col + 1));
    heading.textContent = columnName(col);
    // Screen readers compose the name of a row from its texts. The space separates the column headings in this name.
    line.append(heading, ' ');
  }
  return line;
}

function lineOf(row: number, cells: readonly AccessibleCell[]): HTMLElement {
  const line = document.createElement('div');
  line.setAttribute('role', 'row');
  line.setAttribute('aria-rowindex', String(row + 1));
  for (const { col, text, link, isKept } of cells) {
    const cell = document.createElement('span');
    cell.setAttribute('role', 'gridcell');
    cell.setAttribute('aria-colindex', String(col + 1));
    cell.dataset['cell'] = cellName(row, col);
    if (link !== undefined) cell.dataset['link'] = 'true';
    if (isKept) {
      cell.dataset['kept'] = 'true';
      cell.setAttribute('aria-description', translatorFor(language.get())('notSentYet'));
    }
    cell.textContent = text;
    line.append(cell, ' ');
  }
  return line;
}

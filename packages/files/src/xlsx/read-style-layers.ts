import { type Region, Runs, type Run, type SubSheet } from '@sheaf/engine/internal/document';
import { columnName } from '@sheaf/engine';
import { RunBuilder, overlayRuns } from './run-builder.ts';
import { regionsOfSpans } from './sheet-ranges.ts';

/**
 * Maximum number of style runs (spans of rows with one style) that row styles may add over all columns. Documents store
 * styles by column, so a million differently styled rows over 16,384 columns would exhaust memory.
 */
const maxRowRuns = 500_000;
/**
 * The importer records empty cells that have the format of their row or column. These are the maximum numbers of such
 * cells and of the regions that contain them. If one is exceeded, no empty cells are recorded. Nothing visible is lost.
 */
const maxEmptyCells = 100_000;
const maxEmptyRegions = 2_000;

/**
 * Collects the styles of columns, rows and cells while a sheet is read. A cell's style overrides its row's style, and
 * the row's overrides the column's.
 */
export class StyleLayers {
  readonly #columns = new Runs();
  readonly #rows = new RunBuilder();
  readonly #cells: (RunBuilder | undefined)[] = [];

  column(first: number, last: number, style: number): void {
    if (style !== 0) this.#columns.set(first, last, style);
  }

  row(row: number, style: number): void {
    if (style !== 0) this.#rows.add(row, style);
  }

  cell(row: number, col: number, style: number): void {
    if (style === 0 && this.#columns.isEmpty && this.#rows.isEmpty) return;
    (this.#cells[col] ??= new RunBuilder()).add(row, style);
  }

  /**
   * Sets the styles of a sub-sheet. Returns the empty cells with the format of their row or column. The caller must
   * record them, because the export would not write them otherwise.
   */
  applyTo(sub: SubSheet, rows: number, cols: number, warnings: Set<string>): readonly Region[] {
    const reach = this.#rows.isEmpty ? 0 : Math.min(cols, Math.floor(maxRowRuns / this.#rows.count));
    const across = reach === 0 ? [] : this.#rows.list();
    if (!this.#rows.isEmpty && reach < cols) {
      const where = reach === 0 ? '' : `past column ${columnName(reach - 1)} `;
      warnings.add(
        `the rows of '${sub.name}' have too many looks of their own for its ${cols} columns; ${where}only cells and columns keep theirs`,
      );
    }
    const underOf = (col: number): readonly Run[] => {
      const style = this.#columns.get(col);
      const whole: Run[] = style === 0 ? [] : [[0, rows - 1, style]];
      return col < reach ? overlayRuns(whole, across) : whole;
    };
    for (let col = 0; col < cols; col++)
      for (const [start, end, value] of overlayRuns(underOf(col), this.#cells[col]?.list() ?? []))
        sub.styles.set(col, start, end, value);
    return this.#emptyCells(sub, cols, underOf);
  }

  /**
   * Returns the cells of the imported file that are empty and have the format of their row or column. They are recorded
   * because the export would not write them otherwise. Returns none if there are too many.
   */
  #emptyCells(sub: SubSheet, cols: number, underOf: (col: number) => readonly Run[]): readonly Region[] {
    let count = 0;
    const spansOf = (col: number): [number, number][] => {
      const cells = this.#cells[col]?.list() ?? [];
      if (cells.length === 0 || count > maxEmptyCells) return [];
      const empty = new RunBuilder();
      eachShared(underOf(col), cells, (first, last) => {
        for (let row = first; row <= last && count <= maxEmptyCells; row++)
          if (sub.sheet.read(row, col) === null) {
            empty.add(row, 1);
            count++;
          }
      });
      return empty.list().map(([first, last]) => [first, last]);
    };
    const regions = regionsOfSpans(Math.min(cols, this.#cells.length), spansOf, maxEmptyRegions);
    return regions && count <= maxEmptyCells ? regions : [];
  }
}

/** Calls `visit` for each range of rows that has the same value in both sorted lists. */
function eachShared(one: readonly Run[], other: readonly Run[], visit: (first: number, last: number) => void): void {
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const [start, end, value] = one[i]!;
    const [from, to, style] = other[j]!;
    if (value === style && start <= to && from <= end) visit(Math.max(start, from), Math.min(end, to));
    if (end < to) i++;
    else j++;
  }
}

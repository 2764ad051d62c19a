import { Runs, type Run, type SubSheet } from '@sheaf/engine/internal/document';
import { columnName } from '@sheaf/engine';
import { RunBuilder, overlayRuns } from './run-builder.ts';

/**
 * Maximum number of style runs that row styles may add over all columns. Documents store styles by column, so a million
 * differently styled rows over 16,384 columns would exhaust memory.
 */
const maxRowRuns = 500_000;

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

  applyTo(sub: SubSheet, rows: number, cols: number, warnings: Set<string>): void {
    const reach = this.#rows.isEmpty ? 0 : Math.min(cols, Math.floor(maxRowRuns / this.#rows.count));
    const across = reach === 0 ? [] : this.#rows.list();
    if (!this.#rows.isEmpty && reach < cols) {
      const where = reach === 0 ? '' : `past column ${columnName(reach - 1)} `;
      warnings.add(
        `the rows of '${sub.name}' have too many looks of their own for its ${cols} columns; ${where}only cells and columns keep theirs`,
      );
    }
    for (let col = 0; col < cols; col++) {
      const style = this.#columns.get(col);
      const whole: Run[] = style === 0 ? [] : [[0, rows - 1, style]];
      const under = col < reach ? overlayRuns(whole, across) : whole;
      for (const [start, end, value] of overlayRuns(under, this.#cells[col]?.list() ?? []))
        sub.styles.set(col, start, end, value);
    }
  }
}

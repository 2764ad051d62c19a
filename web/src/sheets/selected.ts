import { regionOf, type Cell, type CellRange } from './geometry.ts';
import type { Grid } from './grid/grid.ts';
import {
  rangesOf,
  type MenuPlace,
  type Selection,
  type SheetSession,
  type ToolInput,
  type ToolName,
} from './session.ts';

/** Tools that do something to one region and need nothing else to be told where. */
type RangeTool =
  | 'clear_range_cells'
  | 'clear_range_style'
  | 'set_cell_style'
  | 'set_border'
  | 'clear_border'
  | 'merge_cell'
  | 'unmerge_cell';

/** What is selected, and how something is done to all of it. */
export class Selected {
  readonly grid: Grid;
  readonly fail: (error: unknown) => void;

  constructor(grid: Grid, fail: (error: unknown) => void) {
    this.grid = grid;
    this.fail = fail;
  }

  get session(): SheetSession {
    return this.grid.session;
  }

  get range(): CellRange {
    return this.session.selection.get().range;
  }

  /** The selection without the spare rows and columns after the last one of the sheet. */
  get present(): CellRange {
    const { size } = this.grid.model;
    const { top, left, bottom, right } = this.range;
    return {
      top,
      left,
      bottom: Math.max(top, Math.min(bottom, size.rows - 1)),
      right: Math.max(left, Math.min(right, size.cols - 1)),
    };
  }

  /** Whole rows and columns end where the sheet does: giving them a look must not make it larger. Cells are as selected. */
  get onSheet(): CellRange {
    return this.kind === 'cells' ? this.range : this.present;
  }

  /** Everything that is selected. Whole rows and columns end where the sheet does. */
  get all(): CellRange[] {
    const { size, rows, cols } = this.grid.model;
    return rangesOf(this.session.selection.get()).map((one) => ({
      ...one,
      bottom: one.top === 0 && one.bottom >= rows.count - 1 ? Math.max(0, size.rows - 1) : one.bottom,
      right: one.left === 0 && one.right >= cols.count - 1 ? Math.max(0, size.cols - 1) : one.right,
    }));
  }

  /** Does the same to all that is selected, as one step. */
  onAll<Name extends RangeTool>(
    tool: Name,
    input: Omit<ToolInput<Name>, 'sheet_id' | 'start_row' | 'start_col' | 'end_row' | 'end_col'>,
  ): void {
    const ranges = this.session.selection.get().others.length === 0 ? [this.onSheet] : this.all;
    const inputs = ranges.map((range) => ({ ...input, ...this.sheet, ...regionOf(range) }));
    this.run(() => this.each(tool, inputs as unknown as ToolInput<Name>[]));
  }

  /** Calls a tool once for each, as one step that is undone as one. */
  async each<Name extends ToolName>(tool: Name, inputs: readonly ToolInput<Name>[]): Promise<void> {
    if (inputs.length === 1) await this.session.write(tool, inputs[0]!);
    else if (inputs.length > 1)
      await this.session.write('batch', { calls: inputs.map((one) => ({ tool, arguments: one })) });
  }

  get sheet(): { sheet_id: string } {
    return { sheet_id: this.session.current.get() };
  }

  run(work: () => Promise<unknown>): void {
    if (!this.session.mayWrite) return;
    work().catch(this.fail);
  }

  selectAll(): void {
    const { rows, cols } = this.grid.model;
    this.session.select(
      { top: 0, left: 0, bottom: rows.count - 1, right: cols.count - 1 },
      this.session.selection.get().active,
    );
  }

  selectRows(first: number, last: number, active?: Cell, others: readonly CellRange[] = []): void {
    const top = Math.min(first, last);
    this.session.select(
      { top, left: 0, bottom: Math.max(first, last), right: this.grid.model.cols.count - 1 },
      active ?? { row: first, col: Math.max(0, this.grid.model.cols.nextShown(0, 1) ?? 0) },
      others,
    );
  }

  selectCols(first: number, last: number, active?: Cell, others: readonly CellRange[] = []): void {
    this.session.select(
      { top: 0, left: Math.min(first, last), bottom: this.grid.model.rows.count - 1, right: Math.max(first, last) },
      active ?? { row: Math.max(0, this.grid.model.rows.nextShown(0, 1) ?? 0), col: first },
      others,
    );
  }

  /** What the selection is made of. */
  get kind(): MenuPlace['kind'] {
    const { rows, cols } = this.grid.model;
    const { top, left, bottom, right } = this.range;
    if (left === 0 && right >= cols.count - 1) return 'rows';
    return top === 0 && bottom >= rows.count - 1 ? 'cols' : 'cells';
  }

  /** What was written is selected, unless the person has gone on to something else meanwhile. */
  selectAfter(before: Selection, ranges: readonly CellRange[]): void {
    if (this.session.selection.get() === before) this.selectRanges(ranges);
  }

  selectRanges(ranges: readonly CellRange[]): void {
    this.session.select(ranges.at(-1)!, undefined, ranges.slice(0, -1));
  }
}

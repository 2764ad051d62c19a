import { regionFields, type CellRange } from './cell-geometry.ts';
import { lineHeightOf } from './grid/font-metrics.ts';
import type { Grid } from './grid/grid.ts';
import { neededHeight, rowPadding } from './grid/row-heights.ts';
import { ClipboardCommands } from './clipboard-commands.ts';
import {
  clippedSelectedRanges,
  insertRuns,
  selectedRuns,
  clippedSelection,
  visibilityRun,
  writeBatch,
} from './selection-ranges.ts';
import type { Selection, ToolInput } from './sheet-session.ts';
import { fillFromFirstLine, insertedRuns, withoutRows, withSpan, type AxisName, type AxisRun } from './multi-range.ts';

/**
 * Maximum number of rows whose heights are fitted to their content when text wrapping is turned on. Further rows keep
 * their height.
 */
const maxFitted = 1000;

type RangeTool =
  | 'clear_range_cells'
  | 'clear_range_style'
  | 'set_cell_style'
  | 'set_border'
  | 'clear_border'
  | 'merge_cell'
  | 'unmerge_cell';

export type Format = NonNullable<ToolInput<'set_cell_style'>['format']>;

export class GridCommands {
  readonly grid: Grid;
  readonly #fail: (error: unknown) => void;
  readonly pasting: ClipboardCommands;

  constructor(grid: Grid, fail: (error: unknown) => void) {
    this.grid = grid;
    this.#fail = fail;
    this.pasting = new ClipboardCommands(this, fail);
  }

  get #session() {
    return this.grid.session;
  }

  get range(): CellRange {
    return this.#session.selection.get().range;
  }

  /** Returns the number of rows or columns that `insert` would insert and `remove` would delete. */
  counts(axis: AxisName): { inserted: number; removed: number } {
    const sum = (runs: readonly AxisRun[]): number => runs.reduce((total, { count }) => total + count, 0);
    return { inserted: sum(insertRuns(this.grid, axis)), removed: sum(selectedRuns(this.grid, axis)) };
  }

  get #sheet(): { sheet_id: string } {
    return { sheet_id: this.#session.current.get() };
  }

  run(work: () => Promise<unknown>): void {
    if (!this.#session.mayWrite) return;
    work().catch(this.#fail);
  }

  /** Calls a server operation on cell ranges for all selected ranges, as a single undo step. */
  #onAll<Name extends RangeTool>(
    tool: Name,
    input: Omit<ToolInput<Name>, 'sheet_id' | 'start_row' | 'start_col' | 'end_row' | 'end_col'>,
  ): void {
    const { grid } = this;
    const ranges =
      this.#session.selection.get().others.length === 0 ? [clippedSelection(grid)] : clippedSelectedRanges(grid);
    const inputs = withoutRows(grid.model.filteredRows, ranges).map((range) => ({
      ...input,
      ...this.#sheet,
      ...regionFields(range),
    }));
    this.run(() => writeBatch(this.#session, tool, inputs as unknown as ToolInput<Name>[]));
  }

  /**
   * Selects the ranges that a command has written. Does nothing if the user has changed the selection in the meantime;
   * `before` is the selection before the command.
   */
  selectAfter(before: Selection, ranges: readonly CellRange[]): void {
    if (this.#session.selection.get() === before) this.select(ranges);
  }

  select(ranges: readonly CellRange[]): void {
    this.#session.select(ranges.at(-1)!, undefined, ranges.slice(0, -1));
  }

  /**
   * Enters rows of text into cells, starting at the given cell. The texts are displayed before the server confirms
   * them. If a single text is entered, the height of the row is increased if necessary.
   */
  async enter(tab: string, row: number, col: number, rows: readonly (readonly string[])[]): Promise<void> {
    const input = { sheet_id: tab, start_row: row, start_col: col, rows: rows.map((line) => [...line]) };
    const isOne = rows.length === 1 && rows[0]!.length === 1 && tab === this.grid.model.sheetId;
    const higher = isOne ? neededHeight(this.grid, row, { row, col, text: rows[0]![0]! }) : undefined;
    if (higher === undefined) await this.#session.write('enter_cells', input);
    else await this.#together(['enter_cells', input], [row, row, higher]);
  }

  clear(): void {
    this.#onAll('clear_range_cells', {});
  }

  clearStyles(): void {
    this.#onAll('clear_range_style', {});
  }

  format(format: Format): void {
    const selected = clippedSelection(this.grid);
    const { top, bottom } = selected;
    const points = format.font_size ?? 0;
    const needed = lineHeightOf({ fontSize: points }) + rowPadding;
    const isOne =
      this.#session.selection.get().others.length === 0 &&
      withoutRows(this.grid.model.filteredRows, [selected]).length === 1;
    if (isOne && points > 0 && needed > this.grid.model.rows.size(top)) {
      this.run(() =>
        this.#together(
          ['set_cell_style', { ...this.#sheet, ...regionFields(selected), format }],
          [top, bottom, needed],
        ),
      );
      return;
    }
    this.#onAll('set_cell_style', { format });
  }

  /** Toggles a style property of all selected cells. The style of the active cell determines the new value. */
  toggle(property: 'bold' | 'italic' | 'underline' | 'strike' | 'wrap'): void {
    const { active } = this.#session.selection.get();
    const { look } = this.grid.model.cell(active.row, active.col);
    if (property === 'wrap') this.#wrap(!look.wrapText);
    else if (property === 'underline') this.format({ underline: look.underline === undefined ? 'single' : '' });
    else if (property === 'strike') this.format({ strike_through: !look.strikeThrough });
    else this.format({ [property]: !look[property] });
  }

  /**
   * Turns text wrapping of the selected cells on or off. With a single selected range, turning wrapping on also
   * increases row heights if necessary.
   */
  #wrap(on: boolean): void {
    if (this.#session.selection.get().others.length > 0) {
      this.#onAll('set_cell_style', { format: { wrap_text: on } });
      return;
    }
    const { top, bottom } = clippedSelection(this.grid);
    const { rows } = this.grid.model;
    const format = { ...this.#sheet, ...regionFields(clippedSelection(this.grid)), format: { wrap_text: on } };
    const grown: [number, number, number][] = [];
    for (let row = top; on && row <= Math.min(bottom, top + maxFitted); row++) {
      const needed = neededHeight(this.grid, row, undefined, clippedSelection(this.grid));
      if (needed !== undefined && needed > rows.size(row)) grown.push([row, row, needed]);
    }
    this.run(() =>
      grown.length === 0
        ? this.#session.write('set_cell_style', format)
        : this.#together(['set_cell_style', format], ...grown),
    );
  }

  /** Performs a write and the necessary row height changes as a single undo step. */
  async #together(
    write: ['enter_cells' | 'set_cell_style', Record<string, unknown>],
    ...heights: readonly [first: number, last: number, pixels: number][]
  ): Promise<void> {
    const dimensions = heights.map(([first, last, pixels]) => ({
      dimension_type: 'row' as const,
      start_index: first,
      end_index: last,
      size: Math.min(409, Math.ceil(pixels * 0.75)),
    }));
    await this.#session.write('batch', {
      calls: [
        { tool: write[0], arguments: write[1] },
        { tool: 'set_dimension_size', arguments: { ...this.#sheet, dimensions } },
      ],
    });
  }

  borders(positions: readonly (0 | 1 | 2 | 3 | 4 | 5)[], style: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7, color: string): void {
    if (style === 0) this.#onAll('clear_border', {});
    else this.#onAll('set_border', { border_positions: [...positions], border_style: style, border_color: color });
  }

  merge(kind: 'all' | 'rows' | 'columns' | 'none'): void {
    if (kind === 'none') this.#onAll('unmerge_cell', {});
    else this.#onAll('merge_cell', { merge_type: kind });
  }

  /**
   * Fills the target range by repeating the adjacent source range. With `series`, it continues the series of the
   * source instead: 1, 2 is followed by 3, 4.
   */
  fill(source: CellRange, target: CellRange, series: boolean): void {
    this.run(() =>
      this.#session.write('copy_range', {
        ...this.#sheet,
        source: regionFields(source),
        target: regionFields(target),
        series,
      }),
    );
  }

  /**
   * Fills each selected range from its first row (Ctrl+D) or first column (Ctrl+R). A range of a single row or column
   * is filled from the row above or the column to its left.
   */
  fillFromEdge(axis: AxisName): void {
    const ranges = this.#session.selection.get().others.length === 0 ? [this.range] : clippedSelectedRanges(this.grid);
    const inputs = ranges
      .flatMap((range) => fillFromFirstLine(range, axis) ?? [])
      .map(({ source, target }) => ({
        ...this.#sheet,
        source: regionFields(source),
        target: regionFields(target),
        series: false,
      }));
    this.run(() => writeBatch(this.#session, 'copy_range', inputs));
  }

  /** Inserts rows or columns before or after each selected range, as many as the range contains. */
  insert(axis: AxisName, after: boolean): void {
    const before = this.#session.selection.get();
    const runs = insertRuns(this.grid, axis);
    const direction = after ? ('after' as const) : ('before' as const);
    // Insert at the highest index first, so that an insertion does not move the positions of later insertions.
    const inputs = runs.toReversed().map(({ index, count }) => ({
      ...this.#sheet,
      dimension_type: axis,
      index: after ? index + count - 1 : index,
      count,
      direction,
    }));
    this.run(async () => {
      await writeBatch(this.#session, 'insert_dimension', inputs);
      if (runs.length > 1)
        this.selectAfter(
          before,
          insertedRuns(runs, after).map(({ index, count }) => withSpan(before.range, axis, index, index + count - 1)),
        );
    });
  }

  remove(axis: AxisName): void {
    const inputs = selectedRuns(this.grid, axis).map((run) => ({ ...this.#sheet, dimension_type: axis, ...run }));
    // Delete at the highest index first, so that a deletion does not move the positions of later deletions.
    this.run(() => writeBatch(this.#session, 'delete_dimension', inputs.toReversed()));
  }

  /**
   * Moves `count` rows or columns from `index` to the position before the row or column at index `to`, and selects
   * them.
   */
  move(axis: AxisName, index: number, count: number, to: number): void {
    if (to >= index && to <= index + count) return;
    const before = this.#session.selection.get();
    this.run(async () => {
      await this.#session.write('move_dimension', { ...this.#sheet, dimension_type: axis, index, count, to });
      const first = to > index ? to - count : to;
      this.selectAfter(before, [withSpan(before.range, axis, first, first + count - 1)]);
    });
  }

  resize(axis: AxisName, first: number, last: number, pixels: number): void {
    const size =
      axis === 'row'
        ? Math.min(409, Math.max(4, Math.round(pixels * 0.75 * 4) / 4))
        : Math.min(2000, Math.max(10, Math.round(pixels)));
    const { model } = this.grid;
    this.run(async () => {
      model.setOptimisticSize(axis, first, last, axis === 'row' ? size / 0.75 : size);
      try {
        await this.#session.write('set_dimension_size', {
          ...this.#sheet,
          dimensions: [{ dimension_type: axis, start_index: first, end_index: last, size }],
        });
      } catch (error) {
        model.refresh();
        throw error;
      }
    });
  }

  setVisible(axis: AxisName, visible: boolean): void {
    const hidesSeveral = !visible && this.#session.selection.get().others.length > 0;
    const runs = hidesSeveral ? selectedRuns(this.grid, axis) : [visibilityRun(this.grid, axis, visible)];
    const inputs = runs.map((run) => ({ ...this.#sheet, dimension_type: axis, ...run, visible }));
    this.run(() => writeBatch(this.#session, 'set_dimension_visible', inputs));
  }

  freeze(rows: number, cols: number): void {
    this.run(() =>
      rows === 0 && cols === 0
        ? this.#session.write('unset_freeze', this.#sheet)
        : this.#session.write('set_freeze', { ...this.#sheet, row_count: rows, col_count: cols }),
    );
  }
}

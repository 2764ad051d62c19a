import { language, textIn } from '../text/use-text.ts';
import { regionOf, type CellRange } from './geometry.ts';
import { copiedRange, mostCopied, readPasted, repeated, sameText } from './grid/clipboard.ts';
import { lineHeightOf } from './grid/fonts.ts';
import { neededHeight, rowPadding } from './grid/row-heights.ts';
import { Selected } from './selected.ts';
import { rangesOf, type ToolInput } from './session.ts';
import {
  fillingFromEdge,
  fitted,
  insertedRuns,
  pastingOrder,
  runsOf,
  sized,
  type Dimension,
  type Run,
} from './several.ts';

/** More rows are not looked at one by one. */
const mostFitted = 1000;

type Format = NonNullable<ToolInput<'set_cell_style'>['format']>;

/** All that is done to the selected cells, by keys, tool bar and menus alike. */
export class Commands extends Selected {
  // Cells

  /** Types texts into cells from a place on; they show at once. */
  async enter(tab: string, row: number, col: number, rows: readonly (readonly string[])[]): Promise<void> {
    const input = { sheet_id: tab, start_row: row, start_col: col, rows: rows.map((line) => [...line]) };
    const isOne = rows.length === 1 && rows[0]!.length === 1 && tab === this.grid.model.sheetId;
    const higher = isOne ? neededHeight(this.grid, row, { row, col, text: rows[0]![0]! }) : undefined;
    if (higher === undefined) await this.session.write('enter_cells', input);
    else await this.#together(['enter_cells', input], [row, row, higher]);
  }

  clear(): void {
    this.onAll('clear_range_cells', {});
  }

  clearStyles(): void {
    this.onAll('clear_range_style', {});
  }

  format(format: Format): void {
    const { top, bottom } = this.onSheet;
    const points = format.font_size ?? 0;
    const needed = lineHeightOf({ fontSize: points }) + rowPadding;
    if (this.session.selection.get().others.length === 0 && points > 0 && needed > this.grid.model.rows.size(top)) {
      this.run(() =>
        this.#together(['set_cell_style', { ...this.sheet, ...regionOf(this.onSheet), format }], [top, bottom, needed]),
      );
      return;
    }
    this.onAll('set_cell_style', { format });
  }

  /** Switches a property by what the active cell has. */
  toggle(property: 'bold' | 'italic' | 'underline' | 'strike' | 'wrap'): void {
    const { active } = this.session.selection.get();
    const { look } = this.grid.model.cell(active.row, active.col);
    switch (property) {
      case 'bold':
        return this.format({ bold: !look.bold });
      case 'italic':
        return this.format({ italic: !look.italic });
      case 'underline':
        return this.format({ underline: look.underline === undefined ? 'single' : '' });
      case 'strike':
        return this.format({ strike_through: !look.strikeThrough });
      case 'wrap':
        return this.#wrap(!look.wrapText);
    }
  }

  /** Rows become as high as the text needs when it is broken into lines. */
  #wrap(on: boolean): void {
    if (this.session.selection.get().others.length > 0) {
      this.onAll('set_cell_style', { format: { wrap_text: on } });
      return;
    }
    const { top, bottom } = this.onSheet;
    const { rows } = this.grid.model;
    const format = { ...this.sheet, ...regionOf(this.onSheet), format: { wrap_text: on } };
    const grown: [number, number, number][] = [];
    for (let row = top; on && row <= Math.min(bottom, top + mostFitted); row++) {
      const needed = neededHeight(this.grid, row, undefined, this.onSheet);
      if (needed !== undefined && needed > rows.size(row)) grown.push([row, row, needed]);
    }
    this.run(() =>
      grown.length === 0
        ? this.session.write('set_cell_style', format)
        : this.#together(['set_cell_style', format], ...grown),
    );
  }

  /** A write and the row heights it makes necessary, as one step that is undone as one. */
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
    await this.session.write('batch', {
      calls: [
        { tool: write[0], arguments: write[1] },
        { tool: 'set_dimension_size', arguments: { ...this.sheet, dimensions } },
      ],
    });
  }

  borders(positions: readonly (0 | 1 | 2 | 3 | 4 | 5)[], style: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7, color: string): void {
    if (style === 0) this.onAll('clear_border', {});
    else this.onAll('set_border', { border_positions: [...positions], border_style: style, border_color: color });
  }

  merge(kind: 'all' | 'rows' | 'columns' | 'none'): void {
    if (kind === 'none') this.onAll('unmerge_cell', {});
    else this.onAll('merge_cell', { merge_type: kind });
  }

  // Filling and pasting

  /** Goes on with the source over the target, which lies beside it. */
  fill(source: CellRange, target: CellRange, series: boolean): void {
    this.run(() =>
      this.session.write('copy_range', { ...this.sheet, source: regionOf(source), target: regionOf(target), series }),
    );
  }

  /** Ctrl+D and Ctrl+R, in every range by itself. */
  fillFromEdge(axis: Dimension): void {
    const ranges = this.session.selection.get().others.length === 0 ? [this.range] : this.all;
    const inputs = ranges
      .flatMap((range) => fillingFromEdge(range, axis) ?? [])
      .map(({ source, target }) => ({
        ...this.sheet,
        source: regionOf(source),
        target: regionOf(target),
        series: false,
      }));
    this.run(() => this.each('copy_range', inputs));
  }

  /** Remembers what was copied, so that pasting here takes formulas and styles along. */
  remember(text: string, cut: boolean): void {
    this.grid.copied = { tab: this.session.current.get(), range: copiedRange(this.grid, this.range), cut, text };
    this.grid.draw();
  }

  forgetCopied(): void {
    if (!this.grid.copied) return;
    this.grid.copied = undefined;
    this.grid.draw();
  }

  paste(data: DataTransfer, what: 'all' | 'values' = 'all'): void {
    const { copied } = this.grid;
    const plain = data.getData('text/plain');
    if (copied && sameText(copied.text, plain)) {
      this.pasteCopied(what);
      return;
    }
    const rows = readPasted(data);
    if (rows) this.pasteRows(rows);
  }

  /** What was copied in this page: formulas, styles, merges and links come along. */
  pasteCopied(what: 'all' | 'values' | 'formats'): void {
    const { copied } = this.grid;
    if (!copied) return;
    const before = this.session.selection.get();
    const targets = rangesOf(before);
    if (copied.cut && targets.length > 1) {
      this.fail(new Error(textIn(language.get())('pasteCutSeveral')));
      return;
    }
    const input = {
      sheet_id: copied.tab,
      source: regionOf(copied.range),
      target_sheet_id: this.session.current.get(),
      what,
      move: copied.cut,
    };
    const inOrder = copied.tab === input.target_sheet_id ? pastingOrder(copied.range, targets) : targets;
    this.run(async () => {
      await this.each(
        'copy_range',
        inOrder.map((target) => ({ ...input, target: regionOf(fitted(copied.range, target)) })),
      );
      this.selectAfter(
        before,
        targets.map((target) => sized(copied.range, target)),
      );
      if (copied.cut) this.forgetCopied();
    });
  }

  /** What other programs copied, into every range. */
  pasteRows(given: readonly (readonly string[])[]): void {
    const blocks = rangesOf(this.session.selection.get()).map((range) => ({
      row: range.top,
      col: range.left,
      rows: repeated(given, range),
    }));
    if (blocks.reduce((sum, { rows }) => sum + rows.length * (rows[0]?.length ?? 0), 0) > mostCopied) {
      this.fail(new Error(textIn(language.get())('tooMuchToCopy', { count: mostCopied.toLocaleString() })));
      return;
    }
    const tab = this.session.current.get();
    this.run(async () => {
      this.selectRanges(
        blocks.map(({ row, col, rows }) => ({
          top: row,
          left: col,
          bottom: row + rows.length - 1,
          right: col + Math.max(1, ...rows.map((line) => line.length)) - 1,
        })),
      );
      const [first, ...others] = blocks;
      if (others.length === 0) await this.enter(tab, first!.row, first!.col, first!.rows);
      else
        await this.each(
          'enter_cells',
          blocks.map(({ row, col, rows }) => ({ sheet_id: tab, start_row: row, start_col: col, rows })),
        );
    });
  }

  // Rows and columns

  /** Beside which rows or columns others are inserted. Whole columns among rows do not say where. */
  insertRuns(axis: Dimension): Run[] {
    const { range, others } = this.session.selection.get();
    const { rows, cols } = this.grid.model;
    const isWhole = (one: CellRange): boolean =>
      axis === 'row' ? one.top === 0 && one.bottom >= rows.count - 1 : one.left === 0 && one.right >= cols.count - 1;
    return runsOf([...others.filter((one) => !isWhole(one)), range], axis, false);
  }

  /** As many rows or columns beside each range as it has. */
  insert(axis: Dimension, after: boolean): void {
    const before = this.session.selection.get();
    const runs = this.insertRuns(axis);
    const direction = after ? ('after' as const) : ('before' as const);
    // The last first: those before it keep their numbers.
    const inputs = runs.toReversed().map(({ index, count }) => ({
      ...this.sheet,
      dimension_type: axis,
      index: after ? index + count - 1 : index,
      count,
      direction,
    }));
    this.run(async () => {
      await this.each('insert_dimension', inputs);
      if (runs.length > 1)
        this.selectAfter(
          before,
          insertedRuns(runs, after).map(({ index, count }) =>
            axis === 'row'
              ? { ...before.range, top: index, bottom: index + count - 1 }
              : { ...before.range, left: index, right: index + count - 1 },
          ),
        );
    });
  }

  remove(axis: Dimension): void {
    const inputs = this.runs(axis).map(({ index, count }) => ({ ...this.sheet, dimension_type: axis, index, count }));
    // Here too the last first.
    this.run(() => this.each('delete_dimension', inputs.toReversed()));
  }

  /** The rows or columns of all that is selected, as far as the sheet goes. */
  runs(axis: Dimension): Run[] {
    const { size } = this.grid.model;
    const present = rangesOf(this.session.selection.get()).map((one) => ({
      ...one,
      bottom: Math.max(one.top, Math.min(one.bottom, size.rows - 1)),
      right: Math.max(one.left, Math.min(one.right, size.cols - 1)),
    }));
    return runsOf(present, axis, true);
  }

  /** Rows or columns come to stand before another one. */
  move(axis: Dimension, index: number, count: number, to: number): void {
    if (to >= index && to <= index + count) return;
    const before = this.session.selection.get();
    this.run(async () => {
      await this.session.write('move_dimension', { ...this.sheet, dimension_type: axis, index, count, to });
      const first = to > index ? to - count : to;
      const { range } = before;
      this.selectAfter(before, [
        axis === 'row'
          ? { ...range, top: first, bottom: first + count - 1 }
          : { ...range, left: first, right: first + count - 1 },
      ]);
    });
  }

  resize(axis: Dimension, first: number, last: number, pixels: number): void {
    const size =
      axis === 'row'
        ? Math.min(409, Math.max(4, Math.round(pixels * 0.75 * 4) / 4))
        : Math.min(2000, Math.max(10, Math.round(pixels)));
    const { model } = this.grid;
    this.run(async () => {
      model.expectSize(axis, first, last, axis === 'row' ? size / 0.75 : size);
      try {
        await this.session.write('set_dimension_size', {
          ...this.sheet,
          dimensions: [{ dimension_type: axis, start_index: first, end_index: last, size }],
        });
      } catch (error) {
        model.refresh();
        throw error;
      }
    });
  }

  setVisible(axis: Dimension, visible: boolean): void {
    if (!visible && this.session.selection.get().others.length > 0) {
      const calls = this.runs(axis).map(({ index, count }) => ({
        tool: 'set_dimension_visible',
        arguments: { ...this.sheet, dimension_type: axis, index, count, visible },
      }));
      this.run(() => this.session.write('batch', { calls }));
      return;
    }
    const { top, left, bottom, right } = this.present;
    // What is hidden between is shown too, and what is hidden just beside it.
    const first = axis === 'row' ? top : left;
    const last = axis === 'row' ? bottom : right;
    const along = axis === 'row' ? this.grid.model.rows : this.grid.model.cols;
    const size = axis === 'row' ? this.grid.model.size.rows : this.grid.model.size.cols;
    const from = visible ? (along.nextShown(first - 1, -1) ?? -1) + 1 : first;
    const to = visible ? Math.min(size, along.nextShown(last + 1, 1) ?? size) - 1 : last;
    this.run(() =>
      this.session.write('set_dimension_visible', {
        ...this.sheet,
        dimension_type: axis,
        index: from,
        count: to - from + 1,
        visible,
      }),
    );
  }

  freeze(rows: number, cols: number): void {
    this.run(() =>
      rows === 0 && cols === 0
        ? this.session.write('unset_freeze', this.sheet)
        : this.session.write('set_freeze', { ...this.sheet, row_count: rows, col_count: cols }),
    );
  }
}

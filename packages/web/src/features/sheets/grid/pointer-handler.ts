import {
  singleCellRange,
  rangeContains,
  rangeBetween,
  unionRange,
  type Cell,
  type CellRange,
} from '../cell-geometry.ts';
import { spanOf, type AxisName } from '../multi-range.ts';
import { selectAll, selectLines } from '../selection-ranges.ts';
import type { GridCommands } from '../grid-commands.ts';
import { columnHeaderHeight } from './viewport.ts';
import { handleSize } from './paint-grid.ts';
import type { Grid } from './grid.ts';
import { cssFont, lineHeightOf } from './font-metrics.ts';
import { breakLines } from './text-measurement.ts';
import type { EditController } from './edit-controller.ts';

interface PointerContext {
  readonly grid: Grid;
  readonly commands: GridCommands;
  readonly typing: EditController;
  readonly openLink: (url: string) => void;
}

type HitTarget =
  | { readonly kind: 'corner' | 'handle' }
  | { readonly kind: 'edge'; readonly axis: AxisName; readonly index: number }
  | { readonly kind: 'header'; readonly axis: AxisName; readonly index: number }
  | { readonly kind: 'cell'; readonly cell: Cell };

const near = 4;

/** Returns the part of the grid at a pixel: corner, heading, resize edge, fill handle or cell. */
export function hitTest(grid: Grid, x: number, y: number): HitTarget {
  const { viewport, model, session } = grid;
  if (x < viewport.left && y < columnHeaderHeight) return { kind: 'corner' };
  const writable = session.mayWrite;
  if (y < columnHeaderHeight || x < viewport.left) {
    const axis: AxisName = y < columnHeaderHeight ? 'col' : 'row';
    const lines = model.axis(axis);
    const at = axis === 'col' ? x : y;
    const index = axis === 'col' ? viewport.colAt(x) : viewport.rowAt(y);
    const start = viewport.start(axis, index);
    if (writable) {
      if (start + lines.size(index) - at <= near) return { kind: 'edge', axis, index };
      const before = lines.nextShown(index - 1, -1);
      if (at - start < near && before !== undefined) return { kind: 'edge', axis, index: before };
    }
    return { kind: 'header', axis, index };
  }
  if (writable && !grid.editing.state.get()) {
    const rect = viewport.rectOf(session.selection.get().range);
    if (
      Math.abs(x - rect.x - rect.width) <= handleSize / 2 + 1 &&
      Math.abs(y - rect.y - rect.height) <= handleSize / 2 + 1
    )
      return { kind: 'handle' };
  }
  return { kind: 'cell', cell: { row: viewport.rowAt(y), col: viewport.colAt(x) } };
}

export function cursorAt(grid: Grid, x: number, y: number): string {
  const place = hitTest(grid, x, y);
  if (place.kind === 'edge') return place.axis === 'col' ? 'col-resize' : 'row-resize';
  if (place.kind === 'handle') return 'crosshair';
  if (place.kind === 'header') return isWholeLineSelected(grid, place) && grid.session.mayWrite ? 'grab' : 'default';
  return place.kind === 'corner' ? 'default' : 'cell';
}

/** Returns whether a row or column heading belongs to a selection of whole rows or columns. */
function isWholeLineSelected(grid: Grid, { axis, index }: { axis: AxisName; index: number }): boolean {
  const { range } = grid.session.selection.get();
  const across: AxisName = axis === 'row' ? 'col' : 'row';
  const [first, last] = spanOf(range, axis);
  const [start, end] = spanOf(range, across);
  return (
    start === 0 &&
    end >= grid.model.axis(across).count - 1 &&
    index >= first &&
    index <= last &&
    last < grid.model.axis(axis).count - 1
  );
}

interface Drag {
  move(x: number, y: number): void;
  end(): void;
}

export class PointerHandler {
  readonly #tools: PointerContext;
  #drag: Drag | undefined;
  #at = { x: 0, y: 0 };
  #scrolling: ReturnType<typeof setInterval> | undefined;

  constructor(tools: PointerContext) {
    this.#tools = tools;
  }

  get isDragging(): boolean {
    return this.#drag !== undefined;
  }

  /** Handles a pointer press at a pixel. Returns whether the caller should capture the pointer until its release. */
  down(x: number, y: number, event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): boolean {
    const { grid, commands, typing } = this.#tools;
    const place = hitTest(grid, x, y);
    this.#at = { x, y };
    if (place.kind === 'cell' && typing.isEditing && grid.editing.canPoint) {
      this.#drag = this.#pointing(place.cell, event.shiftKey);
      return true;
    }
    if (typing.isEditing) typing.commit();
    const adds = event.ctrlKey || event.metaKey;
    switch (place.kind) {
      case 'corner':
        selectAll(commands.grid);
        break;
      case 'edge':
        this.#drag = this.#resizing(place.axis, place.index);
        break;
      case 'header':
        this.#drag =
          !event.shiftKey && !adds && isWholeLineSelected(grid, place) && grid.session.mayWrite
            ? this.#moving(place.axis, place.index)
            : this.#selectingWhole(place.axis, place.index, event.shiftKey, adds);
        break;
      case 'handle':
        this.#drag = this.#filling();
        break;
      case 'cell':
        if (adds) {
          const { link } = grid.model.cell(place.cell.row, place.cell.col);
          if (link !== undefined) {
            this.#tools.openLink(link);
            return false;
          }
        }
        if (event.shiftKey) grid.extendTo(place.cell, false);
        else if (adds) grid.addCell(place.cell);
        else grid.selectCell(place.cell, false);
        this.#drag = { move: (px, py) => grid.extendTo(this.#cellNear(px, py), false), end: () => undefined };
        break;
    }
    return this.#drag !== undefined;
  }

  move(x: number, y: number): void {
    if (!this.#drag) return;
    this.#at = { x, y };
    this.#drag.move(x, y);
    this.#scrollAtEdges();
  }

  up(): void {
    clearInterval(this.#scrolling);
    this.#scrolling = undefined;
    const drag = this.#drag;
    this.#drag = undefined;
    drag?.end();
  }

  double(x: number, y: number): void {
    const { grid, typing } = this.#tools;
    const place = hitTest(grid, x, y);
    if (place.kind === 'edge') this.#fit(place.axis, place.index);
    else if (place.kind === 'cell' && !typing.isEditing) typing.begin();
    else if (place.kind === 'handle') this.#fillDown();
  }

  #cellNear(x: number, y: number): Cell {
    const { viewport } = this.#tools.grid;
    return {
      row: viewport.rowAt(Math.max(viewport.top, Math.min(viewport.height - 1, y))),
      col: viewport.colAt(Math.max(viewport.left, Math.min(viewport.width - 1, x))),
    };
  }

  /**
   * While the pointer is dragged beyond the edge of the grid's scrolling area, scrolls repeatedly in that direction.
   */
  #scrollAtEdges(): void {
    const { grid } = this.#tools;
    const body = grid.paneRect('body');
    const past = (at: number, from: number, to: number): number => (at < from ? at - from : at > to ? at - to : 0);
    const speed = (): { x: number; y: number } => ({
      x: past(this.#at.x, grid.model.frozenCols > 0 ? -Infinity : body.x, body.x + body.width),
      y: past(this.#at.y, grid.model.frozenRows > 0 ? -Infinity : body.y, body.y + body.height),
    });
    const { x, y } = speed();
    if (x === 0 && y === 0) {
      clearInterval(this.#scrolling);
      this.#scrolling = undefined;
      return;
    }
    this.#scrolling ??= setInterval(() => {
      const now = speed();
      grid.scrollBy(now.x * 0.6, now.y * 0.6);
      this.#drag?.move(this.#at.x, this.#at.y);
    }, 30);
  }

  #pointing(cell: Cell, extend: boolean): Drag {
    const { grid, typing } = this.#tools;
    const { editing, session } = grid;
    const edit = editing.state.get()!;
    const sheet = session.current.get() === edit.tab ? undefined : session.tab.name;
    const anchor = extend && edit.pointing ? edit.pointing.anchor : cell;
    const put = (to: Cell): void => {
      const merge = grid.model.mergeAt(anchor.row, anchor.col);
      editing.point(
        merge && to === anchor ? singleCellRange(merge.top, merge.left) : rangeBetween(anchor, to),
        anchor,
        sheet,
      );
      typing.completion.close();
      typing.takeFocus();
    };
    put(cell);
    return { move: (x, y) => put(this.#cellNear(x, y)), end: () => typing.takeFocus() };
  }

  #selectingWhole(axis: AxisName, index: number, extend: boolean, adds: boolean): Drag {
    const { grid } = this.#tools;
    const { active, range, others: before } = grid.session.selection.get();
    const others = adds ? [...before, range] : [];
    const from = extend ? (axis === 'row' ? active.row : active.col) : index;
    const select = (to: number): void => selectLines(grid, axis, from, to, undefined, others);
    select(index);
    return {
      move: (x, y) => {
        const cell = this.#cellNear(x, y);
        select(axis === 'row' ? cell.row : cell.col);
      },
      end: () => undefined,
    };
  }

  #resizing(axis: AxisName, index: number): Drag {
    const { grid, commands } = this.#tools;
    const start = grid.viewport.start(axis, index);
    const size = grid.model.axis(axis).size(index);
    const least = 8;
    // Distance between the pointer and the dragged edge. It stays constant during the drag.
    const held = start + size - (axis === 'col' ? this.#at.x : this.#at.y);
    let end: number | undefined;
    const { range } = grid.session.selection.get();
    const wholly = isWholeLineSelected(grid, { axis, index });
    return {
      move: (x, y) => {
        end = Math.max(start + least, (axis === 'col' ? x : y) + held);
        grid.guide = { axis, at: end };
        grid.draw();
      },
      end: () => {
        grid.guide = undefined;
        grid.draw();
        if (end === undefined) return;
        const pixels = end - start;
        if (Math.abs(pixels - size) < 1) return;
        const [first, last] = wholly ? spanOf(range, axis) : [index, index];
        commands.resize(axis, first, last, pixels);
      },
    };
  }

  #moving(axis: AxisName, index: number): Drag {
    const { grid, commands } = this.#tools;
    const { viewport, model } = grid;
    const { range } = grid.session.selection.get();
    let to: number | undefined;
    return {
      move: (x, y) => {
        const cell = this.#cellNear(x, y);
        const at = axis === 'col' ? cell.col : cell.row;
        const start = viewport.start(axis, at);
        const size = model.axis(axis).size(at);
        const after = (axis === 'col' ? x : y) > start + size / 2;
        to = at + (after ? 1 : 0);
        grid.guide = { axis, at: start + (after ? size : 0) };
        grid.draw();
      },
      end: () => {
        grid.guide = undefined;
        grid.draw();
        const [first, last] = spanOf(range, axis);
        // If the pointer did not drag the headings to another position, select only the clicked row or column.
        if (to === undefined || (to >= first && to <= last + 1)) selectLines(grid, axis, index, index);
        else commands.move(axis, first, last - first + 1, to);
      },
    };
  }

  #filling(): Drag {
    const { grid, commands } = this.#tools;
    const source = grid.session.selection.get().range;
    let target: CellRange | undefined;
    return {
      move: (x, y) => {
        target = fillTarget(source, this.#cellNear(x, y));
        grid.filling = target && unionRange(source, target);
        grid.draw();
      },
      end: () => {
        grid.filling = undefined;
        grid.draw();
        if (!target) return;
        const whole = unionRange(source, target);
        commands.fill(source, target, true);
        grid.session.select(whole, grid.session.selection.get().active);
      },
    };
  }

  /**
   * Fills the selection down to the end of the data in the adjacent column. Used for a double click on the fill handle.
   */
  #fillDown(): void {
    const { grid, commands } = this.#tools;
    const source = grid.session.selection.get().range;
    const beside =
      source.left > 0 && grid.model.text(source.bottom + 1, source.left - 1) ? source.left - 1 : source.right + 1;
    if (!grid.model.text(source.bottom + 1, beside)) return;
    const tab = grid.session.current.get();
    commands.run(async () => {
      const { row } = await grid.session.read('find_edge', {
        sheet_id: tab,
        row: source.bottom + 1,
        col: beside,
        direction: 'down',
      });
      const filled = grid.model.text(source.bottom + 2, beside) ? row : source.bottom + 1;
      commands.fill(source, { ...source, top: source.bottom + 1, bottom: filled }, true);
      grid.session.select({ ...source, bottom: filled });
    });
  }

  #fit(axis: AxisName, index: number): void {
    const { grid, commands } = this.#tools;
    const { model, viewport, theme } = grid;
    const context = document.createElement('canvas').getContext('2d')!;
    const { visible } = viewport;
    let most = 0;
    if (axis === 'col') {
      for (let row = 0; row < model.frozenRows + visible.bottom - visible.top + 400; row++) {
        const at = row < model.frozenRows ? row : visible.top - 200 + row - model.frozenRows;
        const text = at < 0 ? undefined : model.text(at, index);
        if (text === undefined || text === '' || model.mergeAt(at, index)) continue;
        context.font = cssFont(model.cell(at, index).look, theme.family);
        for (const line of text.split('\n')) most = Math.max(most, context.measureText(line).width + 16);
      }
      commands.resize('col', index, index, most === 0 ? model.cols.standard : Math.min(600, Math.max(32, most)));
      return;
    }
    for (let col = 0; col < model.cols.count; col++) {
      const text = model.text(index, col);
      if (text === undefined || text === '' || model.mergeAt(index, col)) continue;
      const { look } = model.cell(index, col);
      context.font = cssFont(look, theme.family);
      const lines = look.wrapText
        ? breakLines(context, context.font, text, model.cols.size(col) - 12)
        : text.split('\n');
      most = Math.max(most, lines.length * lineHeightOf(look) + 6);
    }
    commands.resize('row', index, index, Math.max(model.rows.standard, most));
  }
}

/**
 * Returns the range to fill when the fill handle is dragged to a cell. Fills along the axis with the greater distance.
 * Returns undefined if the cell is within the source range.
 */
function fillTarget(source: CellRange, to: Cell): CellRange | undefined {
  if (rangeContains(source, to.row, to.col)) return undefined;
  const down = to.row > source.bottom ? to.row - source.bottom : to.row < source.top ? to.row - source.top : 0;
  const right = to.col > source.right ? to.col - source.right : to.col < source.left ? to.col - source.left : 0;
  if (Math.abs(down) >= Math.abs(right))
    return down > 0
      ? { ...source, top: source.bottom + 1, bottom: to.row }
      : { ...source, top: to.row, bottom: source.top - 1 };
  return right > 0
    ? { ...source, left: source.right + 1, right: to.col }
    : { ...source, left: to.col, right: source.left - 1 };
}

import { maxCols, maxRows } from '@sheaf/engine/grid-size';
import {
  rangeContains,
  rangesEqual,
  rangesIntersect,
  parseRange,
  unionRange,
  type CellRange,
} from '../cell-geometry.ts';
import type { AxisName } from '../multi-range.ts';
import type { SheetSession, ToolOutput } from '../sheet-session.ts';
import type { TypedCell } from '../pending-calls.ts';
import { Axis, type SizeRun } from './axis.ts';
import { OptimisticCells, provisionalText } from './optimistic-cells.ts';
import { pixelsPerPoint } from './font-metrics.ts';
import { TileCache, valueKinds, defaultStyle, tileCols, tileRows, type CellStyle, type TextRun } from './tile-cache.ts';

export const standardWidth = 100;
export const standardHeight = 20 * pixelsPerPoint;
/** Number of empty rows and columns shown after the end of the sub-sheet. Writing into them enlarges the sub-sheet. */
const spareRows = 100;
const spareCols = 6;
const maxAtOnce = 2;
/**
 * Maximum number of tiles (blocks of cells that are loaded together) per request, because `get_view` returns at most
 * 20,000 cells.
 */
const maxTilesTogether = 4;

type Layout = NonNullable<ToolOutput<'get_view'>['layout']>;

interface ShownCell {
  readonly text: string;
  readonly kind: number;
  /** The text that is displayed when editing starts, such as the formula. */
  readonly input: string;
  readonly look: CellStyle;
  readonly link: string | undefined;
  /** Text color set by the number format, such as [Red]. */
  readonly color: string | undefined;
  readonly rich: readonly TextRun[] | undefined;
}

interface Wanted {
  readonly tileTop: number;
  readonly tileLeft: number;
  readonly down: number;
  readonly right: number;
}

/**
 * Loaded state of one sub-sheet: its layout and the cells around the visible area. Reports changes through a callback.
 */
export class GridModel {
  readonly sheetId: string;
  rows = new Axis(200 + spareRows, standardHeight);
  cols = new Axis(26 + spareCols, standardWidth);
  /** Number of rows and columns that exist on the server, without the empty rows and columns shown after the end. */
  size = { rows: 200, cols: 26 };
  frozenRows = 0;
  frozenCols = 0;
  used: CellRange | undefined;
  /** Rows that filters hide, as runs in ascending order. */
  filteredRows: readonly (readonly number[])[] = [];
  ready = false;
  readonly tiles = new TileCache();
  readonly #session: SheetSession;
  readonly #changed: (layout: boolean) => void;
  readonly #failed: (error: unknown) => void;
  /**
   * Incremented at every change of the document. Cells of an earlier generation stay visible until they are reloaded.
   */
  #generation = 1;
  #layoutGeneration = 0;
  #asking = new Map<string, AbortController>();
  #visible: CellRange | undefined;
  #frozen: readonly CellRange[] = [];
  /** The user's edits that the server has not confirmed. They are displayed instead of the server's cells. */
  readonly #expected = new OptimisticCells();
  /**
   * Number of rows and columns that the user's edits need, including edits that the server has not confirmed. The grid
   * always shows some spare rows and columns after them, even while the server is unreachable.
   */
  #typed = { rows: 0, cols: 0 };
  #closed = false;
  #rowSizes: readonly SizeRun[] = [];
  #colSizes: readonly SizeRun[] = [];
  #hiddenRows: readonly SizeRun[] = [];
  #hiddenCols: readonly SizeRun[] = [];

  constructor(
    session: SheetSession,
    sheetId: string,
    changed: (layout: boolean) => void,
    failed: (error: unknown) => void,
  ) {
    this.#session = session;
    this.sheetId = sheetId;
    this.#changed = changed;
    this.#failed = failed;
  }

  close(): void {
    this.#closed = true;
    for (const asking of this.#asking.values()) asking.abort();
  }

  /**
   * Marks all tiles (blocks of cells) as outdated after a change of the document. Reloads the layout and the visible
   * tiles; the other tiles are reloaded when they become visible.
   */
  refresh(): void {
    this.#generation++;
    // Leave requests in progress running. If every change aborted them, no request would complete while changes are
    // frequent.
    this.#ask();
  }

  /** Sets the visible area and loads its missing or outdated tiles (blocks of cells). */
  setVisible(visible: CellRange, frozen: readonly CellRange[]): void {
    this.#visible = visible;
    this.#frozen = frozen;
    this.#ask();
  }

  axis(name: AxisName): Axis {
    return name === 'row' ? this.rows : this.cols;
  }

  cell(row: number, col: number): ShownCell {
    const typed = this.#expected.at(row, col);
    const found = this.tiles.at(row, col);
    const text = typed === undefined ? (found?.tile.texts[found.index] ?? '') : provisionalText(typed, this.isOffline);
    return {
      text,
      kind: typed === undefined && found ? found.tile.kinds[found.index]! : valueKinds.text,
      input: typed ?? found?.tile.inputs.get(found.index) ?? text,
      look: found ? this.tiles.looks[found.tile.looks[found.index]!]! : defaultStyle,
      link: found?.tile.links.get(found.index),
      color: typed === undefined ? found?.tile.colors.get(found.index) : undefined,
      rich: typed === undefined ? found?.tile.rich.get(found.index) : undefined,
    };
  }

  /** True if the server is unreachable; edits are then queued in the browser. */
  get isOffline(): boolean {
    return this.#session.outbox.state.get().kind === 'away';
  }

  /** Returns whether the cell has an edit that is queued because the server is unreachable. */
  isUnconfirmed(row: number, col: number): boolean {
    return !this.#expected.isEmpty && this.isOffline && this.#expected.isUnconfirmed(row, col);
  }

  isLoaded(row: number, col: number): boolean {
    return this.tiles.at(row, col) !== undefined;
  }

  /**
   * Returns whether the cell is loaded and up to date. Visible cells count as up to date as soon as they are loaded.
   */
  isCurrent(row: number, col: number): boolean {
    const found = this.tiles.at(row, col);
    if (!found) return false;
    return (
      found.tile.generation === this.#generation || (this.#visible && rangeContains(this.#visible, row, col)) === true
    );
  }

  text(row: number, col: number): string | undefined {
    const typed = this.#expected.isEmpty ? undefined : this.#expected.at(row, col);
    return typed === undefined ? this.tiles.text(row, col) : provisionalText(typed, this.isOffline);
  }

  /**
   * Returns the range of the merged cell that contains a cell. Returns undefined if the cell is not merged or not
   * loaded.
   */
  mergeAt(row: number, col: number): CellRange | undefined {
    return this.tiles.at(row, col)?.tile.merges.find((one) => rangeContains(one, row, col));
  }

  mergesIn(range: CellRange): CellRange[] {
    const found = new Map<number, CellRange>();
    for (const tile of this.tiles.all()) {
      for (const merge of tile.merges)
        if (rangesIntersect(merge, range)) found.set(merge.top * maxCols + merge.left, merge);
    }
    return [...found.values()];
  }

  /** Enlarges the range until it contains every merged cell that it touches. */
  expandToMerges(range: CellRange): CellRange {
    let grown = range;
    for (let again = true; again;) {
      again = false;
      for (const merge of this.mergesIn(grown)) {
        const next = unionRange(grown, merge);
        again ||= !rangesEqual(next, grown);
        grown = next;
      }
    }
    return grown;
  }

  /**
   * Displays the cells of an edit before the server confirms it. They are replaced when the changed cells are loaded
   * from the server.
   */
  addOptimistic(edit: string, cells: readonly TypedCell[]): void {
    const here = cells.filter((one) => one.sheetId === this.sheetId);
    this.#expected.add(edit, here);
    this.#changed(this.#grow(here));
  }

  /** Adds spare rows and columns after edits near the end of the sheet. Returns whether the size changed. */
  #grow(cells: readonly TypedCell[]): boolean {
    for (const { row, col } of cells) {
      this.#typed.rows = Math.max(this.#typed.rows, row + 1);
      this.#typed.cols = Math.max(this.#typed.cols, col + 1);
    }
    const isRoomy = (axis: Axis, typed: number, spare: number, max: number): boolean =>
      axis.count >= Math.min(max, typed + Math.ceil(spare / 2));
    if (
      isRoomy(this.rows, this.#typed.rows, spareRows, maxRows) &&
      isRoomy(this.cols, this.#typed.cols, spareCols, maxCols)
    )
      return false;
    this.#makeAxes();
    return true;
  }

  #makeAxes(): void {
    const goesOn = this.#session.truncatedAxes(this.sheetId);
    const rows = Math.min(maxRows, Math.max(this.size.rows, this.#typed.rows) + (goesOn.rows ? 0 : spareRows));
    const cols = Math.min(maxCols, Math.max(this.size.cols, this.#typed.cols) + (goesOn.cols ? 0 : spareCols));
    this.rows = new Axis(rows, standardHeight, this.#rowSizes, this.#hiddenRows);
    this.cols = new Axis(cols, standardWidth, this.#colSizes, this.#hiddenCols);
  }

  /** Marks an edit as confirmed by the server. Its cells stay visible until newer cells are loaded. */
  confirmOptimistic(edit: string): void {
    this.#expected.confirm(edit, this.#generation);
  }

  /** Removes a discarded edit, so that the server's cells are visible again. */
  dropOptimistic(edit: string): void {
    this.#expected.drop(edit);
    this.#changed(false);
  }

  #ask(): void {
    if (this.#closed || !this.#visible) return;
    const wanted = this.#missing();
    // Abort requests for tiles (blocks of cells) that are not visible anymore.
    const names = new Set(wanted.map(nameOf));
    for (const [name, asking] of this.#asking) {
      if (!names.has(name)) {
        asking.abort();
        this.#asking.delete(name);
      }
    }
    for (const one of wanted) {
      if (this.#asking.size >= maxAtOnce) return;
      if (!this.#asking.has(nameOf(one))) void this.#fetch(one);
    }
  }

  #missing(): Wanted[] {
    const found: Wanted[] = [];
    const layoutDue = this.#layoutGeneration < this.#generation;
    for (const range of [this.#visible!, ...this.#frozen]) {
      const left = Math.floor(range.left / tileCols);
      const right = Math.floor(range.right / tileCols);
      let row = this.rows.nextShown(range.top, 1);
      for (
        ;
        row !== undefined && row <= range.bottom;
        row = this.rows.nextShown((Math.floor(row / tileRows) + 1) * tileRows, 1)
      ) {
        const r = Math.floor(row / tileRows);
        for (let c = left; c <= right; c += maxTilesTogether) {
          const end = Math.min(right, c + maxTilesTogether - 1);
          let stale = false;
          for (let i = c; i <= end; i++)
            if ((this.tiles.touch(TileCache.key(r, i))?.generation ?? 0) < this.#generation) stale = true;
          if (stale) found.push({ tileTop: r, tileLeft: c, down: 1, right: end - c + 1 });
        }
      }
    }
    if (found.length === 0 && layoutDue)
      found.push({
        tileTop: Math.floor(this.#visible!.top / tileRows),
        tileLeft: Math.floor(this.#visible!.left / tileCols),
        down: 1,
        right: 1,
      });
    return found;
  }

  async #fetch(wanted: Wanted): Promise<void> {
    const name = nameOf(wanted);
    const asking = new AbortController();
    this.#asking.set(name, asking);
    const generation = this.#generation;
    const layout = this.#layoutGeneration < generation;
    try {
      const answer = await this.#session.read(
        'get_view',
        {
          sheet_id: this.sheetId,
          start_row: wanted.tileTop * tileRows,
          start_col: wanted.tileLeft * tileCols,
          end_row: Math.min(maxRows, (wanted.tileTop + wanted.down) * tileRows) - 1,
          end_col: Math.min(maxCols, (wanted.tileLeft + wanted.right) * tileCols) - 1,
          layout,
        },
        asking.signal,
        generation > 1,
      );
      if (this.#closed || asking.signal.aborted) return;
      this.tiles.take(wanted.tileTop, wanted.tileLeft, wanted.down, wanted.right, answer, generation);
      this.#expected.onLoaded(generation);
      if (answer.layout) {
        this.#layoutGeneration = Math.max(this.#layoutGeneration, generation);
        this.filteredRows = answer.filtered_rows ?? [];
        this.#takeLayout(answer.layout);
      }
      this.#changed(answer.layout !== undefined);
    } catch (error) {
      if (!asking.signal.aborted && !this.#closed) this.#failed(error);
      return;
    } finally {
      if (this.#asking.get(name) === asking) this.#asking.delete(name);
    }
    this.#ask();
  }

  /** Displays a new row height or column width before the server confirms it. The next loaded layout replaces it. */
  setOptimisticSize(axis: AxisName, first: number, last: number, pixels: number): void {
    if (axis === 'row') {
      this.#rowSizes = withRun(this.#rowSizes, first, last, pixels);
      this.rows = new Axis(this.rows.count, standardHeight, this.#rowSizes, this.#hiddenRows);
    } else {
      this.#colSizes = withRun(this.#colSizes, first, last, pixels);
      this.cols = new Axis(this.cols.count, standardWidth, this.#colSizes, this.#hiddenCols);
    }
    this.#changed(true);
  }

  #takeLayout(layout: Layout): void {
    this.size = { rows: layout.rows, cols: layout.cols };
    this.#rowSizes = rowSizesInPixels(layout);
    this.#colSizes = layout.col_sizes;
    this.#hiddenRows = layout.hidden_rows;
    this.#hiddenCols = layout.hidden_cols;
    this.#makeAxes();
    this.frozenRows = Math.min(layout.frozen_rows, layout.rows);
    this.frozenCols = Math.min(layout.frozen_cols, layout.cols);
    this.used = layout.used === '' ? undefined : parseRange(layout.used);
    this.ready = true;
  }
}

/** Converts the server's row heights from points to pixels. */
export function rowSizesInPixels({ row_sizes: sizes }: Pick<Layout, 'row_sizes'>): SizeRun[] {
  return sizes.map(([first, last, points]) => [first, last, points * pixelsPerPoint]);
}

function nameOf({ tileTop, tileLeft, right }: Wanted): string {
  return `${tileTop},${tileLeft},${right}`;
}

/** Returns `runs` with the new size of the rows or columns from `first` to `last`. */
function withRun(runs: readonly SizeRun[], first: number, last: number, size: number): SizeRun[] {
  const kept: SizeRun[] = [];
  for (const [from, to, value] of runs as readonly [number, number, number][]) {
    if (from < first) kept.push([from, Math.min(to, first - 1), value]);
    if (to > last) kept.push([Math.max(from, last + 1), to, value]);
  }
  kept.push([first, last, size]);
  return kept.sort((a, b) => a[0]! - b[0]!);
}

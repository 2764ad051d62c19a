import { maxCols, maxRows } from '@sheaf/engine/grid-size';
import { inRange, meets, rangeNamed, type CellRange } from '../geometry.ts';
import type { SheetSession, ToolOutput } from '../session.ts';
import type { TypedCell } from '../kept-calls.ts';
import { Axis, type Run } from './axis.ts';
import { ExpectedCells, shownAs } from './expected.ts';
import { pixelsPerPoint } from './fonts.ts';
import { Tiles, kinds, plainLook, tileCols, tileRows, type Look, type Piece } from './tiles.ts';

const standardWidth = 100;
const standardHeight = 20 * pixelsPerPoint;
/** Room to write on past the last row and column: the sheet grows by itself. */
const spareRows = 100;
const spareCols = 6;
const maxAtOnce = 2;
/** get_view reads at most 20,000 cells. */
const maxTilesTogether = 4;

interface ShownCell {
  readonly text: string;
  readonly kind: number;
  /** What editing begins with. */
  readonly input: string;
  readonly look: Look;
  readonly link: string | undefined;
  /** Given by the number format. */
  readonly color: string | undefined;
  readonly rich: readonly Piece[] | undefined;
}

interface Wanted {
  readonly tileTop: number;
  readonly tileLeft: number;
  readonly down: number;
  readonly right: number;
}

/** One sub-sheet as the page knows it: layout, and the cells around what is shown. Says when it has changed. */
export class GridModel {
  readonly sheetId: string;
  rows = new Axis(200 + spareRows, standardHeight);
  cols = new Axis(26 + spareCols, standardWidth);
  /** Rows and columns that the sub-sheet has. */
  size = { rows: 200, cols: 26 };
  frozenRows = 0;
  frozenCols = 0;
  used: CellRange | undefined;
  /** The layout is known. */
  ready = false;
  readonly tiles = new Tiles();
  readonly #session: SheetSession;
  readonly #changed: (layout: boolean) => void;
  readonly #failed: (error: unknown) => void;
  /** Grows with every revision: tiles of an earlier one are shown until they were asked for anew. */
  #generation = 1;
  #layoutGeneration = 0;
  #asking = new Map<string, AbortController>();
  #visible: CellRange | undefined;
  #frozen: readonly CellRange[] = [];
  /** Typed and on its way to the server: shown meanwhile. */
  readonly #expected = new ExpectedCells();
  /** Where the furthest of it ends, so that there is always a next row to go on in, also while the server is away. */
  #typed = { rows: 0, cols: 0 };
  #closed = false;
  #rowSizes: readonly Run[] = [];
  #colSizes: readonly Run[] = [];
  #hiddenRows: readonly Run[] = [];
  #hiddenCols: readonly Run[] = [];

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

  /** Something changed: all is asked for again, what is seen first. */
  refresh(): void {
    this.#generation++;
    // What is under way still comes: with a writer that never rests nothing would be seen otherwise.
    this.#ask();
  }

  /** Says what is on the screen; what is missing of it is asked for. */
  look(visible: CellRange, frozen: readonly CellRange[]): void {
    this.#visible = visible;
    this.#frozen = frozen;
    this.#ask();
  }

  cell(row: number, col: number): ShownCell {
    const typed = this.#expected.at(row, col);
    const found = this.tiles.at(row, col);
    const text = typed === undefined ? (found?.tile.texts[found.index] ?? '') : shownAs(typed, this.isAway);
    return {
      text,
      kind: typed === undefined && found ? found.tile.kinds[found.index]! : kinds.text,
      input: typed ?? found?.tile.inputs.get(found.index) ?? text,
      look: found ? this.tiles.looks[found.tile.looks[found.index]!]! : plainLook,
      link: found?.tile.links.get(found.index),
      color: typed === undefined ? found?.tile.colors.get(found.index) : undefined,
      rich: typed === undefined ? found?.tile.rich.get(found.index) : undefined,
    };
  }

  /** The server does not answer: what was typed is kept here. */
  get isAway(): boolean {
    return this.#session.outbox.state.get().kind === 'away';
  }

  /** Typed into the cell while the server does not answer. */
  isKept(row: number, col: number): boolean {
    return !this.#expected.isEmpty && this.isAway && this.#expected.isWaiting(row, col);
  }

  isKnown(row: number, col: number): boolean {
    return this.tiles.at(row, col) !== undefined;
  }

  text(row: number, col: number): string | undefined {
    const typed = this.#expected.isEmpty ? undefined : this.#expected.at(row, col);
    return typed === undefined ? this.tiles.text(row, col) : shownAs(typed, this.isAway);
  }

  /** The merge that holds a cell. */
  mergeAt(row: number, col: number): CellRange | undefined {
    return this.tiles.at(row, col)?.tile.merges.find((one) => inRange(one, row, col));
  }

  mergesIn(range: CellRange): CellRange[] {
    const found = new Map<number, CellRange>();
    for (const tile of this.tiles.all()) {
      for (const merge of tile.merges) if (meets(merge, range)) found.set(merge.top * maxCols + merge.left, merge);
    }
    return [...found.values()];
  }

  /** The range, made larger until it cuts no merge. */
  whole(range: CellRange): CellRange {
    let grown = range;
    for (let again = true; again;) {
      again = false;
      for (const merge of this.mergesIn(grown)) {
        const next = {
          top: Math.min(grown.top, merge.top),
          left: Math.min(grown.left, merge.left),
          bottom: Math.max(grown.bottom, merge.bottom),
          right: Math.max(grown.right, merge.right),
        };
        if (
          next.top !== grown.top ||
          next.left !== grown.left ||
          next.bottom !== grown.bottom ||
          next.right !== grown.right
        ) {
          grown = next;
          again = true;
        }
      }
    }
    return grown;
  }

  /** Shows what an edit types before the server has it: until the cells were read again after it was confirmed. */
  expect(edit: string, cells: readonly TypedCell[]): void {
    const here = cells.filter((one) => one.sheetId === this.sheetId);
    this.#expected.add(edit, here);
    this.#changed(this.#grow(here));
  }

  /** Makes room beyond what is typed near the last row or column. Answers whether there was too little. */
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
    const goesOn = this.#session.goesOn(this.sheetId);
    const rows = Math.min(maxRows, Math.max(this.size.rows, this.#typed.rows) + (goesOn.rows ? 0 : spareRows));
    const cols = Math.min(maxCols, Math.max(this.size.cols, this.#typed.cols) + (goesOn.cols ? 0 : spareCols));
    this.rows = new Axis(rows, standardHeight, this.#rowSizes, this.#hiddenRows);
    this.cols = new Axis(cols, standardWidth, this.#colSizes, this.#hiddenCols);
  }

  /** The server has carried out an edit. */
  confirm(edit: string): void {
    this.#expected.confirm(edit, this.#generation);
  }

  /** An edit will never come about. */
  drop(edit: string): void {
    this.#expected.drop(edit);
    this.#changed(false);
  }

  #ask(): void {
    if (this.#closed || !this.#visible) return;
    const wanted = this.#missing();
    // What is no longer on the screen need not come.
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
            if ((this.tiles.touch(Tiles.key(r, i))?.generation ?? 0) < this.#generation) stale = true;
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
      );
      if (this.#closed || asking.signal.aborted) return;
      this.tiles.take(wanted.tileTop, wanted.tileLeft, wanted.down, wanted.right, answer, generation);
      this.#expected.read(generation);
      if (answer.layout) {
        this.#layoutGeneration = Math.max(this.#layoutGeneration, generation);
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

  /** Shows a new size before the server has it; the next layout says what holds. */
  expectSize(axis: 'row' | 'col', first: number, last: number, pixels: number): void {
    if (axis === 'row') {
      this.#rowSizes = withRun(this.#rowSizes, first, last, pixels);
      this.rows = new Axis(this.rows.count, standardHeight, this.#rowSizes, this.#hiddenRows);
    } else {
      this.#colSizes = withRun(this.#colSizes, first, last, pixels);
      this.cols = new Axis(this.cols.count, standardWidth, this.#colSizes, this.#hiddenCols);
    }
    this.#changed(true);
  }

  #takeLayout(layout: NonNullable<ToolOutput<'get_view'>['layout']>): void {
    this.size = { rows: layout.rows, cols: layout.cols };
    this.#rowSizes = layout.row_sizes.map(([first, last, points]) => [first, last, points * pixelsPerPoint]);
    this.#colSizes = layout.col_sizes;
    this.#hiddenRows = layout.hidden_rows;
    this.#hiddenCols = layout.hidden_cols;
    this.#makeAxes();
    this.frozenRows = Math.min(layout.frozen_rows, layout.rows);
    this.frozenCols = Math.min(layout.frozen_cols, layout.cols);
    this.used = layout.used === '' ? undefined : rangeNamed(layout.used);
    this.ready = true;
  }
}

function nameOf({ tileTop, tileLeft, right }: Wanted): string {
  return `${tileTop},${tileLeft},${right}`;
}

/** Sizes with those of one run replaced. */
function withRun(runs: readonly Run[], first: number, last: number, size: number): Run[] {
  const kept: Run[] = [];
  for (const [from, to, value] of runs as readonly [number, number, number][]) {
    if (from < first) kept.push([from, Math.min(to, first - 1), value]);
    if (to > last) kept.push([Math.max(from, last + 1), to, value]);
  }
  kept.push([first, last, size]);
  return kept.sort((a, b) => a[0]! - b[0]!);
}

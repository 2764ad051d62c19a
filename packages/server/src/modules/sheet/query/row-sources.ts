import { bandRows, type SubSheet } from '@sheaf/engine/internal/document';
import { charge, type Rect } from '@sheaf/engine';

/** Types (`tags`) and values (`nums`) of one column's cells in the block of rows that is being read. */
export interface ColumnBlock {
  tags: Uint8Array;
  nums: Float64Array;
}

/** Cells of one column in a band (a block of rows whose cells are stored together). */
interface TableChunk extends Readonly<ColumnBlock> {
  /** Number of stored rows. The remaining rows of the band are blank. */
  readonly rows: number;
}

/** A block of consecutive rows. The cells of each of its columns are stored together. */
export interface TableBand {
  readonly start: number;
  readonly height: number;
  readonly chunks: readonly (TableChunk | undefined)[];
}

interface TableCells {
  readonly bands: readonly TableBand[];
  bandAt(row: number): TableBand | undefined;
}

/**
 * A table that a query reads: cells of a sub-sheet (a single sheet of the workbook), or the stored result of another
 * query.
 */
export interface QueryTable {
  /** Sub-sheet of the table; undefined for the result of a query. */
  readonly sub: SubSheet | undefined;
  readonly cells: TableCells;
  /** Last row that has cells; -1 if there is none. */
  readonly lastRow: number;
  /** Range of the data rows, without the headings. */
  readonly rect: Rect;
  readonly names: readonly string[];
  /** Number formats of the columns. Set only if the table is the result of a query. */
  readonly patterns?: readonly string[];
  /** Name of the sub-sheet or of the query. */
  readonly name: string;
  readonly alias: string | undefined;
}

/** A table that reads its cells from a sub-sheet. */
export interface SheetTable extends QueryTable {
  readonly sub: SubSheet;
}

export interface ColumnReference {
  readonly table: number;
  readonly col: number;
}

/**
 * Rows of a table or of a join of tables. They are read in blocks: `views` holds the cells of the columns that the
 * query uses, for the current block.
 */
export interface RowSource {
  readonly count: number;
  readonly views: readonly ColumnBlock[];
  /**
   * Calls `visit` for each block. The rows of the block are at the indexes `from` to `to` of each array in `views`.
   * `first` is the number of the block's first row, counted over all blocks. `visit` returns false to stop.
   */
  each(visit: (from: number, to: number, first: number) => boolean | void): void;
  /**
   * Returns the row of the table with index `table` that belongs to the row at index `at` of the current block. Returns
   * -1 if an outer join found no matching row in that table.
   */
  rowAt(table: number, at: number): number;
  /** Loads the block that contains row number `index` into `views`. Returns the row's index in that block. */
  seek(index: number): number;
}

const noTags = new Uint8Array(bandRows);
const noNums = new Float64Array(bandRows);

function emptyBlocks(columns: readonly ColumnReference[]): ColumnBlock[] {
  return columns.map(() => ({ tags: noTags, nums: noNums }));
}

/** Rows of one table, read directly from its columns. */
export class TableScan implements RowSource {
  readonly #table: QueryTable;
  readonly #columns: readonly ColumnReference[];
  readonly views: ColumnBlock[];
  readonly count: number;
  /** Index of the first row of the current block. */
  #start = 0;

  constructor(table: QueryTable, columns: readonly ColumnReference[]) {
    this.#table = table;
    this.#columns = columns;
    this.views = emptyBlocks(columns);
    const { rect, lastRow } = table;
    this.count = Math.max(0, Math.min(rect.bottom, lastRow) - rect.top + 1);
  }

  each(visit: (from: number, to: number, first: number) => boolean | void): void {
    const { top } = this.#table.rect;
    const { cells } = this.#table;
    for (let row = top; row < top + this.count;) {
      const band = cells.bandAt(row);
      // Cells are stored in bands of consecutive rows. If no band contains `row`, all rows up to the next band are
      // blank.
      const start = band ? band.start : row;
      const height = band ? band.height : Math.min(bandRows, nextBand(cells.bands, row) - row);
      const from = row - start;
      const to = Math.min(height, top + this.count - start) - 1;
      charge((to - from + 1) * Math.max(1, this.#columns.length));
      this.#show(band?.chunks, to);
      this.#start = start;
      if (visit(from, to, row - top) === false) return;
      row = start + to + 1;
    }
  }

  seek(index: number): number {
    const row = this.#table.rect.top + index;
    const band = this.#table.cells.bandAt(row);
    this.#start = band ? band.start : row;
    if (!band) {
      this.#show(undefined, 0);
      return 0;
    }
    this.#show(band.chunks, row - band.start);
    return row - band.start;
  }

  rowAt(_table: number, at: number): number {
    return this.#start + at;
  }

  #show(chunks: readonly (TableChunk | undefined)[] | undefined, to: number): void {
    this.#columns.forEach(({ col }, at) => {
      const view = this.views[at]!;
      const chunk = chunks?.[col];
      if (!chunk) {
        view.tags = to < noTags.length ? noTags : new Uint8Array(to + 1);
        view.nums = to < noNums.length ? noNums : new Float64Array(to + 1);
      } else if (chunk.rows > to) {
        view.tags = chunk.tags;
        view.nums = chunk.nums;
      } else {
        view.tags = new Uint8Array(to + 1);
        view.tags.set(chunk.tags);
        view.nums = new Float64Array(to + 1);
        view.nums.set(chunk.nums);
      }
    });
  }
}

function nextBand(bands: readonly { readonly start: number }[], row: number): number {
  return bands.find((one) => one.start > row)?.start ?? Infinity;
}

/**
 * Rows of a join. Each joined row has one row number per table; the number is -1 if an outer join found no matching row
 * in that table.
 */
export class JoinedRowSource implements RowSource {
  readonly #tables: readonly QueryTable[];
  readonly #columns: readonly ColumnReference[];
  readonly #rows: readonly Int32Array[];
  readonly views: ColumnBlock[];
  readonly count: number;
  /** Index of the first joined row in the current block. */
  #first = 0;

  constructor(tables: readonly QueryTable[], columns: readonly ColumnReference[], rows: readonly Int32Array[]) {
    this.#tables = tables;
    this.#columns = columns;
    this.#rows = rows;
    this.count = rows[0]?.length ?? 0;
    this.views = columns.map(() => ({ tags: new Uint8Array(bandRows), nums: new Float64Array(bandRows) }));
  }

  each(visit: (from: number, to: number, first: number) => boolean | void): void {
    for (let first = 0; first < this.count; first += bandRows) {
      const length = Math.min(bandRows, this.count - first);
      this.#gather(first, length);
      if (visit(0, length - 1, first) === false) return;
    }
  }

  seek(index: number): number {
    this.#gather(index, 1);
    return 0;
  }

  rowAt(table: number, at: number): number {
    const row = this.#rows[table]![this.#first + at]!;
    return row < 0 ? -1 : this.#tables[table]!.rect.top + row;
  }

  #gather(first: number, length: number): void {
    this.#first = first;
    charge(length * Math.max(1, this.#columns.length));
    this.#columns.forEach(({ table, col }, at) => {
      const { tags, nums } = this.views[at]!;
      const { cells, rect } = this.#tables[table]!;
      const rows = this.#rows[table]!;
      for (let i = 0; i < length; i++) {
        const row = rows[first + i]!;
        const band = row < 0 ? undefined : cells.bandAt(rect.top + row);
        const index = band ? rect.top + row - band.start : 0;
        const chunk = band?.chunks[col];
        tags[i] = chunk?.tags[index] ?? 0;
        nums[i] = chunk?.nums[index] ?? 0;
      }
    });
  }
}

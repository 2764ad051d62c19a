import type { CellStore } from '../store/cell-store.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { bandRows, logicalTag, numberTag, textTag, type Chunk } from '../store/chunk.ts';
import { CellError, type Scalar } from '../base/values.ts';
import { checkCell, type WorkbookCore } from './workbook-core.ts';

/** Writes a column of values from a cell downwards, replacing formulas. */
export function loadColumn(
  workbook: WorkbookCore,
  sheet: IndexedSheet,
  row: number,
  col: number,
  values: ArrayLike<Scalar>,
): void {
  if (values.length === 0) return;
  checkCell(row, col);
  checkCell(row + values.length - 1, col);
  clearFormulas(workbook, sheet, row, col, row + values.length - 1);
  const { cells } = sheet;
  const numbers = values instanceof Float64Array ? values : undefined;
  for (let at = 0; at < values.length;) {
    const { chunk, index } = cells.chunkFor(row + at, col);
    const band = cells.bandAt(row + at);
    const room = (band?.height ?? bandRows) - index;
    const count = Math.min(room, values.length - at);
    chunk.ensure(index + count - 1, index + count);
    if (numbers) {
      chunk.nums.set(numbers.subarray(at, at + count), index);
      chunk.tags.fill(numberTag, index, index + count);
    } else for (let i = 0; i < count; i++) putValue(workbook, chunk, index + i, values[at + i] ?? null);
    at += count;
  }
  cells.touch(col);
  workbook.changed.add(sheet, col, row, row + values.length - 1);
}

/**
 * A column of input, converted to chunks (blocks of cells) before it is written. The chunks are split where the bands
 * (blocks of rows) of an empty sub-sheet start, so that such a sub-sheet can use them without copying.
 */
export interface StagedColumn {
  readonly chunks: readonly Chunk[];
  /** Flat list of the first and last row of each run of formulas, relative to the first row of the column. */
  readonly formulas: readonly number[];
}

/**
 * Writes a converted column of input to a sub-sheet. Where the column of the sub-sheet has no cells, the input chunks
 * are used without copying.
 */
export function loadStaged(
  workbook: WorkbookCore,
  sheet: IndexedSheet,
  row: number,
  col: number,
  { chunks, formulas }: StagedColumn,
): void {
  const { cells } = sheet;
  let end = row;
  for (const { rows } of chunks) end += rows;
  clearFormulas(workbook, sheet, row, col, end - 1);
  let at = row;
  for (const chunk of chunks) {
    const band = cells.ensureBand(at);
    if (band.start !== at || band.height < chunk.rows || !band.adopt(col, chunk)) copyChunk(cells, at, col, chunk);
    at += chunk.rows;
  }
  cells.touch(col);
  let next = row;
  for (let i = 0; i < formulas.length; i += 2) {
    const top = row + (formulas[i] as number);
    const bottom = row + (formulas[i + 1] as number);
    if (top > next) workbook.changed.add(sheet, col, next, top - 1);
    workbook.graph.touch(sheet, col, top, bottom);
    next = bottom + 1;
  }
  if (next < end) workbook.changed.add(sheet, col, next, end - 1);
}

function copyChunk(cells: CellStore, row: number, col: number, { rows, tags, nums, formulas }: Chunk): void {
  for (let at = 0; at < rows;) {
    const band = cells.ensureBand(row + at);
    const index = row + at - band.start;
    const end = Math.min(at + band.height - index, rows);
    const chunk = band.chunk(col, index + end - at - 1);
    chunk.tags.set(tags.subarray(at, end), index);
    chunk.nums.set(nums.subarray(at, end), index);
    if (formulas) chunk.needFormulas().set(formulas.subarray(at, end), index);
    at = end;
  }
}

/** Writes rows of values to a sub-sheet, starting at a cell. */
export function loadRows(
  workbook: WorkbookCore,
  sheet: IndexedSheet,
  row: number,
  col: number,
  rows: readonly (readonly Scalar[])[],
): void {
  let width = 0;
  for (let r = 0; r < rows.length; r++) width = Math.max(width, rows[r]!.length);
  if (width === 0) return;
  checkCell(row, col);
  checkCell(row + rows.length - 1, col + width - 1);
  const { cells } = sheet;
  for (let c = 0; c < width; c++) clearFormulas(workbook, sheet, row, col + c, row + rows.length - 1);
  for (let at = 0; at < rows.length;) {
    const band = cells.ensureBand(row + at);
    const index = row + at - band.start;
    const count = Math.min(band.height - index, rows.length - at);
    for (let c = 0; c < width; c++) {
      const chunk = band.chunk(col + c, index);
      chunk.ensure(index + count - 1, index + count);
      const { tags, nums } = chunk;
      for (let i = 0; i < count; i++) {
        const value = (rows[at + i] as readonly Scalar[])[c];
        if (typeof value === 'number') {
          tags[index + i] = numberTag;
          nums[index + i] = value;
        } else putValue(workbook, chunk, index + i, value ?? null);
      }
    }
    at += count;
  }
  for (let c = 0; c < width; c++) {
    cells.touch(col + c);
    workbook.changed.add(sheet, col + c, row, row + rows.length - 1);
  }
}

export function putValue(workbook: WorkbookCore, chunk: Chunk, index: number, value: Scalar): void {
  if (typeof value === 'number') {
    chunk.tags[index] = numberTag;
    chunk.nums[index] = value;
  } else if (typeof value === 'string') {
    chunk.tags[index] = textTag;
    chunk.nums[index] = workbook.strings.intern(value);
  } else if (typeof value === 'boolean') {
    chunk.tags[index] = logicalTag;
    chunk.nums[index] = value ? 1 : 0;
  } else {
    chunk.tags[index] = value instanceof CellError ? 4 : 0;
    chunk.nums[index] = value instanceof CellError ? value.code : 0;
  }
}

function clearFormulas(workbook: WorkbookCore, sheet: IndexedSheet, top: number, col: number, bottom: number): void {
  const found: number[] = [];
  sheet.cells.eachPiece(col, top, bottom, (chunk, from, to, start) => {
    const ids = chunk.formulas;
    if (!ids) return;
    for (let i = from; i <= to; i++) if (ids[i] !== 0) found.push(start + i);
  });
  for (const row of found) workbook.setValue(sheet, row, col, null);
}

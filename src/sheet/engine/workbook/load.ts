import type { Sheet } from '../store/sheet.ts';
import { bandRows, logicalTag, numberTag, textTag, type Chunk } from '../store/chunk.ts';
import { CellError, type Scalar } from '../base/values.ts';
import { checkCell, type WorkbookCore } from './workbook.ts';

/** Writes a column of values downwards from a cell. Formulas in the way are replaced. */
export function loadColumn(
  workbook: WorkbookCore,
  sheet: Sheet,
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
    } else for (let i = 0; i < count; i++) putOne(workbook, chunk, index + i, values[at + i] ?? null);
    at += count;
  }
  cells.touch(col);
  workbook.changed.add(sheet, col, row, row + values.length - 1);
}

/** Writes a column of formulas, by the ids of templates read for these very cells, and where the id is 0 of values. */
export function loadMixedColumn(
  workbook: WorkbookCore,
  sheet: Sheet,
  row: number,
  col: number,
  templates: Int32Array,
  valueAt: (index: number) => Scalar,
): void {
  const count = templates.length;
  if (count === 0) return;
  checkCell(row, col);
  checkCell(row + count - 1, col);
  clearFormulas(workbook, sheet, row, col, row + count - 1);
  const { cells } = sheet;
  for (let at = 0; at < count;) {
    const band = cells.needBand(row + at);
    const index = row + at - band.start;
    const end = Math.min(at + band.height - index, count);
    const chunk = band.chunk(col, index + end - at - 1);
    const formulas = chunk.needFormulas();
    for (let i = at; i < end; i++) {
      const id = templates[i] as number;
      if (id === 0) putOne(workbook, chunk, index + i - at, valueAt(i));
      else formulas[index + i - at] = id;
    }
    at = end;
  }
  cells.touch(col);
  for (let at = 0; at < count;) {
    const formulas = templates[at] !== 0;
    let end = at + 1;
    while (end < count && (templates[end] !== 0) === formulas) end++;
    if (formulas) workbook.graph.touch(sheet, col, row + at, row + end - 1);
    else workbook.changed.add(sheet, col, row + at, row + end - 1);
    at = end;
  }
}

/** Writes rows of values, as they come from a file, from a corner to the right and down. */
export function loadRows(
  workbook: WorkbookCore,
  sheet: Sheet,
  row: number,
  col: number,
  rows: readonly (readonly Scalar[])[],
): void {
  let width = 0;
  for (let r = 0; r < rows.length; r++) width = Math.max(width, rows[r]!.length);
  loadColumns(workbook, sheet, row, col, rows, [...Array(width).keys()]);
}

/** The same, of the columns named by their index alone. */
export function loadColumns(
  workbook: WorkbookCore,
  sheet: Sheet,
  row: number,
  col: number,
  rows: readonly (readonly Scalar[])[],
  columns: readonly number[],
): void {
  if (rows.length === 0 || columns.length === 0) return;
  checkCell(row, col);
  checkCell(row + rows.length - 1, col + columns.at(-1)!);
  const { cells } = sheet;
  for (const c of columns) clearFormulas(workbook, sheet, row, col + c, row + rows.length - 1);
  for (let at = 0; at < rows.length;) {
    const band = cells.needBand(row + at);
    const index = row + at - band.start;
    const count = Math.min(band.height - index, rows.length - at);
    for (const c of columns) {
      const chunk = band.chunk(col + c, index);
      chunk.ensure(index + count - 1, index + count);
      const { tags, nums } = chunk;
      for (let i = 0; i < count; i++) {
        const value = (rows[at + i] as readonly Scalar[])[c];
        if (typeof value === 'number') {
          tags[index + i] = numberTag;
          nums[index + i] = value;
        } else putOne(workbook, chunk, index + i, value ?? null);
      }
    }
    at += count;
  }
  for (const c of columns) {
    cells.touch(col + c);
    workbook.changed.add(sheet, col + c, row, row + rows.length - 1);
  }
}

function putOne(workbook: WorkbookCore, chunk: Chunk, index: number, value: Scalar): void {
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

function clearFormulas(workbook: WorkbookCore, sheet: Sheet, top: number, col: number, bottom: number): void {
  const found: number[] = [];
  sheet.cells.eachPiece(col, top, bottom, (chunk, from, to, start) => {
    const ids = chunk.formulas;
    if (!ids) return;
    for (let i = from; i <= to; i++) if (ids[i] !== 0) found.push(start + i);
  });
  for (const row of found) workbook.setValue(sheet, row, col, null);
}

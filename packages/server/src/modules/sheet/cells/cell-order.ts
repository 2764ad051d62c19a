import { maxCols } from '@sheaf/engine';

/**
 * Returns the indexes of the cells sorted by column, then row. If a cell occurs several times, its indexes keep their
 * order. Returns undefined if the cells are already sorted and no cell occurs twice.
 */
export function sortCellIndexes(rows: Int32Array, cols: Int32Array): Int32Array | undefined {
  if (isAscending(rows, cols)) return undefined;
  const byColumn = sortByColumn(cols);
  return isAscending(rows, cols, byColumn) ? byColumn : sortByKeys(rows, cols);
}

/**
 * Returns whether the cells are sorted by column, then row, and no cell occurs twice. The cells are read in the order
 * of the indexes in `order`, or as given if `order` is undefined.
 */
function isAscending(rows: Int32Array, cols: Int32Array, order?: Int32Array): boolean {
  let row = -1;
  let col = -1;
  for (let i = 0; i < rows.length; i++) {
    const index = order ? order[i]! : i;
    if (cols[index]! < col || (cols[index] === col && rows[index]! <= row)) return false;
    row = rows[index]!;
    col = cols[index]!;
  }
  return true;
}

/**
 * Sorts cell indexes by column only, with a counting sort that keeps the order within a column. If the cells were
 * listed row by row, which is the most common case, the result is also sorted by row within each column.
 */
function sortByColumn(cols: Int32Array): Int32Array {
  const starts = new Int32Array(maxCols + 1);
  for (let i = 0; i < cols.length; i++) starts[cols[i]! + 1]!++;
  for (let col = 0; col < maxCols; col++) starts[col + 1]! += starts[col]!;
  const order = new Int32Array(cols.length);
  for (let i = 0; i < cols.length; i++) order[starts[cols[i]!]!++] = i;
  return order;
}

/**
 * Factors by which a column (14 bits), a row (20 bits) and a cell index (18 bits) are packed into one number, by which
 * cells are sorted. A double represents these 52-bit integers exactly.
 */
const indexCount = 2 ** 18;
const rowCount = 2 ** 20;

function sortByKeys(rows: Int32Array, cols: Int32Array): Int32Array {
  const keys = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = (cols[i]! * rowCount + rows[i]!) * indexCount + i;
  keys.sort();
  const order = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) order[i] = keys[i]! - Math.floor(keys[i]! / indexCount) * indexCount;
  return order;
}

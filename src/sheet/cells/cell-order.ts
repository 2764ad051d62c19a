import { maxCols } from '../engine/index.ts';

/** Visits cells, by their place in the list, in order of column and row; of those given twice only the last. */
export function inOrder(rows: Int32Array, cols: Int32Array, visit: (index: number) => void): void {
  if (isAscending(rows, cols)) {
    for (let i = 0; i < rows.length; i++) visit(i);
    return;
  }
  const byColumn = columnByColumn(cols);
  const order = isAscending(rows, cols, byColumn) ? byColumn : sorted(rows, cols);
  for (let i = 0; i < order.length; i++) {
    const index = order[i]!;
    const next = order[i + 1];
    if (next === undefined || rows[index] !== rows[next] || cols[index] !== cols[next]) visit(index);
  }
}

/** Whether every cell comes after the one before it. */
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

/** Counted, not compared: cells listed row by row, as most are, are in order then. */
function columnByColumn(cols: Int32Array): Int32Array {
  const starts = new Int32Array(maxCols + 1);
  for (let i = 0; i < cols.length; i++) starts[cols[i]! + 1]!++;
  for (let col = 0; col < maxCols; col++) starts[col + 1]! += starts[col]!;
  const order = new Int32Array(cols.length);
  for (let i = 0; i < cols.length; i++) order[starts[cols[i]!]!++] = i;
  return order;
}

/** Column, row and place in the list as one number: 14 + 20 + 18 bits. */
const places = 2 ** 18;
const rowCount = 2 ** 20;

function sorted(rows: Int32Array, cols: Int32Array): Int32Array {
  const keys = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = (cols[i]! * rowCount + rows[i]!) * places + i;
  keys.sort();
  return Int32Array.from(keys, (key) => key - Math.floor(key / places) * places);
}

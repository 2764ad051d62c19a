import { bandRows, Band } from './chunk.ts';
import type { CellStore } from './cell-store.ts';

/**
 * Splits a band (block of rows), if needed, so that a band starts at `row`. Returns the index of that band, or the
 * number of bands if `row` is below all of them.
 */
function cutAt(store: CellStore, row: number): number {
  if (row >= store.extent) return store.bands.length;
  const index = store.bandIndex(row);
  const band = store.bands[index] as Band;
  if (band.start === row) return index;
  store.bands.splice(index + 1, 0, band.split(row - band.start));
  return index + 1;
}

function relink(store: CellStore, around: number[]): void {
  const { bands } = store;
  for (const at of around.toSorted((a, b) => b - a)) {
    for (let i = Math.min(at + 1, bands.length - 1); i > 0 && i >= at - 1; i--) {
      const upper = bands[i - 1];
      const lower = bands[i];
      if (!upper || !lower || upper.height + lower.height > bandRows) continue;
      if (upper.height > bandRows / 4 && lower.height > bandRows / 4) continue;
      upper.append(lower);
      bands.splice(i, 1);
    }
  }
  let start = 0;
  for (const band of bands) {
    band.start = start;
    start += band.height;
  }
  store.extent = start;
  store.epoch++;
  store.invalidate();
}

export function insertRows(store: CellStore, at: number, count: number): void {
  if (at < store.extent) {
    const index = cutAt(store, at);
    const fresh: Band[] = [];
    for (let left = count; left > 0; left -= bandRows) fresh.push(new Band(0, Math.min(left, bandRows)));
    store.bands.splice(index, 0, ...fresh);
    relink(store, [index, index + fresh.length]);
  } else store.epoch++;
}

export function deleteRows(store: CellStore, at: number, count: number): void {
  const from = cutAt(store, at);
  const to = cutAt(store, at + count);
  store.bands.splice(from, to - from);
  relink(store, [from]);
}

/**
 * Moves rows `[from, from + count)` to before row `to`, where all row numbers are those before the move. Splits and
 * joins bands (blocks of rows) without visiting cells.
 */
export function moveRows(store: CellStore, from: number, count: number, to: number): void {
  if (to >= from && to <= from + count) return;
  // Rows that no band (block of rows) covers yet get bands, so that they can be moved.
  const needed = Math.max(from + count, to);
  while (store.extent < needed) {
    const height = Math.min(bandRows, needed - store.extent);
    store.bands.push(new Band(store.extent, height));
    store.extent += height;
  }
  const target = cutAt(store, to);
  const first = cutAt(store, from);
  const last = cutAt(store, from + count);
  const shifted = to > from ? cutAt(store, to) : target;
  const moved = store.bands.splice(first, last - first);
  const place = shifted > first ? shifted - (last - first) : shifted;
  store.bands.splice(place, 0, ...moved);
  relink(store, [first, place, place + moved.length]);
}

export function insertCols(store: CellStore, at: number, count: number): void {
  const fresh = Array.from({ length: count }, () => undefined);
  for (const band of store.bands) if (band.chunks.length > at) band.chunks.splice(at, 0, ...fresh);
  renumber(store);
}

export function deleteCols(store: CellStore, at: number, count: number): void {
  for (const band of store.bands) if (band.chunks.length > at) band.chunks.splice(at, count);
  renumber(store);
}

export function moveCols(store: CellStore, from: number, count: number, to: number): void {
  if (to >= from && to <= from + count) return;
  const needed = Math.max(from + count, to);
  for (const band of store.bands) {
    if (band.chunks.length <= Math.min(from, to)) continue;
    while (band.chunks.length < needed) band.chunks.push(undefined);
    const moved = band.chunks.splice(from, count);
    band.chunks.splice(to > from ? to - count : to, 0, ...moved);
  }
  renumber(store);
}

function renumber(store: CellStore): void {
  store.epoch++;
  // Mark every column as changed. Column numbers now refer to other columns, so data indexed by column number is stale.
  for (let col = 0; col < store.versions.length; col++) store.touch(col);
}

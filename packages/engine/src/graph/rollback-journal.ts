import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { Matrix } from '../base/values.ts';
import type { SpillArea, Spills } from './spills.ts';

interface SavedValues {
  readonly sheet: IndexedSheet;
  readonly col: number;
  readonly top: number;
  readonly tags: ArrayLike<number>;
  readonly nums: ArrayLike<number>;
}

interface SavedArray {
  readonly sheet: IndexedSheet;
  readonly row: number;
  readonly col: number;
  readonly matrix: Matrix | undefined;
  readonly firm: boolean;
}

/**
 * Saves values before a recalculation overwrites them, to restore them if the recalculation fails, for example because
 * it exceeds its step limit.
 */
export class RollbackJournal {
  #saved: SavedValues[] = [];
  /**
   * The array that each changed anchor (the cell of an array formula) had before the recalculation. Created lazily,
   * because most recalculations touch no arrays.
   */
  #arrays: Map<string, SavedArray> | undefined;

  clear(): void {
    this.#saved = [];
    this.#arrays = undefined;
  }

  save(sheet: IndexedSheet, col: number, top: number, bottom: number): void {
    if (top === bottom) {
      // For a single cell, plain arrays are cheaper than typed arrays.
      const band = sheet.cells.bandAt(top);
      const chunk = band?.chunks[col];
      const index = top - (band?.start ?? 0);
      this.#saved.push({ sheet, col, top, tags: [chunk?.tags[index] ?? 0], nums: [chunk?.nums[index] ?? 0] });
      return;
    }
    const tags = new Uint8Array(bottom - top + 1);
    const nums = new Float64Array(bottom - top + 1);
    sheet.cells.eachPiece(col, top, bottom, (chunk, from, to, start) => {
      tags.set(chunk.tags.subarray(from, to + 1), start + from - top);
      nums.set(chunk.nums.subarray(from, to + 1), start + from - top);
    });
    this.#saved.push({ sheet, col, top, tags, nums });
  }

  /**
   * Saves the array of an anchor (the cell of an array formula) before the recalculation changes it. `area` is
   * undefined if the anchor had no array.
   */
  saveArray(sheet: IndexedSheet, row: number, col: number, area: SpillArea | undefined): void {
    const key = `${sheet.id}:${row}:${col}`;
    const arrays = (this.#arrays ??= new Map());
    if (arrays.has(key)) return;
    const matrix =
      area && Matrix.build(area.bottom - row + 1, area.right - col + 1, (r, c) => sheet.read(row + r, col + c));
    arrays.set(key, { sheet, row, col, matrix, firm: area?.firm === true });
  }

  rollBack(spills: Spills): void {
    const arrays = [...(this.#arrays?.values() ?? [])];
    for (const { sheet, row, col } of arrays) spills.retract(sheet, row, col);
    for (const { sheet, row, col, matrix, firm } of arrays) if (matrix) spills.fill(sheet, row, col, matrix, firm);
    for (const { sheet, col, top, tags, nums } of this.#saved.toReversed()) {
      sheet.cells.eachPiece(col, top, top + tags.length - 1, (chunk, from, to, start) => {
        for (let i = from; i <= to; i++) {
          chunk.tags[i] = tags[start + i - top] as number;
          chunk.nums[i] = nums[start + i - top] as number;
        }
      });
      sheet.cells.touch(col);
    }
  }
}

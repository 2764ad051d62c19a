import type { Sheet } from '../sheet.ts';
import { Matrix } from '../values.ts';
import type { Area, Spills } from './spills.ts';

interface Saved {
  readonly sheet: Sheet;
  readonly col: number;
  readonly top: number;
  readonly tags: ArrayLike<number>;
  readonly nums: ArrayLike<number>;
}

/** Values as they were before they were computed anew, to put back when a calculation is cut off. */
export class Journal {
  private readonly saved: Saved[] = [];
  private readonly arrays: { sheet: Sheet; area: Area; matrix: Matrix }[] = [];
  private readonly made: { sheet: Sheet; row: number; col: number }[] = [];

  keep(sheet: Sheet, col: number, top: number, bottom: number): void {
    if (top === bottom) {
      // Typed arrays are dear for a single cell.
      const band = sheet.cells.bandAt(top);
      const chunk = band?.chunks[col];
      const index = top - (band?.start ?? 0);
      this.saved.push({ sheet, col, top, tags: [chunk?.tags[index] ?? 0], nums: [chunk?.nums[index] ?? 0] });
      return;
    }
    const tags = new Uint8Array(bottom - top + 1);
    const nums = new Float64Array(bottom - top + 1);
    sheet.cells.eachPiece(col, top, bottom, (chunk, from, to, start) => {
      tags.set(chunk.tags.subarray(from, to + 1), start + from - top);
      nums.set(chunk.nums.subarray(from, to + 1), start + from - top);
    });
    this.saved.push({ sheet, col, top, tags, nums });
  }

  /** Before an array is taken back. */
  keepArray(sheet: Sheet, area: Area): void {
    const matrix = Matrix.build(area.bottom - area.top + 1, area.right - area.left + 1, (r, c) => sheet.read(area.top + r, area.left + c));
    this.arrays.push({ sheet, area, matrix });
  }

  madeArray(sheet: Sheet, row: number, col: number): void {
    this.made.push({ sheet, row, col });
  }

  undo(spills: Spills): void {
    for (const { sheet, row, col } of this.made.toReversed()) spills.retract(sheet, row, col);
    for (const { sheet, area, matrix } of this.arrays.toReversed()) spills.fill(sheet, area.top, area.left, matrix);
    for (const { sheet, col, top, tags, nums } of this.saved.toReversed()) {
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

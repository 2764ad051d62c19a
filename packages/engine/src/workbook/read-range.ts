import type { IndexedSheet } from '../store/indexed-sheet.ts';
import { blankTag, numberTag, spilledMark, type Band } from '../store/chunk.ts';
import type { Scalar } from '../base/values.ts';
import type { WorkbookCore } from './workbook-core.ts';

export interface CellView {
  readonly row: number;
  readonly col: number;
  readonly value: Scalar;
  readonly formula?: string;
  readonly style?: number;
  /** True if an array formula in another cell spilled the value into this cell. */
  readonly spilled?: true;
}

interface Column {
  readonly col: number;
  readonly tags: Uint8Array;
  readonly nums: Float64Array;
  readonly formulas: Int32Array | undefined;
  readonly styles: Int32Array | undefined;
}

/** Returns the cells of a rectangle that hold a value, a formula or a style, row by row. */
export function readRange(
  workbook: WorkbookCore,
  sheet: IndexedSheet,
  top: number,
  left: number,
  bottom: number,
  right: number,
): CellView[] {
  const found: CellView[] = [];
  const { cells } = sheet;
  const end = Math.min(bottom, cells.extent - 1);
  for (let b = cells.bandIndex(top); b < cells.bands.length; b++) {
    const band = cells.bands[b] as Band;
    if (band.start > end) break;
    const last = Math.min(right, band.chunks.length - 1);
    const to = Math.min(band.height - 1, end - band.start);
    const columns: Column[] = [];
    for (let col = left; col <= last; col++) {
      const chunk = band.chunks[col];
      if (chunk)
        columns.push({ col, tags: chunk.tags, nums: chunk.nums, formulas: chunk.formulas, styles: chunk.styles });
    }
    for (let index = Math.max(0, top - band.start); index <= to; index++) {
      const row = band.start + index;
      for (let c = 0; c < columns.length; c++) {
        const { col, tags, nums, formulas, styles } = columns[c] as Column;
        const tag = tags[index];
        if (tag === undefined) continue;
        if (formulas === undefined && styles === undefined) {
          if (tag === numberTag) found.push({ row, col, value: nums[index] as number });
          else if (tag !== blankTag) found.push({ row, col, value: cells.decode(tag, nums[index] as number) });
          continue;
        }
        const formula = formulas?.[index] ?? 0;
        const style = styles?.[index] ?? 0;
        if (tag === blankTag && formula === 0 && style === 0) continue;
        const view: { -readonly [K in keyof CellView]: CellView[K] } = {
          row,
          col,
          value: cells.decode(tag, nums[index] as number),
        };
        if (formula > 0) view.formula = workbook.templates.get(formula)?.text(row, col, workbook);
        else if (formula === spilledMark) view.spilled = true;
        if (style !== 0) view.style = style;
        found.push(view);
      }
    }
  }
  return found;
}

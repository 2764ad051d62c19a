/** Rows and columns that an array formula of the old kind fills, whatever its result is. */
export type ArraySize = readonly [rows: number, cols: number];

/**
 * How a formula meets ranges. True: they give arrays, which spill. False: a range stands for its cell in the formula's
 * row or column, as in workbooks made before dynamic arrays. A size: an array formula of such a workbook.
 */
export type Mode = boolean | ArraySize;

export function isArraySize(mode: Mode): mode is ArraySize {
  return typeof mode !== 'boolean';
}

export function sameMode(a: Mode, b: Mode): boolean {
  return a === b || (isArraySize(a) && isArraySize(b) && a[0] === b[0] && a[1] === b[1]);
}

/** Formulas of different modes share no pattern. */
export function modeKey(mode: Mode): string {
  if (isArraySize(mode)) return `\u0005${mode[0]}x${mode[1]}\u0005`;
  return mode ? '' : '@';
}

/** A mode as logs and snapshots hold it; 1 was there before arrays were. */
export type StoredMode = 1 | ArraySize;

export function storedMode(mode: Mode): StoredMode | undefined {
  if (isArraySize(mode)) return mode;
  return mode ? undefined : 1;
}

export function modeOf(stored: StoredMode | 0 | undefined): Mode {
  if (stored === undefined || stored === 0) return true;
  if (stored === 1) return false;
  const [rows, cols] = stored;
  if (!Number.isInteger(rows) || !Number.isInteger(cols) || rows < 1 || cols < 1)
    throw new RangeError(`array: ${rows} rows and ${cols} columns are no size of an array`);
  return [rows, cols];
}

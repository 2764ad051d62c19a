/** Size of the range that a legacy (Ctrl+Shift+Enter) array formula fills, regardless of the size of its result. */
export type ArraySize = readonly [rows: number, cols: number];

/**
 * How a formula treats a range where a single value is expected. True: the formula is calculated for each cell of the
 * range, and the results spill. False: the range is reduced to the cell in the formula's own row or column, as in Excel
 * before dynamic arrays. A size: a legacy array formula.
 */
export type BaseMode = boolean | ArraySize;

/**
 * How an imported formula is evaluated (`base`), with flags from the file. The flags apply until a user overwrites the
 * formula.
 */
export interface FileMode {
  readonly base: BaseMode;
  /** True if the cell keeps the value from the file as long as the engine cannot calculate the formula. */
  readonly isKept: boolean;
  /** True if the file marks the formula as a dynamic array formula, whether or not its result can spill. */
  readonly isMarked: boolean;
}

export type Mode = BaseMode | FileMode;

function isFileMode(mode: Mode): mode is FileMode {
  return typeof mode === 'object' && 'base' in mode;
}

export function fileModeOf(mode: Mode): FileMode {
  return isFileMode(mode) ? mode : { base: mode, isKept: false, isMarked: false };
}

/** Returns the size of a legacy array formula; undefined for other modes. */
export function arraySizeOf(mode: BaseMode): ArraySize | undefined {
  return typeof mode === 'boolean' ? undefined : mode;
}

export function sameMode(a: Mode, b: Mode): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && modeKey(a) === modeKey(b));
}

/**
 * Returns a text for the array evaluation mode of a formula. It is part of the key of the formula's pattern, so that
 * formulas with different modes never share a pattern.
 */
export function modeKey(mode: Mode): string {
  if (isFileMode(mode)) return `\u0006${flagsOf(mode)}\u0006${modeKey(mode.base)}`;
  if (typeof mode === 'object') return `\u0005${mode[0]}x${mode[1]}\u0005`;
  return mode ? '' : '@';
}

/**
 * The array evaluation mode of a formula as stored in logs and snapshots. Mode `true` is omitted, `false` is stored as
 * 1, a legacy array formula as its size, and a FileMode as a size with flags. Older versions of this program ignore the
 * flags and treat a formula with flags as a legacy array formula.
 */
export type StoredMode = 1 | ArraySize | readonly [rows: number, cols: number, flags: number];

const keptFlag = 1;
const markedFlag = 2;
/**
 * Flags for how a formula treats a range where a single value is expected: it is calculated for each cell and its
 * results spill, or it uses a single cell. A legacy array formula has neither flag. For a formula with one of them, the
 * stored size has no meaning.
 */
const spillsFlag = 4;
const singleFlag = 8;

function flagsOf({ base, isKept, isMarked }: FileMode): number {
  const kind = base === true ? spillsFlag : base === false ? singleFlag : 0;
  return (isKept ? keptFlag : 0) + (isMarked ? markedFlag : 0) + kind;
}

export function storedMode(mode: Mode): StoredMode | undefined {
  if (isFileMode(mode)) {
    const [rows, cols] = arraySizeOf(mode.base) ?? [1, 1];
    return [rows, cols, flagsOf(mode)];
  }
  if (typeof mode === 'object') return mode;
  return mode ? undefined : 1;
}

export function modeOf(stored: StoredMode | 0 | undefined): Mode {
  if (stored === undefined || stored === 0) return true;
  if (stored === 1) return false;
  const [rows, cols, flags = 0] = stored;
  if (!Number.isInteger(rows) || !Number.isInteger(cols) || rows < 1 || cols < 1)
    throw new RangeError(`array: ${rows} rows and ${cols} columns are no size of an array`);
  if (flags === 0) return [rows, cols];
  const base: BaseMode = flags & spillsFlag ? true : flags & singleFlag ? false : [rows, cols];
  return { base, isKept: (flags & keptFlag) !== 0, isMarked: (flags & markedFlag) !== 0 };
}

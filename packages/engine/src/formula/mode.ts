/** Rows and columns that an array formula of the old kind fills, whatever its result is. */
export type ArraySize = readonly [rows: number, cols: number];

/**
 * How a formula meets ranges. True: they give arrays, which spill. False: a range stands for its cell in the formula's
 * row or column, as in workbooks made before dynamic arrays. A size: an array formula of such a workbook.
 */
export type BaseMode = boolean | ArraySize;

/** With what a file said of the formula, until somebody writes another one. */
export interface FileMode {
  readonly base: BaseMode;
  /** It cannot be computed here: its cell keeps the value that the file had. */
  readonly isKept: boolean;
  /** The file marks it as one whose arrays spill, whether they could or not. */
  readonly isMarked: boolean;
}

export type Mode = BaseMode | FileMode;

function isFileMode(mode: Mode): mode is FileMode {
  return typeof mode === 'object' && 'base' in mode;
}

export function fileModeOf(mode: Mode): FileMode {
  return isFileMode(mode) ? mode : { base: mode, isKept: false, isMarked: false };
}

/** Undefined: it is none of an array formula. */
export function arraySizeOf(mode: BaseMode): ArraySize | undefined {
  return typeof mode === 'boolean' ? undefined : mode;
}

export function sameMode(a: Mode, b: Mode): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && modeKey(a) === modeKey(b));
}

/** Formulas of different modes share no pattern. */
export function modeKey(mode: Mode): string {
  if (isFileMode(mode)) return `\u0006${flagsOf(mode)}\u0006${modeKey(mode.base)}`;
  if (typeof mode === 'object') return `\u0005${mode[0]}x${mode[1]}\u0005`;
  return mode ? '' : '@';
}

/**
 * A mode as logs and snapshots hold it; 1 was there before arrays were, and sizes before flags: who knows no flags takes a
 * formula that has some for an array formula.
 */
export type StoredMode = 1 | ArraySize | readonly [rows: number, cols: number, flags: number];

const keptFlag = 1;
const markedFlag = 2;
/** No array formula: its size says nothing. */
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

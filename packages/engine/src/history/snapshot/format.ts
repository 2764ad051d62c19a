import type { StoredMode } from '../../formula/array-mode.ts';
import type { KeptBook } from '../../document/objects/passthrough.ts';
import type { PivotTable, SheetType } from '../../document/objects/sheet-objects.ts';
import type { Region } from '../../document/objects/rect.ts';
import type { Style } from '../../document/objects/styles.ts';
import type { SubSheetState } from '../../document/objects/sub-sheet.ts';

/** `SHFS` */
export const snapshotMagic = 0x53464853;
/** Incremented when the byte layout changes; older formats are upgraded when read. */
export const snapshotFormat = 1;
/** Incremented when the same formulas may give other values: values cached by another engine version are recalculated. */
export const engineVersion = 4;

/** Rows of one window (piece) of a column. */
export const windowRows = 1024;

/** How a window stores its values. */
export const windowKind = { numbers: 0, integers: 1, texts: 2, mixed: 3 } as const;

export interface SheetHeader {
  readonly id: string;
  readonly type: SheetType;
  readonly name: string;
  /** Numeric id in formulas. */
  readonly number: number;
  /** Fields added after the first release are omitted if empty, so that older documents keep their bytes. */
  readonly state: Partial<SubSheetState>;
  /** Flat list, four numbers per run: column, first row, last row, index into the document's styles. */
  readonly styles: readonly number[];
  /** Arrays that fill cells, and arrays that are blocked. */
  readonly filled: readonly Region[];
  readonly blocked: readonly Region[];
}

/** Everything except cells, formulas and texts. */
export interface Header {
  readonly engine: number;
  readonly clock: { readonly now: number; readonly seed: number };
  readonly styles: readonly Style[];
  readonly names: readonly { readonly name: string; readonly sheet?: string; readonly formula: string }[];
  readonly pivots: readonly PivotTable[];
  /** State 0: shown; 1: blocked, shows #SPILL!; 2: blocked and hidden. */
  readonly outputs: readonly (readonly [id: string, sheet: string, region: Region, state: 0 | 1 | 2])[];
  readonly sheets: readonly SheetHeader[];
  readonly kept?: KeptBook;
}

/** Formula text as written in one cell; mode 0 for formulas whose arrays spill. */
export type StoredFormula = readonly [row: number, col: number, mode: 0 | StoredMode, text: string];

import type { StoredMode } from '../../formula/mode.ts';
import type { KeptBook } from '../../document/objects/kept.ts';
import type { PivotTable, SheetType } from '../../document/objects/objects.ts';
import type { Region } from '../../document/objects/rect.ts';
import type { Style } from '../../document/objects/styles.ts';
import type { SubSheetState } from '../../document/objects/sub-sheet.ts';

/** `SHFS` */
export const snapshotMagic = 0x53464853;
/** Raised when the layout of the bytes changes; older ones are upgraded when read. */
export const snapshotFormat = 1;
/** Raised when the same formulas may give other values: cached values of another engine are computed anew. */
export const engineVersion = 4;

/** Rows of one piece of a column. */
export const windowRows = 1024;

/** How a piece keeps its values. */
export const windowKind = { numbers: 0, integers: 1, texts: 2, mixed: 3 } as const;

export interface SheetHeader {
  readonly id: string;
  readonly type: SheetType;
  readonly name: string;
  /** What formulas know it by. */
  readonly number: number;
  /** Without what came after the first release and says nothing: older documents keep their bytes. */
  readonly state: Partial<SubSheetState>;
  /** Column, first and last row, place in the list of styles, again and again. */
  readonly styles: readonly number[];
  /** Arrays that fill cells, and those that find no room. */
  readonly filled: readonly Region[];
  readonly blocked: readonly Region[];
}

/** All but cells, formulas and texts. */
export interface Header {
  readonly engine: number;
  readonly clock: { readonly now: number; readonly seed: number };
  readonly styles: readonly Style[];
  readonly names: readonly { readonly name: string; readonly sheet?: string; readonly formula: string }[];
  readonly pivots: readonly PivotTable[];
  /** State 0 is shown, 1 blocked, 2 blocked and not even told so. */
  readonly outputs: readonly (readonly [id: string, sheet: string, region: Region, state: 0 | 1 | 2])[];
  readonly sheets: readonly SheetHeader[];
  readonly kept?: KeptBook;
}

/** Formula text as it stands at one place; 0 for formulas whose arrays spill. */
export type StoredFormula = readonly [row: number, col: number, mode: 0 | StoredMode, text: string];

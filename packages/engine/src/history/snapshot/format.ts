import type { StoredMode } from '../../formula/array-evaluation-mode.ts';
import type { KeptBook } from '../../document/objects/passthrough.ts';
import type { PivotTable, SheetType } from '../../document/objects/sheet-objects.ts';
import type { Region } from '../../document/objects/rect.ts';
import type { Style } from '../../document/objects/styles.ts';
import type { SubSheetState } from '../../document/objects/sub-sheet.ts';

/** The bytes `SHFS`, with which every snapshot starts. */
export const snapshotMagic = 0x53464853;
/** Version of the byte layout. A snapshot with a higher version is rejected when read. */
export const snapshotFormat = 1;
/**
 * Version of the calculation. It must be incremented when the same formulas may give other values, because values
 * cached by another version are recalculated.
 */
export const engineVersion = 4;

/** Number of rows of a window, the unit in which a snapshot stores a column. */
export const windowRows = 1024;

/** Ways in which a snapshot encodes the values of a window, which is a run of rows of one column. */
export const windowKind = { numbers: 0, integers: 1, texts: 2, mixed: 3 } as const;

export interface SheetHeader {
  readonly id: string;
  readonly type: SheetType;
  readonly name: string;
  /** Number that identifies the sub-sheet in parsed formulas. */
  readonly number: number;
  /**
   * State of the sub-sheet. Properties that were added after the first release are omitted if empty, so that snapshots
   * of older documents stay byte-identical.
   */
  readonly state: Partial<SubSheetState>;
  /** Style runs as a flat list, four numbers per run: column, first row, last row, index into the document's styles. */
  readonly styles: readonly number[];
  /**
   * Ranges of arrays: `filled` lists those whose values are shown, and `blocked` those that cannot be shown because
   * other cells are in the way.
   */
  readonly filled: readonly Region[];
  readonly blocked: readonly Region[];
}

/** The JSON part of a snapshot: everything except cells, formulas and texts. */
export interface Header {
  readonly engine: number;
  readonly clock: { readonly now: number; readonly seed: number };
  readonly styles: readonly Style[];
  readonly names: readonly { readonly name: string; readonly sheet?: string; readonly formula: string }[];
  readonly pivots: readonly PivotTable[];
  /**
   * Output ranges of the pivot tables. State 0: the output is shown. State 1: other cells block it, and only #SPILL! is
   * shown. State 2: other cells block even the first cell, and nothing is shown.
   */
  readonly outputs: readonly (readonly [id: string, sheet: string, region: Region, state: 0 | 1 | 2])[];
  readonly sheets: readonly SheetHeader[];
  readonly kept?: KeptBook;
}

/**
 * A formula: one of the cells that contain it, and its text as written in that cell. Mode 0 means that the result may
 * spill into other cells; all other modes are a `StoredMode`.
 */
export type StoredFormula = readonly [row: number, col: number, mode: 0 | StoredMode, text: string];

import type { Carried } from './kept.ts';
import type { Region } from './rect.ts';

/** Things on a sub-sheet besides cells, all plain data. */

export interface Link {
  readonly id: string;
  readonly url: string;
}

/** Text in pieces, each with a look of its own; the cell's value is the pieces joined. */
export type RichText = readonly {
  readonly text: string;
  readonly style?: Readonly<Record<string, string | number | boolean>>;
}[];

export interface FilterColumn {
  /** Counted from the sub-sheet's first column. */
  readonly col: number;
  /** Shown texts of the rows that stay visible. */
  readonly visible: readonly string[];
  /** The condition that the file it came from hides rows by, as XML: `visible` is what it left. */
  readonly rule?: string;
}

export interface Filter {
  readonly id: string;
  /** The first row holds the headings. */
  readonly region: Region;
  readonly columns: readonly FilterColumn[];
  /** Rows hidden when the criteria were last set, as first and last row of each run. */
  readonly hidden: readonly (readonly [first: number, last: number])[];
}

export interface Anchor {
  readonly row: number;
  readonly col: number;
  readonly offsetX: number;
  readonly offsetY: number;
  readonly width: number;
  readonly height: number;
}

export interface FloatImage {
  readonly id: string;
  readonly name: string;
  /** Key of the bytes in the blob store. */
  readonly blob: string;
  readonly mime: string;
  readonly anchor: Anchor;
}

/** One series by the cells it takes, each a row or a column of the chart's data sheet. */
export interface ChartSeries {
  readonly name?: Region | string;
  readonly labels?: Region;
  /** Null when the cells were deleted. */
  readonly values: Region | null;
  /** Of bubbles. */
  readonly sizes?: Region;
}

export interface Chart {
  /** `drawing_id` on the wire. */
  readonly id: string;
  /** One of the names of the specification. */
  readonly type: string;
  readonly title: string;
  /** Null when the cells were deleted. */
  readonly region: Region | null;
  /** Id of the sub-sheet that holds its data, when it is another. */
  readonly dataSheet?: string;
  /** Absent: the rows or columns of the region in their order. */
  readonly series?: readonly ChartSeries[];
  readonly anchor: Anchor;
  /** Undefined: found out from the data. */
  readonly columnSeries?: boolean;
  readonly headerRow?: boolean;
  readonly categoryColumn?: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** How the file it came from has it, as long as nothing but its place was changed. */
  readonly kept?: Carried;
}

export interface Protection {
  readonly id: string;
  readonly owner: string;
  /** Edges included; null is the whole sub-sheet however it grows. */
  readonly region: Region | null;
}

export const aggregations = [
  'SUM',
  'COUNT',
  'AVERAGE',
  'MAX',
  'MIN',
  'PRODUCT',
  'COUNTNUMS',
  'STDEV',
  'STDEVP',
  'VAR',
  'VARP',
] as const;
export type Aggregation = (typeof aggregations)[number];

/** Fields are columns of the source counted from its first one. A filter whose `visible` is null hides nothing. */
export interface PivotTable {
  readonly id: string;
  readonly name: string;
  readonly sourceSheet: string;
  /** Null when the cells were deleted. */
  readonly source: Region | null;
  readonly sheet: string;
  readonly row: number;
  readonly col: number;
  readonly rowGroups: readonly number[];
  readonly columnGroups: readonly number[];
  readonly values: readonly { readonly field: number; readonly aggregation: Aggregation }[];
  readonly filters: readonly { readonly field: number; readonly visible: readonly string[] | null }[];
  readonly calculated: readonly { readonly name: string; readonly formula: string }[];
}

export type SheetType = 'worksheet' | 'smartsheet' | 'smartcanvas';

export interface Freeze {
  readonly rows: number;
  readonly cols: number;
}

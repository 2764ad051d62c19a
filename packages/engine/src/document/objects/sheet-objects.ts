import { words } from '../../base/words.ts';
import type { Carried } from './passthrough.ts';
import type { Region } from './rect.ts';

/** Objects on a sub-sheet besides cells; all plain data. */

export interface Link {
  readonly id: string;
  readonly url: string;
}

/** Text runs, each with its own style; the cell's value is their concatenated text. */
export type RichText = readonly {
  readonly text: string;
  readonly style?: Readonly<Record<string, string | number | boolean>>;
}[];

export interface FilterColumn {
  /** Zero-based column of the sub-sheet. */
  readonly col: number;
  /** Formatted texts of the rows that stay visible. */
  readonly visible: readonly string[];
  /** Filter condition of the imported file, as XML; `visible` is its result. */
  readonly rule?: string;
}

export interface Filter {
  readonly id: string;
  /** The first row is the header. */
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
  /** Key of the image bytes in the blob store. */
  readonly blob: string;
  readonly mime: string;
  readonly anchor: Anchor;
}

/** A chart series by its cells; each region is a row or column of the chart's data sheet. */
export interface ChartSeries {
  readonly name?: Region | string;
  readonly labels?: Region;
  /** Null if the cells were deleted. */
  readonly values: Region | null;
  /** Sizes of bubbles. */
  readonly sizes?: Region;
}

export interface Chart {
  /** `drawing_id` on the wire. */
  readonly id: string;
  /** A chart type name of the API specification. */
  readonly type: string;
  readonly title: string;
  /** Null if the cells were deleted. */
  readonly region: Region | null;
  /** Id of the sub-sheet with the data, if not the chart's own. */
  readonly dataSheet?: string;
  /** If absent, the rows or columns of the region in order. */
  readonly series?: readonly ChartSeries[];
  readonly anchor: Anchor;
  /** Undefined: derived from the data. */
  readonly columnSeries?: boolean;
  readonly headerRow?: boolean;
  readonly categoryColumn?: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** The chart as in the imported file; dropped when anything but its position changes. */
  readonly kept?: Carried;
}

export interface Protection {
  readonly id: string;
  readonly owner: string;
  /** Edges included; null is the whole sub-sheet, even when it grows. */
  readonly region: Region | null;
}

export const aggregations = words('SUM COUNT AVERAGE MAX MIN PRODUCT COUNTNUMS STDEV STDEVP VAR VARP');
export type Aggregation = (typeof aggregations)[number];

/** Fields are columns of the source, counted from its first one. A filter whose `visible` is null hides nothing. */
export interface PivotTable {
  readonly id: string;
  readonly name: string;
  readonly sourceSheet: string;
  /** Null if the cells were deleted. */
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

import { splitLiteral } from '../../base/split-literal.ts';
import type { PassthroughElement } from './passthrough.ts';
import type { Region } from './rect.ts';

export interface Link {
  readonly id: string;
  readonly url: string;
  /** The link's attributes as in the imported file, written back on export. A new link on the cell removes them. */
  readonly kept?: {
    readonly target?: string;
    readonly location?: string;
    readonly tooltip?: string;
    readonly display?: string;
    /** Size of the range that the link covers, if it is more than one cell. */
    readonly size?: readonly [rows: number, cols: number];
  };
}

/** Formatted text of a cell: runs of text, each with its own style. The cell's value is the concatenated text. */
export type RichText = readonly {
  readonly text: string;
  readonly style?: Readonly<Record<string, string | number | boolean>>;
  /**
   * Set only on the first run of a text from an imported file: the text's XML, as a number in `KeptBook.words`, counted
   * from 1. An export writes this XML back.
   */
  readonly source?: number;
}[];

export interface FilterColumn {
  /** Zero-based column of the sub-sheet. */
  readonly col: number;
  /**
   * Cell values that stay visible, each as formatted text or as stored value. Rows with any other value in this column
   * are hidden.
   */
  readonly visible: readonly string[];
  /**
   * XML of the filter condition in the imported file, if any. `visible` then lists the texts that meet this condition.
   */
  readonly rule?: string;
}

export interface Filter {
  readonly id: string;
  /** The filtered range; its first row is the header. */
  readonly region: Region;
  readonly columns: readonly FilterColumn[];
  /** Rows hidden when the criteria were last set, as ranges of consecutive rows. */
  readonly hidden: readonly (readonly [first: number, last: number])[];
  /** The filter's XML in the imported file, as an index in `KeptBook.texts`. An export writes it back. */
  readonly source?: number;
}

export interface Anchor {
  readonly row: number;
  readonly col: number;
  readonly offsetX: number;
  readonly offsetY: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The drawing element of an imported image or chart. Its content is exported unchanged, and so is its position, unless
 * the object was moved or resized.
 */
export interface KeptFrame extends PassthroughElement {
  /** Position and size that were read from the imported drawing element. */
  readonly read: Anchor;
}

export interface FloatImage {
  readonly id: string;
  readonly name: string;
  /** Key of the image bytes in the blob store. */
  readonly blob: string;
  readonly mime: string;
  readonly anchor: Anchor;
  readonly frame?: KeptFrame;
}

/** A chart series. Each region is one row or column of cells of the chart's data sheet. */
export interface ChartSeries {
  readonly name?: Region | string;
  readonly labels?: Region;
  /** Cells of the values; null if they were deleted. */
  readonly values: Region | null;
  /** For bubble charts: the cells of the bubble sizes. */
  readonly sizes?: Region;
}

export interface Chart {
  /** Id of the chart; the API calls it `drawing_id`. */
  readonly id: string;
  /** Name of a chart type in the API specification. */
  readonly type: string;
  readonly title: string;
  /** Cells of the chart's data; null if they were deleted. */
  readonly region: Region | null;
  /** Id of the sub-sheet that holds the data; absent if the data is on the chart's own sub-sheet. */
  readonly dataSheet?: string;
  /** The series of the chart; if absent, the rows or columns of `region` in order. */
  readonly series?: readonly ChartSeries[];
  readonly anchor: Anchor;
  /**
   * Whether each column (rather than each row) is a series, and whether the first row and the first column hold
   * headers. An undefined field is derived from the data.
   */
  readonly columnSeries?: boolean;
  readonly headerRow?: boolean;
  readonly categoryColumn?: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** XML of an imported chart, written back on export. It is dropped when anything but the chart's position changes. */
  readonly kept?: PassthroughElement;
  readonly frame?: KeptFrame;
}

export interface Protection {
  readonly id: string;
  readonly owner: string;
  /** The protected range, edges inclusive; null protects the whole sub-sheet, even when it grows. */
  readonly region: Region | null;
}

export const aggregations = splitLiteral('SUM COUNT AVERAGE MAX MIN PRODUCT COUNTNUMS STDEV STDEVP VAR VARP');
export type Aggregation = (typeof aggregations)[number];

/**
 * A pivot table definition. A field is identified by the zero-based index of its column in the source range. A filter
 * whose `visible` is null hides nothing.
 */
export interface PivotTable {
  readonly id: string;
  readonly name: string;
  readonly sourceSheet: string;
  /** Cells of the source data; null if they were deleted. */
  readonly source: Region | null;
  readonly sheet: string;
  readonly row: number;
  readonly col: number;
  readonly rowGroups: readonly number[];
  readonly columnGroups: readonly number[];
  readonly values: readonly { readonly field: number; readonly aggregation: Aggregation }[];
  readonly filters: readonly { readonly field: number; readonly visible: readonly string[] | null }[];
  readonly calculated: readonly { readonly name: string; readonly formula: string }[];
  /** The pivot table's XML in the imported file, as an index in `KeptBook.texts`. An export writes it back. */
  readonly words?: number;
}

export type SheetType = 'worksheet' | 'smartsheet' | 'smartcanvas';

export interface Freeze {
  readonly rows: number;
  readonly cols: number;
}

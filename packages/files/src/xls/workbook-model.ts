/**
 * Content of an .xls, .xlsb or .ods workbook in terms of xlsx. Created by the reader of its format and written by
 * `workbook-to-xlsx.ts`.
 */
export interface ForeignWorkbook {
  readonly sheets: readonly ForeignSheet[];
  readonly names: readonly ForeignName[];
  readonly externalBooks: readonly ExternalBook[];
  /** XML of the xlsx styles part. */
  readonly styles: string;
  /** Entries of the shared string table as XML. Cells refer to them by index. */
  readonly sharedStrings: readonly string[];
  readonly theme?: string;
  readonly date1904: boolean;
  /** XML attributes of the `calcPr` element (calculation settings). */
  readonly calculation: string;
  readonly activeSheet: number;
}

export type ForeignValue =
  | number
  | string
  | boolean
  | { readonly error: string }
  /** Index in the shared string table. */
  | { readonly shared: number };

export interface ForeignCell {
  readonly col: number;
  readonly format: number;
  readonly value?: ForeignValue;
  /** Formula in xlsx syntax, without the leading `=`. */
  readonly formula?: string;
  /** Range of an array formula; set only in the first cell of the range. */
  readonly array?: string;
  /** XML attributes of a what-if data table; set only in the first cell of the table. */
  readonly dataTable?: string;
}

export interface ForeignRow {
  readonly cells: ForeignCell[];
  /** XML attributes of the row element, except the row number. */
  attributes: string;
}

export interface ForeignComment {
  readonly row: number;
  readonly col: number;
  readonly author: string;
  /** XML content of the comment's `text` element. */
  readonly text: string;
  readonly isVisible: boolean;
}

export interface ForeignLink {
  readonly ref: string;
  readonly url?: string;
  readonly location?: string;
  readonly tooltip?: string;
}

export interface ForeignSheet {
  readonly name: string;
  readonly state: 'visible' | 'hidden' | 'veryHidden';
  readonly rows: ReadonlyMap<number, ForeignRow>;
  readonly comments: readonly ForeignComment[];
  readonly links: readonly ForeignLink[];
  /**
   * XML of the worksheet elements before the cells (`before`) and between cells and links (`after`), in the schema's
   * order.
   */
  readonly before: string;
  readonly after: string;
  /** XML of the worksheet elements after the links. */
  readonly page: string;
}

export interface ForeignName {
  readonly name: string;
  /** Index in `sheets` of the sheet that the name is limited to; undefined for the whole workbook. */
  readonly sheet?: number;
  readonly isHidden: boolean;
  readonly formula: string;
}

export interface ExternalBook {
  /** Path or URL of the workbook's file. */
  readonly target: string;
  readonly sheets: readonly ExternalSheet[];
}

export interface ExternalSheet {
  readonly name: string;
  /** Cell values that the file stores for this sheet, by row; undefined if it stores none. */
  readonly rows?: ReadonlyMap<number, readonly ForeignCell[]>;
}

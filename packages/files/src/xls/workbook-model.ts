/** A workbook of another format, in the terms of xlsx, between its reader and `workbook-to-xlsx.ts`. */
export interface ForeignWorkbook {
  readonly sheets: readonly ForeignSheet[];
  readonly names: readonly ForeignName[];
  readonly externalBooks: readonly ExternalBook[];
  /** The styles part. */
  readonly styles: string;
  /** Items of the shared string table as XML, to which cells refer by index. */
  readonly sharedStrings: readonly string[];
  readonly theme?: string;
  readonly date1904: boolean;
  /** Attributes of `calcPr`, as XML. */
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
  /** Formula in the syntax of xlsx files, without the `=`. */
  readonly formula?: string;
  /** Range of an array formula, at its first cell. */
  readonly array?: string;
  /** Attributes of a what-if data table, at its first cell, as XML. */
  readonly dataTable?: string;
}

export interface ForeignRow {
  readonly cells: ForeignCell[];
  /** Attributes of the row element other than its number, as XML. */
  attributes: string;
}

export interface ForeignComment {
  readonly row: number;
  readonly col: number;
  readonly author: string;
  /** Content of the `text` element, as XML. */
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
  /** Elements of the worksheet before its cells, and between its cells and its links, as XML in the schema's order. */
  readonly before: string;
  readonly after: string;
  /** Elements that follow the links. */
  readonly page: string;
}

export interface ForeignName {
  readonly name: string;
  /** Index in `sheets` of the sheet to which the name is limited. */
  readonly sheet?: number;
  readonly isHidden: boolean;
  readonly formula: string;
}

export interface ExternalBook {
  /** Path or address of the file. */
  readonly target: string;
  readonly sheets: readonly ExternalSheet[];
}

export interface ExternalSheet {
  readonly name: string;
  /** Cached cells by row; undefined if the file has none of this sheet. */
  readonly rows?: ReadonlyMap<number, readonly ForeignCell[]>;
}

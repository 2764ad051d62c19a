import type { Region } from './rect.ts';
import type { Style } from './styles.ts';

/** Passthrough data: parts of an imported file that documents do not model; an export writes them back unchanged. */

/** A cell that an object is attached to. If the cell is deleted, the next cell takes its place. */
export type Point = readonly [row: number, col: number];

/** A passthrough piece of a file on a sub-sheet; it follows the cells that it refers to. */
export interface Carried {
  /** Element name in the file: `conditionalFormatting`. */
  readonly kind: string;
  /** Index of its text in the document's list; the text never changes. */
  readonly text: number;
  /** The cells that it applies to; it is removed with the last of them. Absent: the whole sub-sheet. */
  readonly regions?: readonly Region[];
  readonly points?: readonly Point[];
  /** Its formulas, relative to the first cell of the first region. */
  readonly formulas?: readonly string[];
}

export interface KeptRelation {
  /** The relationship type URI. */
  readonly type: string;
  /** One of: key of a passthrough part, index of a text that is a part of its own, or an external address. */
  readonly part?: string;
  readonly text?: number;
  readonly target?: string;
}

/** XML with placeholders for regions, points, formulas, relationships and formats. */
export interface KeptText {
  readonly xml: string;
  readonly relations?: readonly KeptRelation[];
  /** Entries that the file stores in a list elsewhere and refers to by index: formats of rules, authors. */
  readonly pieces?: readonly string[];
  /** Path and content type, if the text is a part of its own. */
  readonly path?: string;
  readonly type?: string;
}

/** A complete part of the file. */
export interface KeptPart {
  readonly path: string;
  readonly type: string;
  /** Compressed bytes, as base64. */
  readonly data: string;
  readonly relations?: readonly (readonly [id: string, relation: KeptRelation])[];
}

/** A named cell style of the file. */
export interface KeptStyle {
  readonly name: string;
  /** Attributes of the entry except name and id. */
  readonly attributes: string;
  /** The format record (`xf`) it is based on, and the entries that the record refers to. */
  readonly look: string;
  readonly font: string;
  readonly fill: string;
  readonly border: string;
  readonly format?: string;
}

/** Attributes of a defined name; with `text`, a name whose definition documents do not understand. */
export interface KeptName {
  readonly name: string;
  /** Id of the sub-sheet that the name belongs to. */
  readonly sheet?: string;
  readonly attributes: string;
  readonly text?: string;
}

/** A sheet of another workbook. */
export interface OtherSheet {
  readonly name: string;
  /** Cell values cached in the file; absent if none are known. */
  readonly cells?: readonly (readonly [
    row: number,
    col: number,
    value: number | string | boolean | { readonly error: string },
  ])[];
}

/** Another workbook that formulas refer to. */
export interface OtherBook {
  /** Its name in brackets in formulas. */
  readonly name: string;
  readonly sheets: readonly OtherSheet[];
}

/** Passthrough data of the whole workbook; it does not change while the document is edited. */
export interface KeptBook {
  readonly texts: readonly KeptText[];
  readonly parts: Readonly<Record<string, KeptPart>>;
  /** Relationships of the package and of the workbook. */
  readonly root: readonly KeptRelation[];
  readonly workbook: readonly KeptRelation[];
  /** Other workbooks, in the order of their index in formulas. */
  readonly others: readonly KeptRelation[];
  /** The same workbooks as formulas see them; absent if there are none. */
  readonly books?: readonly OtherBook[];
  /** Elements of the workbook part by name, as XML. */
  readonly elements: Readonly<Record<string, string>>;
  /** Attributes of `calcPr`, as in the file. */
  readonly calculation?: Readonly<Record<string, string>>;
  /** Font of cells without a style. */
  readonly font?: Style;
  readonly names?: readonly KeptName[];
  readonly styles?: readonly KeptStyle[];
  /** Elements of the styles part, such as table styles and color lists, as XML. */
  readonly styleElements?: Readonly<Record<string, string>>;
  /** Formats that `styleElements` refers to by index. */
  readonly formats?: readonly string[];
}

/** Print settings made in the document; passthrough data of the file may add more. */
export interface PageSetup {
  readonly orientation?: 'portrait' | 'landscape';
  /** Paper size code, as in files. */
  readonly paper?: number;
  /** Percent. */
  readonly scale?: number;
  /** Fit to pages across and down instead of a scale; 0 means any number. */
  readonly fit?: boolean;
  readonly fitWidth?: number;
  readonly fitHeight?: number;
  /** Inches. */
  readonly margins?: Readonly<Partial<Record<'left' | 'right' | 'top' | 'bottom' | 'header' | 'footer', number>>>;
  /** Uses the field codes of files: `&P` is the page number. */
  readonly header?: string;
  readonly footer?: string;
  readonly gridlines?: boolean;
  readonly headings?: boolean;
  readonly centerAcross?: boolean;
  readonly centerDown?: boolean;
}

/** Settings of a whole sub-sheet. Default values are omitted. */
export interface SheetSetup {
  readonly visibility?: 'hidden' | 'veryHidden';
  /** Attributes of the color, as in the file. */
  readonly tabColor?: string;
  readonly gridlines?: false;
  /** Percent. */
  readonly zoom?: number;
  /** Pixels. */
  readonly colWidth?: number;
  /** Points. */
  readonly rowHeight?: number;
  readonly page?: PageSetup;
  /** Other attributes and elements, as XML, keyed by their place in the file. */
  readonly more?: Readonly<Record<string, string>>;
}

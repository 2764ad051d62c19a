import type { Region } from './rect.ts';
import type { Style } from './styles.ts';

/** What a document keeps of the file it came from, beside what it models: it goes out again as it came in. */

/** A cell that something hangs on; where the cell goes, its place is taken by what follows. */
export type Point = readonly [row: number, col: number];

/** A piece of a file that stands on a sub-sheet and follows the cells it speaks of. */
export interface Carried {
  /** What it is, in the word of the file: `conditionalFormatting`. */
  readonly kind: string;
  /** Its text, by place in the document's list: the text itself never changes. */
  readonly text: number;
  /** The cells it is about; it goes with the last of them. Absent: the sub-sheet as a whole. */
  readonly regions?: readonly Region[];
  readonly points?: readonly Point[];
  /** Formulas in it, as the first cell of the first region reads them. */
  readonly formulas?: readonly string[];
}

export interface KeptRelation {
  /** The whole address by which files name the kind of the relation. */
  readonly type: string;
  /** Key of a kept part, place of a kept text that is a part of its own, or the address of something outside. */
  readonly part?: string;
  readonly text?: number;
  readonly target?: string;
}

/** XML with holes where regions, points, formulas, relations and formats go. */
export interface KeptText {
  readonly xml: string;
  readonly relations?: readonly KeptRelation[];
  /** What the file keeps in a list elsewhere and names by its place: formats that rules set, authors. */
  readonly pieces?: readonly string[];
  /** Where it is a part of its own, its name and type. */
  readonly path?: string;
  readonly type?: string;
}

/** A whole part of the file. */
export interface KeptPart {
  readonly path: string;
  readonly type: string;
  /** Its bytes, packed, as base64. */
  readonly data: string;
  readonly relations?: readonly (readonly [id: string, relation: KeptRelation])[];
}

/** A named look of the file, as cells refer to it. */
export interface KeptStyle {
  readonly name: string;
  /** Attributes of the entry besides name and number. */
  readonly attributes: string;
  /** The entry it is based on, and the pieces that it names. */
  readonly look: string;
  readonly font: string;
  readonly fill: string;
  readonly border: string;
  readonly format?: string;
}

/** What is told of a name besides what it stands for; with a text, a name that documents do not understand. */
export interface KeptName {
  readonly name: string;
  /** Id of the sub-sheet it belongs to. */
  readonly sheet?: string;
  readonly attributes: string;
  readonly text?: string;
}

/** A sheet of another workbook. */
export interface OtherSheet {
  readonly name: string;
  /** What the file last saw in its cells. Absent: nothing is known of them. */
  readonly cells?: readonly (readonly [
    row: number,
    col: number,
    value: number | string | boolean | { readonly error: string },
  ])[];
}

/** Another workbook that formulas refer to. */
export interface OtherBook {
  /** As formulas call it between brackets. */
  readonly name: string;
  readonly sheets: readonly OtherSheet[];
}

/** Nothing in it changes while the document is edited. */
export interface KeptBook {
  readonly texts: readonly KeptText[];
  readonly parts: Readonly<Record<string, KeptPart>>;
  /** Relations of the package and of the workbook. */
  readonly root: readonly KeptRelation[];
  readonly workbook: readonly KeptRelation[];
  /** Other workbooks, in the order in which formulas count them. */
  readonly others: readonly KeptRelation[];
  /** The same, as formulas see them; absent when there are none. */
  readonly books?: readonly OtherBook[];
  /** Elements of the workbook by name, as XML. */
  readonly elements: Readonly<Record<string, string>>;
  /** Attributes of `calcPr`, as the file says them. */
  readonly calculation?: Readonly<Record<string, string>>;
  /** How cells look that have no style. */
  readonly font?: Style;
  readonly names?: readonly KeptName[];
  readonly styles?: readonly KeptStyle[];
  /** Formats for tables, lists of colors and the like, as XML of the styles part. */
  readonly styleElements?: Readonly<Record<string, string>>;
  /** Formats that those name by number. */
  readonly formats?: readonly string[];
}

/** How a sub-sheet is printed, as far as it was said here: the file that it came from may say the rest. */
export interface PageSetup {
  readonly orientation?: 'portrait' | 'landscape';
  /** As files number papers. */
  readonly paper?: number;
  /** Percent. */
  readonly scale?: number;
  /** Pages across and down, instead of a scale; 0 is any number. */
  readonly fit?: boolean;
  readonly fitWidth?: number;
  readonly fitHeight?: number;
  /** Inches. */
  readonly margins?: Readonly<Partial<Record<'left' | 'right' | 'top' | 'bottom' | 'header' | 'footer', number>>>;
  /** With the codes of files: `&P` is the page. */
  readonly header?: string;
  readonly footer?: string;
  readonly gridlines?: boolean;
  readonly headings?: boolean;
  readonly centerAcross?: boolean;
  readonly centerDown?: boolean;
}

/** What a sub-sheet says of itself as a whole. What equals the default is left out. */
export interface SheetSetup {
  readonly visibility?: 'hidden' | 'veryHidden';
  /** Attributes of the color, as the file says it. */
  readonly tabColor?: string;
  readonly gridlines?: false;
  /** Percent. */
  readonly zoom?: number;
  /** Pixels. */
  readonly colWidth?: number;
  /** Points. */
  readonly rowHeight?: number;
  readonly page?: PageSetup;
  /** Attributes and elements besides, as XML, by where they belong. */
  readonly more?: Readonly<Record<string, string>>;
}

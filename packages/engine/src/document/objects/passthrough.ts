import type { Region } from './rect.ts';
import type { Style } from './styles.ts';

/**
 * A cell to which stored XML of an imported sheet refers. If an edit deletes the cell, the reference moves to the cell
 * that takes its place.
 */
export type Point = readonly [row: number, col: number];

/**
 * An XML element of an imported sheet for which the document has no data structure. It is stored, so that an export can
 * write it back. Its cell references follow insertions, deletions and moves of rows and columns.
 */
export interface PassthroughElement {
  /** Name of the XML element, such as `conditionalFormatting`. */
  readonly kind: string;
  /** Index of the element's XML in `KeptBook.texts`; the XML never changes. */
  readonly text: number;
  /**
   * Cells to which the XML element applies. The element is removed when all of them are deleted. If absent, the element
   * applies to the whole sub-sheet.
   */
  readonly regions?: readonly Region[];
  readonly points?: readonly Point[];
  /**
   * Formulas of the XML element. They are written as for the first cell of the first region, or as for A1 if there are
   * no regions.
   */
  readonly formulas?: readonly string[];
}

export interface KeptRelation {
  /** Type of the relationship, a URI. */
  readonly type: string;
  /**
   * Target of the relationship, in one of three fields: `part` is the key of a part in `KeptBook.parts`, `text` the
   * index of a `KeptText` that is a separate file in the XLSX package, and `target` an external address.
   */
  readonly part?: string;
  readonly text?: number;
  readonly target?: string;
}

/**
 * XML of an imported file that an export writes back. Placeholders stand for the regions, points, formulas,
 * relationships and formats in it, because these can change before the export.
 */
export interface KeptText {
  readonly xml: string;
  readonly relations?: readonly KeptRelation[];
  /**
   * Further texts that belong to the XML. In most cases they are the entries that the XML refers to by index and that
   * the file stores in a separate list, such as the formats of rules or the authors of comments.
   */
  readonly pieces?: readonly string[];
  /**
   * Relationships of the imported file that contained this XML, except those that an element of the XML refers to by
   * id.
   */
  readonly linked?: readonly KeptRelation[];
  /**
   * Fingerprint (hash) of the object that was read from this XML, if the document has such an object. The export writes
   * this XML as long as the object's fingerprint is the same.
   */
  readonly read?: string;
  /**
   * Fingerprints (hashes), at the time of the import, of the parts of the object that was read from this XML. If the
   * object changes, the XML of its unchanged parts is still exported.
   */
  readonly reads?: readonly string[];
  /**
   * Cells that this XML refers to, as positions relative to the first cell of the object that was read from it. For the
   * XML of a sheet's view, they are relative to A1.
   */
  readonly offsets?: readonly Point[];
  /**
   * Texts of cells of an imported pivot table for which the file has another text than the engine computes, each with
   * the cell's position relative to the table's first cell. The export writes these texts.
   */
  readonly captions?: readonly (readonly [row: number, col: number, text: string])[];
  /** Path and content type, if this XML is a separate file in the XLSX package. */
  readonly path?: string;
  readonly type?: string;
}

/** A file inside the XLSX package that is stored as bytes and written back by an export. */
export interface KeptPart {
  readonly path: string;
  readonly type: string;
  /** Compressed bytes, as base64. */
  readonly data: string;
  readonly relations?: readonly (readonly [id: string, relation: KeptRelation])[];
}

export interface KeptStyle {
  readonly name: string;
  /** XML attributes of the named style, except its name and id. */
  readonly attributes: string;
  /**
   * `look` is the content of the named style's format record (`xf`): its attributes, the character `>` and its child
   * elements. `font`, `fill` and `border` are the XML of the entries that this record refers to. Each of the four is
   * stored as an index into `KeptBook.words`, or in older documents as the text itself.
   */
  readonly look: string | number;
  readonly font: string | number;
  readonly fill: string | number;
  readonly border: string | number;
  readonly format?: string;
}

/**
 * A cell format (`xf`) of the imported file. The export writes the parts of it that the document's style has not
 * changed. `font`, `fill` and `border` are numbers of entries in `KeptBook.words`.
 */
export interface KeptLook {
  /** The style that was read from the imported cell format. */
  readonly style: Style;
  /** Attributes of the format record (`xf`) except the indexes of its parts. */
  readonly attributes: string;
  readonly alignment?: string;
  readonly protection?: string;
  readonly font: number;
  readonly fill: number;
  readonly border: number;
  /** Number of a built-in number format, or the pattern of a custom one. */
  readonly format?: number | string;
}

/**
 * Formulas of a sub-sheet as the imported file spells them. They are exported as long as the sub-sheet has its name
 * from the file.
 */
export interface KeptFormulas {
  readonly sheet: string;
  readonly name: string;
  /** Two entries per formula: the text that the export would write, then the text in the imported file. */
  readonly texts: readonly string[];
}

/**
 * A defined name for which the imported file contains data that the document has no fields for. `text` is the
 * definition of the name and is set only if the engine cannot use the definition.
 */
export interface KeptName {
  readonly name: string;
  /** Id of the sub-sheet that the name is limited to; absent if the name is valid in the whole workbook. */
  readonly sheet?: string;
  readonly attributes: string;
  readonly text?: string;
  /**
   * Set if the imported file spells the definition differently: the text that the export would write, and the text in
   * the file.
   */
  readonly spelling?: readonly [written: string, said: string];
}

/** A sheet of another workbook that formulas refer to. */
export interface OtherSheet {
  readonly name: string;
  /** Values of the sheet's cells that the imported file stores; absent if the file stores none for this sheet. */
  readonly cells?: readonly (readonly [
    row: number,
    col: number,
    value: number | string | boolean | { readonly error: string },
  ])[];
}

/** Another workbook that formulas refer to. */
export interface OtherBook {
  /** The name that formulas write in brackets, as in `[name]Sheet1!A1`. */
  readonly name: string;
  readonly sheets: readonly OtherSheet[];
}

/**
 * Parts of an imported workbook for which the document has no data structures. They are stored, so that an export can
 * write them back. Edits do not change them.
 */
export interface KeptBook {
  readonly texts: readonly KeptText[];
  readonly parts: Readonly<Record<string, KeptPart>>;
  /** Relationships of the XLSX package (`root`) and of its main part, the workbook (`workbook`). */
  readonly root: readonly KeptRelation[];
  readonly workbook: readonly KeptRelation[];
  /**
   * Relationships to other workbooks. Formulas in the file refer to them by their position in this list, counted from
   * 1, as in `[1]Sheet1!A1`.
   */
  readonly others: readonly KeptRelation[];
  /**
   * The other workbooks that formulas of this one refer to, with the cell values that the file caches of them; absent
   * if there are none.
   */
  readonly books?: readonly OtherBook[];
  /**
   * XML of elements of the workbook part, by element name. Under the keys `workbookPr` and `view`, only the XML
   * attributes of the element are stored.
   */
  readonly elements: Readonly<Record<string, string>>;
  /** Attributes of the file's `calcPr` element (calculation settings). */
  readonly calculation?: Readonly<Record<string, string>>;
  /** Default font of the file: the font of cells without a style. */
  readonly font?: Style;
  readonly names?: readonly KeptName[];
  readonly styles?: readonly KeptStyle[];
  /** XML of elements of the styles part, such as table styles and color lists, by element name. */
  readonly styleElements?: Readonly<Record<string, string>>;
  /**
   * XML of the file's differential formats (formats that set only some properties), to which `styleElements` refers by
   * index.
   */
  readonly formats?: readonly string[];
  /** Cell formats of the file; `Style.source` refers to them. */
  readonly looks?: readonly KeptLook[];
  /**
   * Distinct XML fragments of the file that many cells, rows or columns share. References to them count from 1, because
   * 0 means none.
   */
  readonly words?: readonly string[];
  /**
   * `activeSheet` is the sheet shown when the file is opened, and `firstSheet` the first visible tab. Each is a
   * sub-sheet's id or a chart sheet's name.
   */
  readonly activeSheet?: string;
  /**
   * Formulas that the file writes differently than the export would, by sub-sheet. They are exported as the file wrote
   * them.
   */
  readonly formulas?: readonly KeptFormulas[];
  /** XML of the metadata part, if cells refer to it for pictures or other rich values. */
  readonly metadata?: string;
  readonly firstSheet?: string;
}

/**
 * Print settings of a sub-sheet. Imported settings that have no field in this interface are stored separately and
 * written back on export.
 */
export interface PageSetup {
  readonly orientation?: 'portrait' | 'landscape';
  /** Paper size code of the XLSX format. */
  readonly paper?: number;
  /** Print scale in percent. */
  readonly scale?: number;
  /**
   * If true, the sheet is scaled to `fitWidth` pages across and `fitHeight` pages down; 0 means any number of pages.
   */
  readonly fit?: boolean;
  readonly fitWidth?: number;
  readonly fitHeight?: number;
  /** Margins in inches. */
  readonly margins?: Readonly<Partial<Record<'left' | 'right' | 'top' | 'bottom' | 'header' | 'footer', number>>>;
  /** Header and footer text with the field codes of XLSX: `&P` is the page number. */
  readonly header?: string;
  readonly footer?: string;
  readonly gridlines?: boolean;
  readonly headings?: boolean;
  readonly centerAcross?: boolean;
  readonly centerDown?: boolean;
}

/** Settings of a sub-sheet. Properties with default values are omitted. */
export interface SheetSetup {
  readonly visibility?: 'hidden' | 'veryHidden';
  /** XML attributes of the tab color, as in the imported file. */
  readonly tabColor?: string;
  readonly gridlines?: false;
  /** Zoom in percent. */
  readonly zoom?: number;
  /** Default column width in pixels. */
  readonly colWidth?: number;
  /** Default row height in points. */
  readonly rowHeight?: number;
  readonly page?: PageSetup;
  /**
   * Sheet protection in the imported file: the XML attributes of its element, and the ids of the protections in this
   * document that were read from it.
   */
  readonly protection?: { readonly attributes: string; readonly ids: readonly string[] };
  /**
   * Imported XML attributes and elements that the document does not model, keyed by their location in the sheet's XML.
   */
  readonly more?: Readonly<Record<string, string>>;
}

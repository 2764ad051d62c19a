import { splitLiteral } from '../../base/split-literal.ts';
import type { Region } from './rect.ts';
import type { Style } from './styles.ts';

/**
 * An object attached to ranges of cells: a conditional format, data validation, comment or table. Its ranges move when
 * rows or columns are inserted, deleted or moved. Relative references in its formulas are written as for the first (top
 * left) cell of the first region.
 */
export interface RangeObject {
  readonly id: string;
  readonly regions: readonly Region[];
  readonly formulas?: readonly string[];
}

export const formatKinds = splitLiteral(
  'cell text date top average duplicate unique blank not_blank error not_error formula scale bar icons',
);
export type FormatKind = (typeof formatKinds)[number];

export const comparisons = splitLiteral(
  'between not_between equal not_equal greater less greater_or_equal less_or_equal',
);
export type Comparison = (typeof comparisons)[number];

export const textTests = ['contains', 'not_contains', 'begins_with', 'ends_with'] as const;

export const datePeriods = splitLiteral(
  'yesterday today tomorrow last_7_days last_week this_week next_week last_month this_month next_month',
);
export type DatePeriod = (typeof datePeriods)[number];

/**
 * One threshold of a conditional format that is a color scale, data bar or icon set. The threshold's value is computed
 * by the formula that has the same index in the rule's `formulas`.
 */
export interface FormatStep {
  readonly type: 'min' | 'max' | 'number' | 'percent' | 'percentile' | 'formula';
  /** Color at this threshold of a color scale, as AARRGGBB. */
  readonly color?: string;
  /**
   * For icon sets: if set, only values above the threshold get its icon, and a value equal to the threshold gets the
   * icon of the next lower threshold. Otherwise an equal value gets the threshold's icon.
   */
  readonly above?: true;
}

/**
 * A conditional format rule. A sub-sheet lists its rules in order of precedence: if two rules set the same property of
 * a cell, the first one wins.
 */
export interface ConditionalFormat extends RangeObject {
  readonly kind: FormatKind;
  /**
   * For kind `cell`: how the cell's value is compared with the formulas. For kind `text`: how the first formula's text
   * is searched for in the cell.
   */
  readonly test?: Comparison | (typeof textTests)[number];
  readonly period?: DatePeriod;
  /** For kind `top`: the number of cells, or their percentage if `percent` is set. */
  readonly rank?: number;
  readonly percent?: true;
  /** For kind `top`, selects the lowest values; for kind `average`, values below the average. */
  readonly below?: true;
  /** For kind `average`: also selects values equal to the average. */
  readonly equal?: true;
  /** For kind `average`: number of standard deviations between the average and the limit; 0 if unset. */
  readonly deviations?: number;
  readonly style?: Style;
  readonly stop?: true;
  readonly steps?: readonly FormatStep[];
  /** Color of the data bars, as AARRGGBB. */
  readonly color?: string;
  /** Name of the icon set in the XLSX format. */
  readonly icons?: string;
  readonly reverse?: true;
  /** For data bars and icon sets: hides the cell's value. */
  readonly hidesValue?: true;
  /**
   * Data of a rule from an imported file that an export writes back, such as the XML of its cell format (`format`) and
   * of its extensions (`more`). Dropped when the rule is edited.
   */
  readonly kept?: {
    readonly format?: string;
    readonly more?: string;
    readonly priority?: number;
    /** The rule's ranges as the file spells them; set only if the export would spell the same ranges differently. */
    readonly sqref?: string;
    /**
     * XML attributes and content of the rule in the imported file. `read` is a hash of the XML that an export would
     * have generated for the rule right after the import. As long as the hash of the generated XML is the same, the
     * rule is unchanged, and the export writes the imported XML.
     */
    readonly rule?: { readonly read: string; readonly attributes: string; readonly inside: string };
  };
}

export const validationKinds = ['list', 'whole', 'decimal', 'date', 'time', 'length', 'custom', 'any'] as const;
export type ValidationKind = (typeof validationKinds)[number];

/** A data validation rule. For `list`, the first formula is a range, or the values as comma-separated text. */
export interface Validation extends RangeObject {
  readonly kind: ValidationKind;
  readonly test?: Comparison;
  /** If set, a blank cell is invalid. */
  readonly required?: true;
  /** For kind `list`: hides the drop-down button. */
  readonly hidesList?: true;
  /** Message shown when the cell is selected; not shown if `silent`. */
  readonly prompt?: { readonly title?: string; readonly text?: string; readonly silent?: true };
  /**
   * Message shown if an invalid value is entered. With style `warning` or `information`, the value is still accepted.
   * With `silent`, it is accepted without a message.
   */
  readonly error?: {
    readonly style?: 'warning' | 'information';
    readonly title?: string;
    readonly text?: string;
    readonly silent?: true;
  };
  /**
   * XML attributes of the imported rule that have no effect but are written back on export. `blank` is set for a rule
   * of kind `any`, which tests nothing, and `operator` for a rule of kind `list` or `custom`, which compares nothing.
   * `button` is set if the file states explicitly that the drop-down button is shown.
   */
  readonly kept?: {
    readonly blank?: false;
    readonly operator?: string;
    readonly button?: true;
    /**
     * The rule's XML in the imported file. `read` is a hash of the XML that an export would have generated for the rule
     * right after the import. As long as the hash of the generated XML is the same, the rule is unchanged, and the
     * export writes the imported XML.
     */
    readonly rule?: { readonly read: string; readonly xml: string };
  };
}

export interface CommentEntry {
  readonly id: string;
  /** A user id; for an imported comment, the author's name in the file. */
  readonly author: string;
  /** Time of the entry in Unix milliseconds; 0 if unknown. */
  readonly at: number;
  readonly text: string;
  /**
   * Data of an entry from an imported file that an export writes back: the entry's id, its author's id (`person`), and
   * the XML of its mentions of other people (`more`).
   */
  readonly kept?: { readonly id: string; readonly person: string; readonly more?: string };
}

/** A comment thread on one cell. Its only region is that cell. */
export interface Comment extends RangeObject {
  readonly entries: readonly CommentEntry[];
  readonly resolved?: true;
  /** True for a note, the older kind of comment in Excel, which cannot have replies. */
  readonly note?: true;
  /**
   * Data of an imported note that an export writes back. `box` is the position, visibility and color of the box in
   * which the note is drawn; unset if they are the default. `kept` is the note's content as XML; it is dropped at the
   * first reply.
   */
  readonly box?: string;
  readonly kept?: string;
}

export interface TableColumn {
  /**
   * Number by which stored formulas refer to the column. It stays the same if the column is renamed and is never reused
   * within the table.
   */
  readonly number: number;
  /** Column name that applies if the header cell is blank or the table has no header row. */
  readonly name: string;
  /**
   * XML of the imported table column for which the document has no fields, as an index in `KeptBook.texts`. An export
   * writes it back.
   */
  readonly kept?: number;
}

export interface TableStyle {
  /** Style name of the XLSX format, such as `TableStyleMedium2`. */
  readonly name?: string;
  readonly firstColumn?: true;
  readonly lastColumn?: true;
  readonly rowStripes?: true;
  readonly columnStripes?: true;
}

/** A table. It has exactly one region; its header cells name its columns. */
export interface Table extends RangeObject {
  /** Number by which stored formulas refer to the table; unique in the document. */
  readonly number: number;
  readonly name: string;
  /** False if the table has no header row, so that its first row is data. */
  readonly headings?: false;
  /** True if the last row holds totals. */
  readonly totals?: true;
  readonly style?: TableStyle;
  /** The columns from left to right, one per column of the region. */
  readonly columns: readonly TableColumn[];
  /** The `number` that the next added column gets. */
  readonly next: number;
  /**
   * XML of an imported table, which an export writes back, as indexes in `KeptBook.texts`: `source` is the XML of the
   * whole table, and `kept` the XML of only those parts for which the document has no fields.
   */
  readonly kept?: number;
  readonly source?: number;
}

/** The objects attached to ranges of a sub-sheet, by kind. */
export interface RangeObjectLists {
  readonly formats: readonly ConditionalFormat[];
  readonly validations: readonly Validation[];
  readonly comments: readonly Comment[];
  readonly tables: readonly Table[];
}
export type RangeObjectKind = keyof RangeObjectLists;
/**
 * Kinds of range objects of which a part can be copied: if only some of an object's cells are copied, the copy applies
 * to these cells. Tables are excluded, because a table is copied only as a whole.
 */
export type CopyableRangeObjectKind = Exclude<RangeObjectKind, 'tables'>;

import { words } from '../../base/split-literal.ts';
import type { Region } from './rect.ts';
import type { Style } from './styles.ts';

/**
 * An object attached to ranges of cells: a conditional format, data validation, comment or table. Structural edits
 * move its ranges. Its formulas are relative to the first cell of the first region.
 */
export interface Mark {
  readonly id: string;
  readonly regions: readonly Region[];
  readonly formulas?: readonly string[];
}

export const formatKinds = words(
  'cell text date top average duplicate unique blank not_blank error not_error formula scale bar icons',
);
export type FormatKind = (typeof formatKinds)[number];

export const comparisons = words('between not_between equal not_equal greater less greater_or_equal less_or_equal');
export type Comparison = (typeof comparisons)[number];

export const textTests = ['contains', 'not_contains', 'begins_with', 'ends_with'] as const;

export const datePeriods = words(
  'yesterday today tomorrow last_7_days last_week this_week next_week last_month this_month next_month',
);
export type DatePeriod = (typeof datePeriods)[number];

/** A threshold of a color scale, data bar or icon set. Its value is the rule's formula at the same index. */
export interface FormatStep {
  readonly type: 'min' | 'max' | 'number' | 'percent' | 'percentile' | 'formula';
  /** Color at this threshold of a color scale, as AARRGGBB. */
  readonly color?: string;
  /**
   * For icon sets: only a value above the threshold gets its icon. A value equal to the threshold gets the next lower
   * icon.
   */
  readonly above?: true;
}

/**
 * A conditional format rule. Rules are in order of precedence: if two rules set the same property, the first one wins.
 */
export interface ConditionalFormat extends Mark {
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
  /** For kind `average`: number of standard deviations from the average. */
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
  /** Passthrough data of an imported rule: its format and extension XML. Dropped when the rule is edited. */
  readonly kept?: {
    readonly format?: string;
    readonly more?: string;
    readonly priority?: number;
    /** The rule's ranges as the file writes them; set only if the export would write them differently. */
    readonly sqref?: string;
    /**
     * Attributes and content of the rule's XML in the file. They are exported as long as the rule's fingerprint equals
     * `read`, that is, the rule is unchanged since the import.
     */
    readonly rule?: { readonly read: string; readonly attributes: string; readonly inside: string };
  };
}

export const validationKinds = ['list', 'whole', 'decimal', 'date', 'time', 'length', 'custom', 'any'] as const;
export type ValidationKind = (typeof validationKinds)[number];

/** A data validation rule. For `list`, the first formula is a range, or the values as comma-separated text. */
export interface Validation extends Mark {
  readonly kind: ValidationKind;
  readonly test?: Comparison;
  /** If set, a blank cell is invalid. */
  readonly required?: true;
  /** For kind `list`: hides the drop-down button. */
  readonly hidesList?: true;
  /** Message shown when the cell is selected; not shown if `silent`. */
  readonly prompt?: { readonly title?: string; readonly text?: string; readonly silent?: true };
  /** Message shown for an invalid value. With style `warning` or `information`, the value is still accepted. */
  readonly error?: {
    readonly style?: 'warning' | 'information';
    readonly title?: string;
    readonly text?: string;
    readonly silent?: true;
  };
  /**
   * Imported attributes that have no effect but are written back on export. `blank` was read from a rule of kind
   * `any`, which tests nothing, `operator` from a rule of kind `list` or `custom`, which compares nothing, and
   * `button` is set if the file shows a list's button explicitly.
   */
  readonly kept?: {
    readonly blank?: false;
    readonly operator?: string;
    readonly button?: true;
    /**
     * The rule's XML in the file. It is exported as long as the rule's fingerprint equals `read`, that is, the rule is
     * unchanged since the import.
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
  /** Data of an imported entry that the document does not model: its id, its author's id, and its mentions as XML. */
  readonly kept?: { readonly id: string; readonly person: string; readonly more?: string };
}

/** A comment thread on one cell. Its only region is that cell. */
export interface Comment extends Mark {
  readonly entries: readonly CommentEntry[];
  readonly resolved?: true;
  /** True for a legacy note, which has no replies. */
  readonly note?: true;
  /**
   * `box` is the shape of an imported note's box. `kept` is the note's text as XML; it is dropped at the first reply.
   */
  readonly box?: string;
  readonly kept?: string;
}

export interface TableColumn {
  /** Id of the column in stored formulas; never reused within its table. */
  readonly number: number;
  /** Column name that applies if the header cell is blank or the table has no header row. */
  readonly name: string;
  /** Index in `KeptBook.texts` of those parts of the column's imported XML that the document does not model. */
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
export interface Table extends Mark {
  /** Id of the table in stored formulas; unique in the document. */
  readonly number: number;
  readonly name: string;
  /** False if the table has no header row, so that its first row is data. */
  readonly headings?: false;
  /** True if the last row holds totals. */
  readonly totals?: true;
  readonly style?: TableStyle;
  /** The columns from left to right, one per column of the region. */
  readonly columns: readonly TableColumn[];
  /** Id for the next column that is added. */
  readonly next: number;
  /**
   * Indexes in `KeptBook.texts`: `source` is the XML of the whole table, and `kept` the XML of those parts of the
   * table that the document does not model.
   */
  readonly kept?: number;
  readonly source?: number;
}

/** The objects attached to ranges of a sub-sheet, by kind. */
export interface Marks {
  readonly formats: readonly ConditionalFormat[];
  readonly validations: readonly Validation[];
  readonly comments: readonly Comment[];
  readonly tables: readonly Table[];
}
export type MarkList = keyof Marks;
/**
 * Kinds of objects on ranges, such as rules and comments, of which a partial copy of their range copies a part. Tables
 * are not among them, because a table is copied only as a whole.
 */
export type CellMarkList = Exclude<MarkList, 'tables'>;

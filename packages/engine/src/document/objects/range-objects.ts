import { words } from '../../base/words.ts';
import type { Region } from './rect.ts';
import type { Style } from './styles.ts';

/**
 * Objects attached to ranges that follow structural edits: conditional formats, data validations, comments, tables.
 * Formulas are relative to the first cell of the first region.
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

/** A threshold of a color scale, data bar or icon set; its value is the formula at the same index. */
export interface FormatStep {
  readonly type: 'min' | 'max' | 'number' | 'percent' | 'percentile' | 'formula';
  /** Color of a scale, as AARRGGBB. */
  readonly color?: string;
  /** Icons: a value equal to the threshold belongs to the icon below. */
  readonly above?: true;
}

/** One rule. Rules are in order of precedence: if two set the same property, the first wins. */
export interface ConditionalFormat extends Mark {
  readonly kind: FormatKind;
  /** `cell`: the comparison with the formulas; `text`: how the first formula's text is searched. */
  readonly test?: Comparison | (typeof textTests)[number];
  readonly period?: DatePeriod;
  /** `top`: the number of cells, or the percentage. */
  readonly rank?: number;
  readonly percent?: true;
  /** `top`: the lowest values; `average`: values below the average. */
  readonly below?: true;
  /** `average`: includes values equal to the average. */
  readonly equal?: true;
  /** `average`: number of standard deviations from the average. */
  readonly deviations?: number;
  readonly style?: Style;
  readonly stop?: true;
  readonly steps?: readonly FormatStep[];
  /** Color of data bars, as AARRGGBB. */
  readonly color?: string;
  /** Name of the icon set, as in files. */
  readonly icons?: string;
  readonly reverse?: true;
  /** Bars and icons: hides the cell's value. */
  readonly hidesValue?: true;
  /** Passthrough data of the file: the format and the extensions of newer programs; dropped when the rule is changed. */
  readonly kept?: { readonly format?: string; readonly more?: string; readonly priority?: number };
}

export const validationKinds = ['list', 'whole', 'decimal', 'date', 'time', 'length', 'custom', 'any'] as const;
export type ValidationKind = (typeof validationKinds)[number];

/** A data validation rule. For `list`, the first formula is a range, or the values as comma-separated text. */
export interface Validation extends Mark {
  readonly kind: ValidationKind;
  readonly test?: Comparison;
  /** Blank is not allowed. */
  readonly required?: true;
  /** Lists: hides the drop-down button. */
  readonly hidesList?: true;
  /** Input message; not shown if `silent`. */
  readonly prompt?: { readonly title?: string; readonly text?: string; readonly silent?: true };
  /** Error message for an invalid value; `warning` and `information` still accept the value. */
  readonly error?: {
    readonly style?: 'warning' | 'information';
    readonly title?: string;
    readonly text?: string;
    /** No message is shown. */
    readonly silent?: true;
  };
  /**
   * Passthrough attributes that have no effect: that a rule for any value disallows blanks, the operator of a list or
   * custom rule, and that a list's button is explicitly shown.
   */
  readonly kept?: { readonly blank?: false; readonly operator?: string; readonly button?: true };
}

export interface CommentEntry {
  readonly id: string;
  /** A user id, or the author's name in an imported file. */
  readonly author: string;
  /** Unix milliseconds; 0 if unknown. */
  readonly at: number;
  readonly text: string;
  /** Passthrough data of an imported entry: its id, its author's id, and its mentions as XML. */
  readonly kept?: { readonly id: string; readonly person: string; readonly more?: string };
}

/** A comment thread on one cell; its region is that cell. */
export interface Comment extends Mark {
  readonly entries: readonly CommentEntry[];
  readonly resolved?: true;
  /** A legacy note, which has no replies. */
  readonly note?: true;
  /** Passthrough data of an imported comment: the shape of its box, and its note text as XML until there is a reply. */
  readonly box?: string;
  readonly kept?: string;
}

export interface TableColumn {
  /** Id of the column in formulas; never reused within its table. */
  readonly number: number;
  /** Column name, used where there is no header text. */
  readonly name: string;
  /** Index of the column's passthrough text. */
  readonly kept?: number;
}

export interface TableStyle {
  /** Style name as in files: `TableStyleMedium2`. */
  readonly name?: string;
  readonly firstColumn?: true;
  readonly lastColumn?: true;
  readonly rowStripes?: true;
  readonly columnStripes?: true;
}

/** A table with one region. Its header cells name its columns. */
export interface Table extends Mark {
  /** Id of the table in formulas; unique in the document. */
  readonly number: number;
  readonly name: string;
  /** The table has no header row: its first row is data. */
  readonly headings?: false;
  /** Its last row holds totals. */
  readonly totals?: true;
  readonly style?: TableStyle;
  /** From left to right, one per column of the region. */
  readonly columns: readonly TableColumn[];
  /** Id of the next new column. */
  readonly next: number;
  /** Index of the table's passthrough text. */
  readonly kept?: number;
}

/** The lists of marks of a sub-sheet. */
export interface Marks {
  readonly formats: readonly ConditionalFormat[];
  readonly validations: readonly Validation[];
  readonly comments: readonly Comment[];
  readonly tables: readonly Table[];
}
export type MarkList = keyof Marks;
/** Marks that belong to cells and are copied with part of their range. */
export type CellMarkList = Exclude<MarkList, 'tables'>;

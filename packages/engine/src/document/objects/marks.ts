import type { Region } from './rect.ts';
import type { Style } from './styles.ts';

/**
 * Things that stand on ranges and follow them: conditional formats, data validation, comments, tables. Formulas are as the
 * first cell of the first region reads them.
 */
export interface Mark {
  readonly id: string;
  readonly regions: readonly Region[];
  readonly formulas?: readonly string[];
}

export const formatKinds = [
  'cell',
  'text',
  'date',
  'top',
  'average',
  'duplicate',
  'unique',
  'blank',
  'not_blank',
  'error',
  'not_error',
  'formula',
  'scale',
  'bar',
  'icons',
] as const;
export type FormatKind = (typeof formatKinds)[number];

export const comparisons = [
  'between',
  'not_between',
  'equal',
  'not_equal',
  'greater',
  'less',
  'greater_or_equal',
  'less_or_equal',
] as const;
export type Comparison = (typeof comparisons)[number];

export const textTests = ['contains', 'not_contains', 'begins_with', 'ends_with'] as const;

export const datePeriods = [
  'yesterday',
  'today',
  'tomorrow',
  'last_7_days',
  'last_week',
  'this_week',
  'next_week',
  'last_month',
  'this_month',
  'next_month',
] as const;
export type DatePeriod = (typeof datePeriods)[number];

/** Where a scale, a bar or a set of icons has a step; its value is the formula of the same place. */
export interface FormatStep {
  readonly type: 'min' | 'max' | 'number' | 'percent' | 'percentile' | 'formula';
  /** AARRGGBB, of scales. */
  readonly color?: string;
  /** Icons: the step itself belongs to what is below it. */
  readonly above?: true;
}

/** One rule. Rules come in order of precedence: where two say the same property, the first holds. */
export interface ConditionalFormat extends Mark {
  readonly kind: FormatKind;
  /** `cell`: how the formulas are compared; `text`: how the first is looked for. */
  readonly test?: Comparison | (typeof textTests)[number];
  readonly period?: DatePeriod;
  /** `top`: how many, or how many percent. */
  readonly rank?: number;
  readonly percent?: true;
  /** `top` and `average`: the lowest, or what is below. */
  readonly below?: true;
  /** `average`: the average itself too. */
  readonly equal?: true;
  /** `average`: so many standard deviations away. */
  readonly deviations?: number;
  readonly style?: Style;
  readonly stop?: true;
  readonly steps?: readonly FormatStep[];
  /** AARRGGBB, of bars. */
  readonly color?: string;
  /** Name of the set of icons, as files say it. */
  readonly icons?: string;
  readonly reverse?: true;
  /** Bars and icons: the value itself is not shown. */
  readonly hidesValue?: true;
  /** Of the file it came from: the format and what newer programs add to the rule, as long as it is not changed. */
  readonly kept?: { readonly format?: string; readonly more?: string; readonly priority?: number };
}

export const validationKinds = ['list', 'whole', 'decimal', 'date', 'time', 'length', 'custom', 'any'] as const;
export type ValidationKind = (typeof validationKinds)[number];

/** What may be entered. Of `list` the first formula is a range, or the values as a text with commas. */
export interface Validation extends Mark {
  readonly kind: ValidationKind;
  readonly test?: Comparison;
  /** Blank is not allowed. */
  readonly required?: true;
  /** Of lists: no button is shown. */
  readonly hidesList?: true;
  /** `silent`: it is not shown. */
  readonly prompt?: { readonly title?: string; readonly text?: string; readonly silent?: true };
  /** What is said of a wrong value; `warning` and `information` let it in. */
  readonly error?: {
    readonly style?: 'warning' | 'information';
    readonly title?: string;
    readonly text?: string;
    /** Nothing is said. */
    readonly silent?: true;
  };
  /**
   * Of the file it came from, though it means nothing: that it does not allow blanks where it allows everything, how a
   * list or a formula compares, and that the button of a list is not hidden.
   */
  readonly kept?: { readonly blank?: false; readonly operator?: string; readonly button?: true };
}

export interface CommentEntry {
  readonly id: string;
  /** A user's id, or the name by which a file calls somebody. */
  readonly author: string;
  /** Unix milliseconds; 0 when nobody knows. */
  readonly at: number;
  readonly text: string;
  /** Of an entry that comes from a file: by which ids it knows it and its author, and whom it mentions, as XML. */
  readonly kept?: { readonly id: string; readonly person: string; readonly more?: string };
}

/** A thread on one cell: its regions are that cell. */
export interface Comment extends Mark {
  readonly entries: readonly CommentEntry[];
  readonly resolved?: true;
  /** A note of the old kind, without answers. */
  readonly note?: true;
  /** Of what comes from a file: how its box is drawn, and the text of its note as XML as long as nobody answers. */
  readonly box?: string;
  readonly kept?: string;
}

export interface TableColumn {
  /** By which formulas know it; never given again in its table. */
  readonly number: number;
  /** What it is called where no heading says so. */
  readonly name: string;
  /** What the file it came from says of it besides, by place among the kept texts. */
  readonly kept?: number;
}

export interface TableStyle {
  /** As files call it: `TableStyleMedium2`. */
  readonly name?: string;
  readonly firstColumn?: true;
  readonly lastColumn?: true;
  readonly rowStripes?: true;
  readonly columnStripes?: true;
}

/** A table, of one region. Its columns are called what their headings say. */
export interface Table extends Mark {
  /** By which formulas know it; unique in the document. */
  readonly number: number;
  readonly name: string;
  /** Its first row is data too. */
  readonly headings?: false;
  /** Its last row holds totals. */
  readonly totals?: true;
  readonly style?: TableStyle;
  /** From left to right, one for each column of the region. */
  readonly columns: readonly TableColumn[];
  /** The number that the next new column gets. */
  readonly next: number;
  /** What the file it came from says of it besides, by place among the kept texts. */
  readonly kept?: number;
}

/** The lists of a sub-sheet that hold them. */
export interface Marks {
  readonly formats: readonly ConditionalFormat[];
  readonly validations: readonly Validation[];
  readonly comments: readonly Comment[];
  readonly tables: readonly Table[];
}
export type MarkList = keyof Marks;
/** Those that are of cells, and go with them when a part of their range is copied. */
export type CellMarkList = Exclude<MarkList, 'tables'>;

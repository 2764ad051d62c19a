/** A kind of element or attribute that an export may lack or write differently, and why that is no loss. */
interface AllowedDifference {
  readonly kind: RegExp;
  readonly reason: string;
  /** Whether this value may differ; `gained` are the values of the kind that only the export has. Absent: any. */
  readonly allows?: (value: string, gained: readonly string[]) => boolean;
}

const written = (value: string): string => value.slice(value.lastIndexOf('|') + 1);
/** Values that the format gives to an attribute that is not written. */
const defaults = new Set([
  '',
  '0',
  '1',
  'none',
  'general',
  'bottom',
  'A1',
  'topLeft',
  'normal',
  'worksheet',
  '64',
  'auto',
  'visible',
]);

/** The same table is in docs/guide/differences.md. */
export const allowedDifferences: readonly AllowedDifference[] = [
  {
    kind: /^officeDocument (?:fileVersion|workbookPr|revisionPtr|absPath|AlternateContent|Choice|calcPr)(?:@|$| )/,
    reason: 'which program saved the file last, where, and with which calculation engine',
  },
  {
    kind: /^officeDocument (?:fileRecoveryPr)/,
    reason: 'asks the program to repair the file when it opens it; the export is not damaged',
  },
  {
    kind: /^officeDocument (?:sheet|workbookView|bookViews|definedName|definedNames)@(?:id|xWindow|yWindow)$/,
    reason: 'a number of the file',
  },
  {
    kind: /^officeDocument pivotCache|^relationship officeDocument to (?:theme|vbaProject|volatileDependencies|person)/,
    reason: 'written anew, or macros, which are left out with a warning',
  },
  {
    kind: /^officeDocument definedName/,
    reason: 'the hidden name that Excel leaves behind when a filter is removed',
    allows: (value) => value.startsWith('_xlnm._FilterDatabase|'),
  },
  { kind: /@macro$/, reason: 'macros are left out with a warning' },
  {
    kind: /^officeDocument definedNames$|^worksheet sheetPr$/,
    reason: 'a list without entries, or one whose entries may be left out',
  },
  {
    kind: /^worksheet (?:dimension|sheetFormatPr@dyDescent|sheetView@workbookViewId)/,
    reason: 'computed from the cells when a program opens the file',
  },
  {
    kind: /^extended-properties (?:HeadingPairs|TitlesOfParts|vector|variant|i4|lpstr)/,
    reason: 'counts of sheets and names, which programs compute',
  },
  {
    kind: /@/,
    reason: 'the value that the format gives where none is written',
    allows: (value) => defaults.has(written(value)),
  },
  {
    kind: /^worksheet (?:col|cols)(?:@|$)/,
    reason: 'adjacent columns that are alike share one element, or are written one by one',
  },
];

/** Returns why a value of a kind may differ; undefined if it may not. */
export function mayDiffer(kind: string, value: string, gained: readonly string[]): string | undefined {
  return allowedDifferences.find((one) => one.kind.test(kind) && (one.allows?.(value, gained) ?? true))?.reason;
}

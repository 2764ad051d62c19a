/** An element or attribute that an export may lack or write differently, and why that is no loss. */
interface AllowedDifference {
  /** Kinds as `parts.ts` names them, such as `worksheet pageSetup@scale`. */
  readonly kinds: readonly string[];
  readonly reason: string;
  /** Whether this value may differ; `gained` are the values of the kind that only the export has. Absent: any. */
  readonly allows?: (value: string, gained: readonly string[]) => boolean;
}

const lastProgram = 'says which program saved the file, and where';

/** Elements that are not compared, with all that is in them. The same table is in docs/guide/differences.md. */
export const ignoredElements: ReadonlyMap<string, string> = new Map([
  ['officeDocument fileVersion', lastProgram],
  ['officeDocument revisionPtr', lastProgram],
  ['officeDocument absPath', lastProgram],
  ['extended-properties HeadingPairs', 'counts of sheets and names, which programs compute'],
  ['extended-properties TitlesOfParts', 'names of sheets, which programs write anew'],
  ['worksheet dimension', 'the range of the cells, which programs compute'],
  ['officeDocument pivotCaches', 'numbers the pivot caches, which are compared themselves'],
  ['worksheet pivotSelection', 'names a pivot table by its place in the original; the selected cells are kept'],
]);

/** Parts that are not compared, by the kind of their relationship. */
export const ignoredParts: ReadonlyMap<string, string> = new Map([
  ['diagramDrawing', 'a picture of SmartArt for programs that cannot draw it'],
  ['volatileDependencies', 'programs build it when they calculate'],
  ['vbaProject', 'macros are left out with a warning'],
]);

/** The same table is in docs/guide/differences.md. */
export const allowedDifferences: readonly AllowedDifference[] = [
  { kinds: ['officeDocument calcPr@calcId'], reason: 'the version of the program that calculated last' },
  { kinds: ['worksheet sheetFormatPr@dyDescent'], reason: 'the descent of the font, which programs compute' },
  { kinds: ['officeDocument workbook@space', 'worksheet worksheet@space'], reason: 'no text depends on it' },
  { kinds: ['officeDocument workbook@conformance'], reason: 'the export is in the usual form of the format' },
  {
    kinds: ['drawing pic@macro', 'drawing sp@macro', 'drawing graphicFrame@macro', 'worksheet controlPr@macro'],
    reason: 'macros are left out with a warning',
  },
  {
    kinds: ['officeDocument fileRecoveryPr', 'officeDocument fileRecoveryPr@repairLoad'],
    reason: 'asks the program to repair the file; the export is not damaged',
  },
  {
    kinds: ['officeDocument workbookView@activeTab'],
    reason: 'a workbook that opens on no sheet opens on the first visible one',
    allows: (value) => value === '|-1',
  },
  {
    kinds: ['officeDocument workbookPr@date1904'],
    reason: 'days are counted from 1900, and show the same dates',
  },
];

/** Returns why a value of a kind may differ; undefined if it may not. */
export function mayDiffer(kind: string, value: string, gained: readonly string[]): string | undefined {
  return allowedDifferences.find((one) => one.kinds.includes(kind) && (one.allows?.(value, gained) ?? true))?.reason;
}

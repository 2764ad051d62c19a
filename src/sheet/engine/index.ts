/** The spreadsheet engine, whole: no input or output, no clock, no chance. `docs/guide/engine.md` tells how to use it. */
export { cellName, columnName, columnOf, parseCell, parseRect, rectName } from './base/address.ts';
export type { CellAddress, Rect } from './base/address.ts';
export { BudgetExceeded } from './base/budget.ts';
export { criterion } from './base/criteria.ts';
export { SheetDocument } from './document/document.ts';
export type { PivotOutput } from './document/document.ts';
export { edit, settle } from './history/edit.ts';
export type { ChangedSpan, EditOptions, EditResult } from './history/edit.ts';
export { FormulaSyntaxError } from './formula/lexer.ts';
export { functionNames } from './functions/index.ts';
export type { Change } from './graph/writer.ts';
export { readInput } from './workbook/input.ts';
export type { Input } from './workbook/input.ts';
export { loadColumn, loadRows } from './workbook/load.ts';
export * from './mutations/index.ts';
export { format, isDatePattern, isValidPattern } from './base/number-format.ts';
export { compileCalculated } from './document/pivot/calculated.ts';
export { computePivot, fieldNames } from './document/pivot/compute.ts';
export { pivotFits } from './document/pivot/output.ts';
export { readRange } from './workbook/read.ts';
export type { CellView } from './workbook/read.ts';
export { Sheet } from './store/sheet.ts';
export type { Constant, Contents, FormulaRun, ValueRun } from './document/objects/contents.ts';
export { ENGINE, FORMAT, SnapshotError, load, snapshot } from './history/snapshot.ts';
export { aggregations as AGGREGATIONS } from './document/objects/objects.ts';
export type {
  Aggregation,
  Anchor,
  Chart,
  Filter,
  FilterColumn,
  FloatImage,
  Freeze,
  Link,
  PivotTable,
  Protection,
  RichText,
  SheetType,
} from './document/objects/objects.ts';
export {
  wholeGrid as LARGEST,
  checkRegion,
  contains,
  meets,
  rectOf,
  regionOf,
  sameRect,
} from './document/objects/rect.ts';
export type { Region } from './document/objects/rect.ts';
export { Runs } from './document/objects/runs.ts';
export type { Run } from './document/objects/runs.ts';
export type { Style, StyleKey, StylePatch } from './document/objects/styles.ts';
export { newCols as NEW_COLS, newRows as NEW_ROWS } from './document/objects/sub-sheet.ts';
export type { SubSheet, SubSheetState } from './document/objects/sub-sheet.ts';
export {
  CellError,
  cellErrors as ERRORS,
  maxCols as MAX_COLS,
  maxRows as MAX_ROWS,
  errorOfText,
  isError,
} from './base/values.ts';
export type { Scalar } from './base/values.ts';
export { Workbook } from './workbook/workbook.ts';
export type { RecalcOptions, Surroundings } from './workbook/workbook.ts';
export type { RewrittenFormulas } from './workbook/structure.ts';
export { cellReplies, cellRepliesJson } from './document/cells-reply.ts';
export type { CellReply, ValueType } from './document/cells-reply.ts';
export { CsvError, csvCell, parseCsv, toCsv } from './document/csv.ts';
export { filterChoices, hiddenRows } from './document/filter.ts';
export { BadPattern, maxFound as MOST_FOUND, compilePattern, find, matcherOf } from './document/find.ts';
export type { FindOptions, FindResult, Matcher } from './document/find.ts';
export {
  rebuildStages as STAGES,
  applyNewRevisions,
  begin,
  isFailure,
  rebuild,
  rebuildRevisions,
  rebuildSheet,
  rebuildSheetWithTrim,
  rebuildWorkbook,
} from './history/rebuild.ts';
export type { RebuildFailure, Rebuilding, Rebuilt, Revision, Source, Stage } from './history/rebuild.ts';
export { shownText, shownTexts } from './document/shown.ts';
export { sortOrder } from './document/sort.ts';
export type { SortKey } from './document/sort.ts';

/**
 * Public entry point for code that works with whole spreadsheet documents: sub-sheets (tabs) with styles, objects,
 * protections and history. `index.ts` is the entry point for code that only calculates formulas.
 */
export { chargeMemory, chargeText } from './base/budget.ts';
export {
  asOf,
  currentYear,
  /** @deprecated Use `currentYear`. */
  currentYear as presentYear,
} from './base/current-time.ts';
export { type CellReply, cellReplies, cellRepliesText } from './document/get-cell-data-reply.ts';
export { CsvError, csvCell, parseCsv, toCsv } from './document/csv.ts';
export { type ComputedFormat, computedFormats, type Look } from './document/rules/conditional-formats.ts';
export {
  mergeAdjacentRegions,
  /** @deprecated Use `mergeAdjacentRegions`. */
  mergeAdjacentRegions as joined,
  moveToRegions,
  /** @deprecated Use `moveToRegions`. */
  moveToRegions as onRegions,
  intersectRegions as regionsWithin,
  subtractRegions as regionsWithout,
} from './document/rules/region-operations.ts';
export {
  describeRequirement,
  /** @deprecated Use `describeRequirement`. */
  describeRequirement as requirementOf,
} from './document/rules/validation-message.ts';
export { choicesOf, isValid, validationAt } from './document/rules/data-validation.ts';
export { anchorRect } from './document/objects/anchor-rect.ts';
export { SheetDocument } from './document/document.ts';
export { hiddenRows, isListed } from './document/filter.ts';
export { BadPattern, type FindOptions, type FindResult, find, matcherOf, replacerOf } from './document/find.ts';
export {
  type BlockCell,
  type Constant,
  type Contents,
  type FormulaRun,
  runOf,
  type ValueRun,
  capture,
  isBlank,
  isEmpty,
} from './document/objects/cell-contents.ts';
export {
  type Comment,
  type CommentEntry,
  type Comparison,
  type ConditionalFormat,
  type FormatKind,
  type FormatStep,
  type CopyableRangeObjectKind,
  /** @deprecated Use `CopyableRangeObjectKind`. */
  type CopyableRangeObjectKind as CellMarkList,
  type RangeObject,
  /** @deprecated Use `RangeObject`. */
  type RangeObject as Mark,
  type RangeObjectKind,
  /** @deprecated Use `RangeObjectKind`. */
  type RangeObjectKind as MarkList,
  type RangeObjectLists,
  /** @deprecated Use `RangeObjectLists`. */
  type RangeObjectLists as Marks,
  type Table,
  type TableColumn,
  type TableStyle,
  type Validation,
  type ValidationKind,
  comparisons,
  datePeriods,
  formatKinds,
  textTests,
  validationKinds,
} from './document/objects/range-objects.ts';
export type {
  PassthroughElement,
  /** @deprecated Use `PassthroughElement`. */
  PassthroughElement as Carried,
  KeptBook,
  KeptFormulas,
  KeptLook,
  KeptName,
  KeptPart,
  KeptRelation,
  KeptStyle,
  KeptText,
  OtherBook,
  OtherSheet,
  PageSetup,
  Point,
  SheetSetup,
} from './document/objects/passthrough.ts';
export {
  type Aggregation,
  type Anchor,
  type Chart,
  type ChartSeries,
  type Filter,
  type FilterColumn,
  type FloatImage,
  type Freeze,
  type KeptFrame,
  type Link,
  type PivotTable,
  type Protection,
  type RichText,
  aggregations,
} from './document/objects/sheet-objects.ts';
export { type Region, contains, meets, rectOf, regionOf, sameRect, wholeGrid } from './document/objects/rect.ts';
export { type Run, Runs } from './document/objects/run-length.ts';
export { type Style, type StylePatch, StyleTable } from './document/objects/styles.ts';
export {
  namesForStoredFormulas,
  /** @deprecated Use `namesForStoredFormulas`. */
  namesForStoredFormulas as storedNames,
} from './document/objects/document-tables.ts';
export { SubSheet, type SubSheetState, newCols, newRows } from './document/objects/sub-sheet.ts';
export { compileCalculated, unknownNames } from './document/pivot/calculated-fields.ts';
export { computePivot, fieldNames, shapeOf } from './document/pivot/compute-pivot.ts';
export { pivotFits } from './document/pivot/pivot-output.ts';
export { shownText, shownTexts } from './document/display-text.ts';
export { sortOrder } from './document/sort-order.ts';
export {
  type ChangedSpan,
  DocumentSpoiled,
  type EditResult,
  edit,
  recalculateDocument,
  /** @deprecated Use `recalculateDocument`. */
  recalculateDocument as settle,
  rollBackEdit,
  /** @deprecated Use `rollBackEdit`. */
  rollBackEdit as takeBack,
} from './history/apply-edit.ts';
export { type Revision, isFailure, rebuild } from './history/rebuild.ts';
export {
  loadSnapshot,
  /** @deprecated Use `loadSnapshot`. */
  loadSnapshot as load,
  encodeSnapshot,
  /** @deprecated Use `encodeSnapshot`. */
  encodeSnapshot as snapshot,
} from './history/snapshot.ts';

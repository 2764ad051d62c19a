/**
 * Public entry of the spreadsheet engine. It does no input or output and has no clock or randomness of its own.
 * `docs/guide/engine.md` explains its use.
 */
export {
  cellName,
  columnName,
  columnOf,
  needsQuotes,
  parseCell,
  parseRect,
  rectName,
  type CellAddress,
  type Rect,
} from './base/address.ts';
export { BudgetExceeded, StepBudget, charge, within, type Allowance } from './base/budget.ts';
export { compareScalars, foldText } from './base/compare.ts';
export { criterion } from './base/criteria.ts';
export { maxCols, maxRows } from './base/grid-size.ts';
export { colorInFormat, format, isDatePattern, isValidPattern } from './base/number-format.ts';
export { CellError, cellErrors, errorOfCode, errorOfText, isError, type Scalar } from './base/values.ts';
export { FormulaSyntaxError, isRef } from './formula/token.ts';
export type { BaseKind, FunctionDef } from './functions/define.ts';
export { functionNamed, functionNames } from './functions/index.ts';
export type { Change } from './graph/group-calculator.ts';
export {
  evaluateFormula,
  /** @deprecated Use `evaluateFormula`. */
  evaluateFormula as ask,
} from './workbook/evaluate-formula.ts';
export {
  Workbook,
  type Address,
  type CellOutput,
  type ChangedRange,
  type WorkbookOptions,
} from './workbook/workbook.ts';
export { readInput, type Input } from './workbook/parse-input.ts';
export { loadColumn, loadRows } from './workbook/bulk-load.ts';
export { readRange, type CellView } from './workbook/read-range.ts';
export { lastWithin, type RewrittenFormulas } from './workbook/shift-cells-and-formulas.ts';
export { type CellInput } from './workbook/write-rows.ts';
export { WorkbookCore, type CellContext, type RecalcOptions, type Surroundings } from './workbook/workbook-core.ts';
export * from './document-entry.ts';
export * from './mutations-entry.ts';
/** @deprecated Raw cell storage and formula templates are internal; they stay published for one more version. */
export * from './internal-storage-entry.ts';

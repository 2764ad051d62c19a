/** The spreadsheet engine: pure, no input or output, no clock, no chance. */
export { cellName, columnName, columnOf, parseCell, parseRect, rectName } from './address.ts';
export type { CellAddress, Rect } from './address.ts';
export { BudgetExceeded } from './budget.ts';
export { criterion } from './criteria.ts';
export { FormulaSyntaxError } from './formula/lexer.ts';
export { functionNames } from './functions/index.ts';
export type { Change } from './graph/writer.ts';
export { readInput } from './input.ts';
export { loadColumn, loadRows } from './load.ts';
export { clearContents, clearStyles, reorderRows } from './ranges.ts';
export { readRange } from './read.ts';
export type { CellView } from './read.ts';
export { Sheet } from './sheet.ts';
export type { RewrittenFormulas } from './structure.ts';
export { CellError, ERRORS, MAX_COLS, MAX_ROWS, errorOfText, isError } from './values.ts';
export type { Scalar } from './values.ts';
export { Workbook } from './workbook.ts';
export type { RecalcOptions, Surroundings } from './workbook.ts';

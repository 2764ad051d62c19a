/**
 * Entry point for the code that reads and writes spreadsheet files. It exports the raw cell storage and formula
 * templates, which are fast but check no arguments. Not a supported public interface.
 */
export {
  bindTable,
  isTable,
  tableRect,
  tableRefs,
  type TablePart,
  type TableShape,
} from './formula/table-reference.ts';
export { type RefPart, type SheetNames, resolveRef } from './formula/reference.ts';
export { type Iteration, iterationOf } from './graph/iterative-calculation.ts';
export type { Mode } from './formula/array-evaluation-mode.ts';
export { Template } from './formula/formula-template.ts';
export { rowsReading } from './graph/formula-group.ts';
export { Band, bandRows, blankTag, type Chunk, errorTag, logicalTag, numberTag, textTag } from './store/chunk.ts';
export {
  IndexedSheet,
  /** @deprecated Use `IndexedSheet`. */
  IndexedSheet as Sheet,
} from './store/indexed-sheet.ts';
export {
  StringPool,
  /** @deprecated Use `StringPool`. */
  StringPool as Strings,
} from './store/string-pool.ts';
export {
  cellsShowingFormulaText,
  /** @deprecated Use `cellsShowingFormulaText`. */
  cellsShowingFormulaText as formulaTexts,
} from './workbook/cells-showing-formula-text.ts';
export { forgetUnused } from './workbook/recalculate-workbook.ts';

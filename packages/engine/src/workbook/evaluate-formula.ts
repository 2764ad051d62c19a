import { currentBudget } from '../base/budget.ts';
import { asOf } from '../base/current-time.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { CellError, Matrix, type Scalar } from '../base/values.ts';
import { cellResult } from '../formula/compile.ts';
import { Evaluation } from '../formula/evaluation-context.ts';
import type { IndexedSheet } from '../store/indexed-sheet.ts';
import type { RecalcOptions, WorkbookCore } from './workbook-core.ts';

/**
 * Evaluates a formula as if it were in cell A1 of a sub-sheet, without storing it. Throws FormulaSyntaxError if the
 * formula is invalid.
 */
export function evaluateFormula(
  workbook: WorkbookCore,
  sheet: IndexedSheet,
  text: string,
  { now = 0, seed = 0 }: RecalcOptions = {},
): Scalar | readonly Scalar[] {
  const template = workbook.templates.of(text.startsWith('=') ? text : `=${text}`, 0, 0);
  const random = new SeededRandom(seed);
  random.at(sheet.id, 0, 0);
  const evaluation = new Evaluation(workbook, sheet, currentBudget(), now, random.next);
  evaluation.dynamic = true;
  try {
    const result = asOf(now, () => cellResult(evaluation, template.evaluate(evaluation), true));
    return result instanceof Matrix ? result.data : result;
  } catch (error) {
    if (error instanceof CellError) return error;
    throw error;
  }
}

import { fail } from '../../operation/errors.ts';
import { type SheetDocument, edit, type EditResult } from '../engine/document.ts';
import { cellName, FormulaSyntaxError, type RecalcOptions } from '../engine/index.ts';
import { type Mutation, setRangeBlock, type SetRangeBlock, setValues, type SetValues } from '../engine/mutations.ts';

/** Edits; a formula that cannot be read is told with the cell it was meant for, since a call may write thousands. */
export function editNamingCells(
  document: SheetDocument,
  mutations: readonly Mutation[],
  options: RecalcOptions,
): EditResult {
  try {
    return edit(document, mutations, options);
  } catch (error) {
    if (!(error instanceof FormulaSyntaxError)) throw error;
    const cell = cellOf(error.formula, mutations);
    throw fail('formula', cell === undefined ? error.message : `cell ${cell}: ${error.message}`);
  }
}

function cellOf(formula: string, mutations: readonly Mutation[]): string | undefined {
  for (const mutation of mutations) {
    if (mutation.type === setValues.type) {
      const run = (mutation.data as SetValues).formulas?.find(([, , , text]) => text === formula);
      if (run) return cellName(run[0], run[1]);
    }
    if (mutation.type === setRangeBlock.type) {
      const { row, col, rows } = mutation.data as SetRangeBlock;
      for (const [r, line] of rows.entries()) {
        const c = line.findIndex(
          (cell) => typeof cell === 'object' && cell !== null && 'formula' in cell && cell.formula === formula,
        );
        if (c >= 0) return cellName(row + r, col + c);
      }
    }
  }
  return undefined;
}

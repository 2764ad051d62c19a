import { fail } from '../../../kernel/errors.ts';
import { type SheetDocument, edit, type EditResult } from '@sheaf/engine/internal/document';
import { cellName, FormulaSyntaxError, type RecalcOptions } from '@sheaf/engine';
import type { Mutation } from '@sheaf/engine/internal/mutations';

/**
 * Applies mutations to the document. Reports a formula's syntax error with the address of its cell, because one call
 * may write thousands of formulas.
 */
export function applyEdit(document: SheetDocument, mutations: readonly Mutation[], options: RecalcOptions): EditResult {
  try {
    return edit(document, mutations, options);
  } catch (error) {
    if (!(error instanceof FormulaSyntaxError)) throw error;
    const { cell, message } = error;
    throw fail('formula', cell ? `cell ${cellName(cell.row, cell.col)}: ${message}` : message);
  }
}

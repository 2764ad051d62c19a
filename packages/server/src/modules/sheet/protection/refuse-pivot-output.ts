import { fail } from '../../../kernel/errors.ts';
import { meets, type SheetDocument } from '@sheaf/engine/internal/document';
import { cellName } from '@sheaf/engine';
import { touches, type Mutation } from '@sheaf/engine/internal/mutations';

/**
 * Throws if a mutation writes into a pivot table's output, because this output is computed. A value there would block
 * the pivot table, and clearing would have no effect.
 */
export function refusePivotOutput(document: SheetDocument, mutations: readonly Mutation[]): void {
  if (document.pivotOutputs.size === 0) return;
  for (const mutation of mutations) {
    for (const { sheet, rect, writesContents } of touches(document, mutation)) {
      if (!writesContents || !rect) continue;
      for (const [id, output] of document.pivotOutputs) {
        if (output.hidden || output.blocked || output.sheet !== sheet || !meets(output.rect, rect)) continue;
        const { top, left, bottom, right } = output.rect;
        throw fail(
          'conflict',
          `${cellName(top, left)}:${cellName(bottom, right)} shows pivot table ${id}; change it with ` +
            'update_pivot_table or remove it with remove_pivot_table',
        );
      }
    }
  }
}

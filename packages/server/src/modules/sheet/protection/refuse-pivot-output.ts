import { fail } from '../../../kernel/errors.ts';
import { meets, type SheetDocument } from '@sheaf/engine/internal/document';
import { cellName } from '@sheaf/engine';
import { touches, type Mutation } from '@sheaf/engine/internal/mutations';

/**
 * Throws if a mutation writes into a pivot table's output, because this output is computed. A value there would block
 * the pivot table, and clearing would have no effect. Pivot tables that the same mutations change or move do not count.
 */
export function refusePivotOutput(document: SheetDocument, mutations: readonly Mutation[]): void {
  if (document.pivotOutputs.size === 0) return;
  const parts = mutations.map((mutation) => touches(document, mutation));
  const changed = new Set(parts.flatMap((touched) => touched.flatMap(({ object }) => object ?? [])));
  for (const touched of parts) {
    for (const { sheet, rect, writesContents } of touched) {
      if (!writesContents || !rect) continue;
      for (const [id, output] of document.pivotOutputs) {
        if (
          changed.has(`pivot ${id}`) ||
          output.hidden ||
          output.blocked ||
          output.sheet !== sheet ||
          !meets(output.rect, rect)
        )
          continue;
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

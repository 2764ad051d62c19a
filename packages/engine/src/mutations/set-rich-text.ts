import type { RichText } from '../document/objects/sheet-objects.ts';
import { checkCell } from '../workbook/workbook-core.ts';
import { neverNoOp, undoWhenApart, touchesCells } from './affected-parts.ts';
import { defineMutation, type MutationKind } from './define-mutation.ts';

interface SetRichText {
  readonly sheet: string;
  /**
   * Formatted text runs per cell; null makes the text plain. The value of the cell itself is set by a preceding
   * set_values mutation.
   */
  readonly texts: readonly (readonly [row: number, col: number, text: RichText | null])[];
}

export const setRichText: MutationKind<SetRichText> = defineMutation({
  type: 40,
  name: 'set_rich_text',
  scope: 'cells',
  touches: ({ sheet, texts }) => touchesCells(sheet, texts),
  isNoOp: neverNoOp,
  beside: undoWhenApart,
  apply: (document, { sheet, texts }) => {
    const sub = document.subSheet(sheet);
    for (const [row, col] of texts) checkCell(row, col);
    const undo = setRichText.of({
      sheet,
      texts: texts.map(([row, col]) => [row, col, sub.rich.get(row, col) ?? null]),
    });
    for (const [row, col, text] of texts) {
      if (text) sub.rich.set(row, col, text);
      else sub.rich.delete(row, col);
    }
    return [undo];
  },
});

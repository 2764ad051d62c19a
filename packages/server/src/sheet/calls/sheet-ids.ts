import type { SheetDocument } from '@sheaf/engine/internal/document';

/** Fields that name a sub-sheet that is there. */
const fields = ['sheet_id', 'source_sheet_id', 'anchor_sheet_id', 'target_sheet_id'];

/** A sub-sheet's name is taken where an id is wanted and no sub-sheet has it as its id: answers and people speak of names. */
export function withSheetIds<Input>(document: SheetDocument, input: Input): Input {
  const given = input as Record<string, unknown>;
  let named: Record<string, unknown> | undefined;
  for (const field of fields) {
    const value = given[field];
    if (typeof value !== 'string' || document.find(value)) continue;
    const found = document.byName(value);
    if (found) named = { ...(named ?? given), [field]: found.id };
  }
  return (named ?? given) as Input;
}

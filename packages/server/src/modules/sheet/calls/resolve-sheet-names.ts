import type { SheetDocument } from '@sheaf/engine/internal/document';

/** Input fields that contain the id of an existing sub-sheet. Callers may send its name instead. */
const sheetIdFields = ['sheet_id', 'source_sheet_id', 'anchor_sheet_id', 'target_sheet_id'];

/**
 * Replaces names of sub-sheets in the id fields of an input by their ids, because users see and type names. Existing
 * ids and unknown names are left unchanged.
 */
export function resolveSheetNames<Input>(document: SheetDocument, input: Input): Input {
  const given = input as Record<string, unknown>;
  let named: Record<string, unknown> | undefined;
  for (const field of sheetIdFields) {
    const value = given[field];
    if (typeof value !== 'string' || document.find(value)) continue;
    const found = document.byName(value);
    if (found) named = { ...(named ?? given), [field]: found.id };
  }
  return (named ?? given) as Input;
}

import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { invalid } from '../errors.ts';
import { maxCols, maxRows } from '@sheaf/engine';
import { colField, rowField } from '../schema.ts';
import { integer } from '../../../kernel/field-schemas.ts';
import type { SheetDocument, Protection, Region, SubSheet } from '@sheaf/engine/internal/document';
import type { ToolCall } from '../calls/tool.ts';

/** Input fields of a protected range. The end indexes are exclusive, unlike in all other regions. */
export const exclusiveRange = z.object({
  start_row: rowField('First row.'),
  start_col: colField('First column.'),
  end_row: integer('Row after the last one.', { min: 1, max: maxRows }),
  end_col: integer('Column after the last one.', { min: 1, max: maxCols }),
});

export type ExclusiveRange = z.output<typeof exclusiveRange>;

export function toRegion(range: ExclusiveRange): Region {
  for (const axis of ['row', 'col'] as const) {
    const [start, end] = [range[`start_${axis}`], range[`end_${axis}`]];
    if (end <= start)
      throw invalid(`range.end_${axis}: is exclusive and must be more than start_${axis}, ${start} (got ${end})`);
  }
  return [range.start_row, range.start_col, range.end_row - 1, range.end_col - 1];
}

export function toExclusiveRange(sub: SubSheet, protection: Protection): ExclusiveRange {
  const [top, left, bottom, right] = protection.region ?? [0, 0, sub.rows - 1, sub.cols - 1];
  return { start_row: top, start_col: left, end_row: bottom + 1, end_col: right + 1 };
}

/**
 * Returns the protection with this id and its sub-sheet. Throws if there is none, if it is not on the sub-sheet
 * `sheetId`, or if the caller may not change it.
 */
export function requireProtection(
  document: SheetDocument,
  id: string,
  sheetId: string | undefined,
  call: ToolCall,
): { sub: SubSheet; protection: Protection } {
  for (const sub of document.subSheets) {
    const protection = sub.protections.find((one) => one.id === id);
    if (!protection) continue;
    if (sheetId && sheetId !== sub.id)
      throw invalid(`sheet_id: the protected range is on sub-sheet ${sub.id} (got ${JSON.stringify(sheetId)})`);
    if (!call.isOwner && protection.owner !== call.userId)
      throw fail('protected', "protect_range_id: only its creator and the document's owner may change this protection");
    return { sub, protection };
  }
  throw fail('no_such_object', `protect_range_id: there is no protected range ${JSON.stringify(id)}`);
}

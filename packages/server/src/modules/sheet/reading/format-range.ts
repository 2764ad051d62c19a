import { columnName, type Rect } from '@sheaf/engine';

/** Formats a range as `<sheet_id>$A1:B2`, the notation of the API specification. */
export function formatRange(sheetId: string, rect: Rect): string {
  return `${sheetId}$${columnName(rect.left)}${rect.top + 1}:${columnName(rect.right)}${rect.bottom + 1}`;
}

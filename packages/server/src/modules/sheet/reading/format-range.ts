import { columnName, type Rect } from '@sheaf/engine';

/** Formats a range in the notation of the API specification, `<sheet_id>$A1:B2`. */
export function formatRange(sheetId: string, rect: Rect): string {
  return `${sheetId}$${columnName(rect.left)}${rect.top + 1}:${columnName(rect.right)}${rect.bottom + 1}`;
}

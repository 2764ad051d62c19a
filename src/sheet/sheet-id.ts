import { randomText } from '../lib/ids.ts';

/** Short, because it stands in every range text (`<sheet_id>$A1:B2`); unique within its document. */
export function newSheetId(): string {
  return randomText(6);
}

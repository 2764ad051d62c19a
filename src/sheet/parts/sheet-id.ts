import { randomText } from '../../lib/ids.ts';
import { fail } from '../../operation/errors.ts';

/** Short, because it stands in every range text (`<sheet_id>$A1:B2`); unique within its document. */
export function newSheetId(): string {
  return randomText(6);
}

/** An id of the caller's own: it stands in range texts, links and addresses, so it may hold nothing that means something there. */
export function checkSheetId(field: string, id: string): string {
  if (!/^[\w-]+$/.test(id))
    throw fail('invalid_parameter', `${field}: must be letters, digits, _ and - only (got ${JSON.stringify(id)})`);
  return id;
}

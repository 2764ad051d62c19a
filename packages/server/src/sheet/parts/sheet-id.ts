import { randomText } from '../../lib/ids.ts';
import { fail } from '../../operation/errors.ts';

/** What could be a cell's address as well, with letters in front and digits behind. */
const likeAnAddress = /^[a-z]{1,3}\d+$/;

/**
 * Short, because it stands in every range text (`<sheet_id>$A1:B2`); unique within its document. Where a sub-sheet or a range
 * may be given, `vq6818` would be the cell VQ6818: one in a hundred texts is like that, and is not taken.
 */
export function newSheetId(): string {
  for (;;) {
    const id = randomText(6);
    if (!likeAnAddress.test(id)) return id;
  }
}

/** An id of the caller's own: it stands in range texts, links and addresses, so it may hold nothing that means something there. */
export function checkSheetId(field: string, id: string): string {
  if (!/^[\w-]+$/.test(id))
    throw fail('invalid_parameter', `${field}: must be letters, digits, _ and - only (got ${JSON.stringify(id)})`);
  return id;
}

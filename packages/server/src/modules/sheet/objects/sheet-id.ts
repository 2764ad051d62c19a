import { randomText } from '../../../lib/ids.ts';
import { invalid } from '../errors.ts';

/** Matches ids that look like a cell address: letters followed by digits. */
const likeAnAddress = /^[a-z]{1,3}\d+$/;

/**
 * Returns a new sub-sheet id. It is short, because it is part of every range text (`<sheet_id>$A1:B2`). Ids such as
 * `vq6818` are skipped, because they look like the cell VQ6818.
 */
export function newSheetId(): string {
  for (;;) {
    const id = randomText(6);
    if (!likeAnAddress.test(id)) return id;
  }
}

/**
 * Returns a sub-sheet id that the caller of the API chose. Throws if it contains special characters, because ids occur
 * in range texts, links and URLs.
 */
export function checkSheetId(field: string, id: string): string {
  if (!/^[\w-]+$/.test(id))
    throw invalid(`${field}: must be letters, digits, _ and - only (got ${JSON.stringify(id)})`);
  return id;
}

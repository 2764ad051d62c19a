import { randomText } from '../../../lib/ids.ts';
import { invalid } from '../errors.ts';

/** Ids that look like a cell address: letters followed by digits. */
const likeAnAddress = /^[a-z]{1,3}\d+$/;

/**
 * A new sub-sheet id: short, because it is part of every range text (`<sheet_id>$A1:B2`). Skips ids such as `vq6818`,
 * about one in a hundred, which would be ambiguous with the cell VQ6818.
 */
export function newSheetId(): string {
  for (;;) {
    const id = randomText(6);
    if (!likeAnAddress.test(id)) return id;
  }
}

/** Checks an id that the caller chose: it is used in range texts, links and URLs, so special characters are refused. */
export function checkSheetId(field: string, id: string): string {
  if (!/^[\w-]+$/.test(id))
    throw invalid(`${field}: must be letters, digits, _ and - only (got ${JSON.stringify(id)})`);
  return id;
}

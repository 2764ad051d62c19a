import { decodeCursor, encodeCursor, type CursorPart } from '../lib/cursor.ts';
import { fail } from './errors.ts';
import { flag, text } from './field-schemas.ts';
import { formatValue } from './parse-input.ts';

/** Makes the output field that marks the last page of a list. */
export const isEnd = () => flag('Whether this is the last page.');
export const nextCursor = () => text('Cursor of the next page; empty on the last page.');

/**
 * Returns the sort values that a page cursor contains, or undefined for the first page. Throws if the cursor belongs to
 * another list than `scope`. `from` describes the expected list in the error message.
 */
export function readCursor(
  scope: string,
  cursor: string | undefined,
  from = 'the same list',
): CursorPart[] | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const parts = decodeCursor(scope, cursor);
  if (!parts)
    throw fail('invalid_parameter', `cursor: must be "" or the next_cursor of ${from} (got ${formatValue(cursor)})`);
  return parts;
}

/**
 * Makes a page from a list that was read with `limit + 1` entries. The extra entry shows that there is a next page.
 * `placeOf` returns the sort values of an entry, which the cursor of the next page contains.
 */
export function pageOf<Entry>(
  found: readonly Entry[],
  limit: number,
  scope: string,
  placeOf: (last: Entry) => CursorPart[],
): { page: Entry[]; is_end: boolean; next_cursor: string } {
  const page = found.slice(0, limit);
  const is_end = found.length <= limit;
  return { page, is_end, next_cursor: is_end ? '' : encodeCursor(scope, placeOf(page.at(-1)!)) };
}

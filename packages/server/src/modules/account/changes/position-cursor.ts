import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts';
import { fail } from '../../../kernel/errors.ts';
import { formatValue } from '../../../kernel/parse-input.ts';
import type { LogPosition } from '../../../ports/change-log.ts';

/**
 * Scope of the page cursors of list_changes: a cursor is accepted only for the scope for which it was made. A cursor of
 * list_changes contains only a position in the log and gives no access to data, so all callers have the same scope.
 */
const scope = 'list_changes';

export function encodePosition({ after, missing }: LogPosition): string {
  return encodeCursor(scope, [after, ...missing.flat()]);
}

export function decodePosition(cursor: string): LogPosition {
  const [after, ...rest] = decodeCursor(scope, cursor) ?? [];
  const numbers = rest.filter((one) => Number.isSafeInteger(one)) as number[];
  if (!Number.isSafeInteger(after) || numbers.length !== rest.length)
    throw fail('invalid_parameter', `cursor: must be a next_cursor of list_changes (got ${formatValue(cursor)})`);
  const missing: [number, number][] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) missing.push([numbers[index]!, numbers[index + 1]!]);
  return { after: after as number, missing };
}

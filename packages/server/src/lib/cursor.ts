import { sha256 } from './hash.ts';

/**
 * Where a list goes on, as opaque text: the place of the last entry in its order, so that what is added or deleted
 * meanwhile neither repeats nor skips anything. The scope says which list, of whom, in which order: a cursor is good for
 * nothing else. The check finds typing errors and tampering; it protects no secret, for a place in one's own list is none.
 */
export type CursorPart = string | number;

export function encodeCursor(scope: string, parts: readonly CursorPart[]): string {
  const place = Buffer.from(JSON.stringify(parts)).toString('base64url');
  return `${place}.${check(scope, place)}`;
}

/** Undefined when it is not a cursor of this scope. */
export function decodeCursor(scope: string, cursor: string): CursorPart[] | undefined {
  const dot = cursor.lastIndexOf('.');
  const place = cursor.slice(0, dot);
  if (dot <= 0 || check(scope, place) !== cursor.slice(dot + 1)) return undefined;
  return JSON.parse(Buffer.from(place, 'base64url').toString('utf8')) as CursorPart[];
}

function check(scope: string, place: string): string {
  return sha256(`${scope}\n${place}`).slice(0, 16);
}

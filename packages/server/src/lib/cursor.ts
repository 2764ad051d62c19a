import { sha256 } from './hash.ts';

/**
 * A value in a page cursor. A cursor is opaque text with the sort values of a page's last entry, so that entries added
 * or deleted later cause no duplicates or gaps. It is valid only for one scope: a list, its user and its order. Its
 * checksum only detects typos; it is not a signature.
 */
export type CursorPart = string | number;

export function encodeCursor(scope: string, parts: readonly CursorPart[]): string {
  const place = Buffer.from(JSON.stringify(parts)).toString('base64url');
  return `${place}.${check(scope, place)}`;
}

/** Decodes a cursor. Returns undefined if the text is not a cursor of this scope. */
export function decodeCursor(scope: string, cursor: string): CursorPart[] | undefined {
  const dot = cursor.lastIndexOf('.');
  const place = cursor.slice(0, dot);
  if (dot <= 0 || check(scope, place) !== cursor.slice(dot + 1)) return undefined;
  return JSON.parse(Buffer.from(place, 'base64url').toString('utf8')) as CursorPart[];
}

function check(scope: string, place: string): string {
  return sha256(`${scope}\n${place}`).slice(0, 16);
}

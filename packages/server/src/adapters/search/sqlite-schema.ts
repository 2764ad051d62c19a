import { segmentFormat } from '@sheaf/search/index/segment-format';
import { tokensVersion } from '@sheaf/search/analysis/tokenizer';

/** Changes with the tables or the tokens; a file of another version is replaced and rebuilt. */
export const schemaVersion = `7.${segmentFormat}.${tokensVersion}`;

/** The same tables as in PostgreSQL (migration 011), in a separate file. */
export const createTablesSql = `
  CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS segment (
    number INTEGER PRIMARY KEY AUTOINCREMENT, space TEXT NOT NULL, documents INTEGER NOT NULL, bytes INTEGER NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS segment_space ON segment(space);
  CREATE TABLE IF NOT EXISTS part (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS document (
    number INTEGER PRIMARY KEY AUTOINCREMENT, space TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (space, id));
  CREATE TABLE IF NOT EXISTS gone (
    place INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL UNIQUE, space TEXT NOT NULL);
`;

const maxParts = 2 ** 24;

/** Combines segment and part into one integer key, the fastest lookup in SQLite. */
export function partKey(segment: number, part: number): number {
  return segment * maxParts + part;
}

/** Range of the keys of all parts of a segment. */
export function partKeyRange(segment: number): [first: number, last: number] {
  return [partKey(segment, 0), partKey(segment, maxParts - 1)];
}

import { maxParts, partKey, segmentFormat } from '@sheaf/search/index/segment-format';
import { tokensVersion } from '@sheaf/search/analysis/tokenizer';

/**
 * Version of the index file, made up of the versions of the tables, the segment format and the tokenizer. A file of
 * another version is replaced and rebuilt.
 */
export const schemaVersion = `7.${segmentFormat}.${tokensVersion}`;

/** SQL that creates the tables of the index file. They correspond to the tables in PostgreSQL (migration 011). */
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

/** Returns the first and the last possible key of a segment's parts. */
export function partKeyRange(segment: number): [first: number, last: number] {
  return [partKey(segment, 0), partKey(segment, maxParts - 1)];
}

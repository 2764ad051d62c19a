import { tokensVersion } from '../../lib/tokens.ts';

/** Raised with the tables or the tokens: a file of another version is replaced and rebuilt. */
export const schemaVersion = `4.${tokensVersion}`;

export const commonTables = `
  CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS space (name TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS owner (
    key INTEGER PRIMARY KEY, space TEXT NOT NULL, name TEXT NOT NULL, entries INTEGER NOT NULL, last INTEGER NOT NULL,
    UNIQUE (space, name));
`;

/** Spaces are named in code, never by a caller; a name is part of the names of its tables. */
export function spaceName(space: string): string {
  if (!/^[a-z]{1,20}$/.test(space))
    throw new Error(`a space of the search index is named by small letters, not ${JSON.stringify(space)}`);
  return space;
}

/**
 * A space has a slim table of what orders need, its column of times once more in pieces (sqlite-times.ts), and a full-text
 * table without content: the texts are in the stores.
 * `ascii` takes our tokens as they are; nothing is folded twice.
 */
export function spaceTables(space: string): string {
  const name = spaceName(space);
  return `
    CREATE TABLE IF NOT EXISTS entry_${name} (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner INTEGER NOT NULL, created INTEGER NOT NULL,
      modified INTEGER NOT NULL, size INTEGER NOT NULL, title_key TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS entry_${name}_modified ON entry_${name}(owner, modified DESC, id);
    CREATE INDEX IF NOT EXISTS entry_${name}_created ON entry_${name}(owner, created DESC, id);
    CREATE INDEX IF NOT EXISTS entry_${name}_title ON entry_${name}(owner, title_key, id);
    CREATE INDEX IF NOT EXISTS entry_${name}_size ON entry_${name}(owner, size DESC, id);
    CREATE TABLE IF NOT EXISTS times_${name} (piece INTEGER PRIMARY KEY, times BLOB NOT NULL);
    CREATE VIRTUAL TABLE IF NOT EXISTS text_${name} USING fts5(
      marks, title, headings, body, content = '', contentless_delete = 1, tokenize = 'ascii');
    INSERT INTO text_${name}(text_${name}, rank) VALUES ('hashsize', 8388608);
    INSERT INTO text_${name}(text_${name}, rank) VALUES ('usermerge', 2);
    INSERT OR IGNORE INTO space (name, entries) VALUES ('${name}', 0);
  `;
}

/**
 * Entries of an owner are numbered in a range of their own: what one owner has is a stretch of the full text, found as
 * quickly as everything. Owners past two million would leave the numbers that JavaScript holds exactly.
 */
export const range = 2 ** 32;

export function numberOf(owner: number, last: number): number {
  return owner * range + last;
}

export function rangeOf(owner: number): [first: number, last: number] {
  return [owner * range, owner * range + range - 1];
}

/** The token by which the full text knows an owner, for when several are asked for. No word has the sign in it. */
export function ownerToken(key: number): string {
  return `¶o${key}`;
}

/**
 * What comes before a word of a title or a heading where it is listed once more: words in titles are found by a short
 * list of their own, instead of by looking where in each text the word stands.
 */
export const fieldMarks = { title: '¶t', headings: '¶h' } as const;

/** What stands in the column of marks. */
export function marksOf(owner: number, { title, headings }: { title: string; headings: string }): string {
  return [ownerToken(owner), marked(title, fieldMarks.title), marked(headings, fieldMarks.headings)]
    .filter((part) => part !== '')
    .join(' ');
}

function marked(tokens: string, mark: string): string {
  return tokens === '' ? '' : mark + tokens.replaceAll(' ', ` ${mark}`);
}

import { deflateRaw, inflateRawSync } from 'node:zlib';
import { promisify } from 'node:util';
import type { Sql } from '../database.ts';
import { queryInChunks, sql } from '../statement.ts';

/** Stored form of a text: plain UTF-8, or compressed if that is smaller. */
export interface StoredText {
  body: Uint8Array;
  packed: 0 | 1;
  /** Size in bytes of the UTF-8 text, before compression. */
  size: number;
}

const worthPacking = 1024;
const deflate = promisify(deflateRaw);

export async function encodeText(text: string): Promise<StoredText> {
  const bytes = Buffer.from(text);
  return bytes.length < worthPacking
    ? { body: bytes, packed: 0, size: bytes.length }
    : smaller(bytes, await deflate(bytes, { level: 3 }));
}

function smaller(bytes: Buffer, packed: Buffer): StoredText {
  return packed.length < bytes.length
    ? { body: packed, packed: 1, size: bytes.length }
    : { body: bytes, packed: 0, size: bytes.length };
}

export interface PieceRow {
  lead: number;
  is_packed: number;
  body: Uint8Array;
}

/**
 * Returns a note's text as of a version. A version stores either the whole text or only an appended piece, so the
 * newest whole text up to this version is joined with the pieces appended after it.
 */
export async function readText(db: Pick<Sql, 'all'>, noteId: string, version: number): Promise<string> {
  const rows = await db.all<PieceRow>(sql`SELECT lead, is_packed, body FROM note_version WHERE note_id = ${noteId}
    AND version <= ${version} AND version >= (SELECT MAX(version) FROM note_version WHERE note_id = ${noteId}
    AND version <= ${version} AND is_whole = 1) ORDER BY version`);
  return rows.map(decodePiece).join('');
}

/** Returns a note's current text in one query, or undefined if the note does not exist. */
export async function readNewestText(db: Pick<Sql, 'all'>, noteId: string): Promise<string | undefined> {
  const rows = await db.all<PieceRow>(sql`SELECT v.lead, v.is_packed, v.body FROM note n JOIN note_version v
    ON v.note_id = n.id AND v.version >= n.whole_version AND v.version <= n.version WHERE n.id = ${noteId}
    ORDER BY v.version`);
  return rows.length === 0 ? undefined : rows.map(decodePiece).join('');
}

/** Returns the current texts of many notes by id, in few queries. Missing notes are left out. */
export async function readNewestTexts(db: Pick<Sql, 'all'>, noteIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(noteIds)];
  const texts = new Map<string, string>();
  for (const row of await readWholeTexts(db, ids)) texts.set(row.note_id, decodePiece(row));
  const rest = texts.size === ids.length ? [] : ids.filter((id) => !texts.has(id));
  for (const row of await readTextsWithPieces(db, rest))
    texts.set(row.note_id, (texts.get(row.note_id) ?? '') + decodePiece(row));
  return texts;
}

type NoteTextRow = PieceRow & { note_id: string };

/**
 * Reads the texts of the notes whose newest version stores the whole text; most notes are of this kind. Subqueries make
 * PostgreSQL look up each version in the index. For a join, it would scan the whole table `note_version` if the table
 * is small or was never analyzed.
 */
function readWholeTexts(db: Pick<Sql, 'all'>, ids: readonly string[]): Promise<NoteTextRow[]> {
  return queryInChunks<NoteTextRow>(ids, (list) =>
    db.all(sql`SELECT n.id AS note_id, 0 AS lead,
      (SELECT v.is_packed FROM note_version v WHERE v.note_id = n.id AND v.version = n.version) AS is_packed,
      (SELECT v.body FROM note_version v WHERE v.note_id = n.id AND v.version = n.version) AS body
      FROM note n WHERE n.id IN (${list}) AND n.whole_version = n.version`),
  );
}

function readTextsWithPieces(db: Pick<Sql, 'all'>, ids: readonly string[]): Promise<NoteTextRow[]> {
  return queryInChunks<NoteTextRow>(ids, (list) =>
    db.all(sql`SELECT v.note_id, v.lead, v.is_packed, v.body FROM note n JOIN note_version v ON v.note_id = n.id
      AND v.version >= n.whole_version AND v.version <= n.version WHERE n.id IN (${list})
      ORDER BY v.note_id, v.version`),
  );
}

export async function readVersionText(
  db: Pick<Sql, 'all' | 'get'>,
  noteId: string,
  version: number,
): Promise<string | undefined> {
  const known = await db.get('SELECT 1 AS found FROM note_version WHERE note_id = ? AND version = ?', noteId, version);
  return known === undefined ? undefined : readText(db, noteId, version);
}

export function decodePiece(row: PieceRow): string {
  const bytes = row.is_packed ? inflateRawSync(row.body) : row.body;
  return '\n'.repeat(row.lead) + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/**
 * Returns the number of line breaks at the end of the text, but at most two. Two suffice for a blank line before text
 * that is appended.
 */
export function countTrailingNewlines(text: string): number {
  const end = /(?:\r?\n){0,2}$/.exec(text.slice(-4))?.[0] ?? '';
  return end.split('\n').length - 1;
}

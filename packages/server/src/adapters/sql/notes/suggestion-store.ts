import type { Stamp } from '../../../ports/audit-stamp.ts';
import { TooManySuggestions, type Suggestion, type SuggestionStore } from '../../../ports/suggestion-store.ts';
import type { Database, Sql } from '../database.ts';
import { rowMapper, type Row } from '../row.ts';
import { sql } from '../statement.ts';
import { chargeNoteStorage, liveNote } from './note-writes.ts';

const maxOpen = 100;

const toSuggestion = rowMapper<Suggestion>()('id, note_id, user_id, key_id, at, base_version, edits, is_open', {
  isOpen: (row: Row<Suggestion>) => row.is_open === 1,
});

/**
 * Deletes the suggestions of a note that is deleted permanently. Refunds no bytes, because the caller refunds the
 * note's stored bytes, which include those of the suggestions.
 */
export async function deleteSuggestions(tx: Sql, noteId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM note_suggestion WHERE note_id = ${noteId}`);
}

export class SqlSuggestionStore implements SuggestionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(...[stamp, authorId, suggestion, limits]: Parameters<SuggestionStore['add']>): Promise<void> {
    const { id, noteId, userId, keyId, at, baseVersion, edits } = suggestion;
    const bytes = Buffer.byteLength(edits);
    await this.#db.write(stamp, { target: noteId, lock: `note:${noteId}` }, async (tx) => {
      await liveNote(tx, authorId, noteId);
      const open = await tx.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM note_suggestion
        WHERE note_id = ${noteId} AND is_open = 1`);
      if ((open?.n ?? 0) >= maxOpen) throw new TooManySuggestions();
      await chargeNoteStorage(tx, authorId, bytes, limits);
      await tx.execute(sql`UPDATE note SET stored_bytes = stored_bytes + ${bytes} WHERE id = ${noteId}`);
      await tx.execute(sql`INSERT INTO note_suggestion (id, note_id, user_id, key_id, at, base_version, edits, is_open)
        VALUES (${id}, ${noteId}, ${userId}, ${keyId}, ${at}, ${baseVersion}, ${edits}, 1)`);
    });
  }

  async get(id: string): Promise<Suggestion | undefined> {
    const row = await this.#db.get<Row<Suggestion>>(sql`SELECT * FROM note_suggestion WHERE id = ${id}`);
    return row && toSuggestion(row);
  }

  async open(noteId: string): Promise<Suggestion[]> {
    const rows = await this.#db.all<Row<Suggestion>>(sql`SELECT * FROM note_suggestion
      WHERE note_id = ${noteId} AND is_open = 1 ORDER BY at, id`);
    return rows.map(toSuggestion);
  }

  async countOpen(noteId: string): Promise<number> {
    const row = await this.#db.get<{ n: number }>(sql`SELECT COUNT(*) AS n FROM note_suggestion
      WHERE note_id = ${noteId} AND is_open = 1`);
    return row?.n ?? 0;
  }

  async decide(
    stamp: Stamp,
    id: string,
    { before, after, isOpen }: { before: string; after: string; isOpen: boolean },
  ): Promise<boolean> {
    return this.#db.write(stamp, { target: id, lock: `suggestion:${id}` }, async (tx) => {
      const changed = await tx.run(sql`UPDATE note_suggestion SET edits = ${after}, is_open = ${isOpen ? 1 : 0}
        WHERE id = ${id} AND edits = ${before}`);
      return changed === 1;
    });
  }
}

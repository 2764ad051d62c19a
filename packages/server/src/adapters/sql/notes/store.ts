import {
  NoteRefused,
  type Limits,
  type Note,
  type Notebook,
  type NotebookChoice,
  type NotePreview,
  type NoteQuery,
  type NoteSpace,
  type NoteStore,
  type NoteVersion,
} from '../../../ports/note-store.ts';
import type { Stamp } from '../../../ports/stamp.ts';
import type { Database, Sql } from '../database.ts';
import { selectNote, toNote, type NoteRow } from './rows.ts';
import { AppendDrafts, NoteMoved, type Append, type Draft } from './appending.ts';
import { lineEnds, readNewestText, readNewestTexts, readVersionText, toStored, type StoredText } from './text.ts';
import { purgeNotes } from './purge.ts';
import {
  addNote,
  addVersion,
  liveNote,
  noteWrite,
  ownNote,
  place,
  refuseTooLarge,
  takeSpace,
  type Written,
} from './writes.ts';
import {
  changeNotebook,
  countNote,
  deleteNotebook,
  existingNotebook,
  findNotebook,
  insertNotebook,
  touchSpace,
} from './notebook-table.ts';
import { listNotebooks, listNotes, listTrashed, listVersions, readSpace } from './reading.ts';
import { liveIds } from '../live-ids.ts';
import { noteChange } from '../search-outbox.ts';
import { Turns } from '../turns.ts';

export class SqlNoteStore implements NoteStore {
  readonly #db: Database;
  readonly #appends = new Turns();
  readonly #drafts: AppendDrafts;

  constructor(db: Database) {
    this.#db = db;
    this.#drafts = new AppendDrafts(db);
  }

  #write<Result>(stamp: Stamp, written: Written, body: (tx: Sql) => Promise<Result>): Promise<Result> {
    return this.#db.write(stamp, body, noteWrite(written));
  }

  async create(
    stamp: Stamp,
    note: {
      id: string;
      userId: string;
      notebook?: NotebookChoice;
      face: NotePreview;
      isTitled: boolean;
      markdown: string;
    },
    limits: Limits,
  ): Promise<Note> {
    const { id, userId, face } = note;
    const stored = await toStored(note.markdown);
    refuseTooLarge(stored.size, limits);
    const body = async (tx: Sql): Promise<Note> => {
      const notebook = note.notebook ? await place(tx, userId, stamp.at, note.notebook, limits) : { id: '', name: '' };
      const notebookId = notebook.id;
      await addNote(tx, notebookId, [
        id,
        userId,
        notebookId,
        face.title,
        face.titleKey,
        note.isTitled ? 1 : 0,
        face.summary,
        face.coverImage,
        stored.size,
        stored.size,
        1,
        1,
        lineEnds(note.markdown),
        stamp.at,
        stamp.at,
      ]);
      await addVersion(tx, stamp, {
        id,
        version: 1,
        title: face.title,
        size: stored.size,
        whole: true,
        lead: 0,
        stored,
      });
      await countNote(tx, userId, notebookId, 1, stamp.at);
      await touchSpace(tx, userId, stamp.at, { notes: 1 });
      await noteChange(tx, 'note', id);
      // Done last, because all writes of an owner contend for the owner's counter and hold it until the end.
      await takeSpace(tx, userId, stored.size, limits);
      return {
        ...face,
        id,
        userId,
        notebookId,
        notebookName: notebook.name,
        isTitled: note.isTitled,
        size: stored.size,
        version: 1,
        createdAt: stamp.at,
        modifiedAt: stamp.at,
        deletedAt: null,
      };
    };
    // A new note needs no lock, because no other write knows its id; only its notebook must not be deleted.
    const written = { target: id, userId, notes: [], inNotebooks: note.notebook !== undefined };
    return this.#write(stamp, written, body);
  }

  async note(id: string): Promise<Note | undefined> {
    const row = await this.#db.get<NoteRow>(`${selectNote} WHERE n.id = ?`, id);
    return row && toNote(row);
  }

  async notes(ids: readonly string[]): Promise<Note[]> {
    if (ids.length === 0) return [];
    const rows = await this.#db.all<NoteRow>(`${selectNote} WHERE n.id IN (${ids.map(() => '?').join(', ')})`, ...ids);
    const byId = new Map(rows.map((row) => [row.id, toNote(row)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async markdown(id: string, version?: number): Promise<string | undefined> {
    return version === undefined ? readNewestText(this.#db, id) : readVersionText(this.#db, id, version);
  }

  markdowns(ids: readonly string[]): Promise<Map<string, string>> {
    return readNewestTexts(this.#db, ids);
  }

  async append(stamp: Stamp, change: Append, limits: Limits): Promise<Note> {
    const stored = await toStored(change.markdown);
    return this.#appends.run(change.id, () => this.#tryAppend(stamp, change, stored, limits));
  }

  /** Prepares the draft before the transaction, and again if another node appended meanwhile. */
  async #tryAppend(stamp: Stamp, change: Append, stored: StoredText, limits: Limits): Promise<Note> {
    for (;;) {
      const draft = await this.#drafts.make(change, stored, limits);
      try {
        const note = await this.#write(stamp, { target: change.id, userId: change.userId }, (tx) =>
          this.#append(tx, stamp, change, draft, stored, limits),
        );
        this.#drafts.written(change.id, draft);
        return note;
      } catch (error) {
        this.#drafts.forget(change.id);
        if (!(error instanceof NoteMoved)) throw error;
      }
    }
  }

  async #append(
    tx: Sql,
    stamp: Stamp,
    { id, userId, markdown, baseVersion }: Append,
    draft: Draft,
    stored: StoredText,
    limits: Limits,
  ): Promise<Note> {
    // Sent together with the query for the note, to save a round trip; rolled back if the note is refused.
    await takeSpace(tx, userId, draft.whole?.size ?? stored.size, limits);
    const row = await liveNote(tx, userId, id);
    if (baseVersion !== undefined && baseVersion !== row.version)
      throw new NoteRefused({ reason: 'stale', version: row.version, baseVersion });
    const lead = Math.max(0, 2 - row.line_ends);
    const size = row.size + lead + stored.size;
    refuseTooLarge(size, limits);
    if (row.version !== draft.version) throw new NoteMoved();
    const version = row.version + 1;
    const kept = draft.whole ? { whole: true, lead: 0, stored: draft.whole } : { whole: false, lead, stored };
    const face = draft.face ?? { summary: row.summary, coverImage: row.cover_image };
    await tx.execute(
      `UPDATE note SET summary = ?, cover_image = ?, size = ?, stored_bytes = stored_bytes + ?, version = ?, whole_version = ?, line_ends = ?,
         modified_at = ? WHERE id = ?`,
      face.summary,
      face.coverImage,
      size,
      kept.stored.size,
      version,
      kept.whole ? version : row.whole_version,
      lineEnds(markdown),
      Math.max(stamp.at, row.modified_at),
      id,
    );
    await addVersion(tx, stamp, { id, version, title: row.title, size, ...kept });
    await noteChange(tx, 'note', id);
    return toNote({
      ...row,
      summary: face.summary,
      cover_image: face.coverImage,
      size,
      version,
      modified_at: Math.max(stamp.at, row.modified_at),
    });
  }

  async replace(
    stamp: Stamp,
    change: {
      id: string;
      userId: string;
      markdown: string;
      baseVersion?: number;
      title?: string;
      face: (title: string | undefined) => NotePreview;
    },
    limits: Limits,
  ): Promise<Note> {
    const { id, userId, markdown, baseVersion } = change;
    const stored = await toStored(markdown);
    refuseTooLarge(stored.size, limits);
    return this.#write(stamp, { target: change.id, userId }, async (tx) => {
      // Sent together with the query for the note, to save a round trip; rolled back if the note is refused.
      await takeSpace(tx, userId, stored.size, limits);
      const row = await liveNote(tx, userId, id);
      if (baseVersion !== undefined && baseVersion !== row.version) {
        throw new NoteRefused({ reason: 'stale', version: row.version, baseVersion });
      }
      const version = row.version + 1;
      const isTitled = change.title !== undefined || row.is_titled === 1;
      const face = change.face(change.title ?? (isTitled ? row.title : undefined));
      await tx.execute(
        `UPDATE note SET title = ?, title_key = ?, is_titled = ?, summary = ?, cover_image = ?, size = ?, stored_bytes = stored_bytes + ?, version = ?,
           whole_version = ?, line_ends = ?, modified_at = ? WHERE id = ?`,
        face.title,
        face.titleKey,
        isTitled ? 1 : 0,
        face.summary,
        face.coverImage,
        stored.size,
        stored.size,
        version,
        version,
        lineEnds(markdown),
        Math.max(stamp.at, row.modified_at),
        id,
      );
      await addVersion(tx, stamp, { id, version, title: face.title, size: stored.size, whole: true, lead: 0, stored });
      await noteChange(tx, 'note', id);
      return toNote({
        ...row,
        title: face.title,
        title_key: face.titleKey,
        is_titled: isTitled ? 1 : 0,
        summary: face.summary,
        cover_image: face.coverImage,
        size: stored.size,
        version,
        modified_at: Math.max(stamp.at, row.modified_at),
      });
    });
  }

  async rename(stamp: Stamp, userId: string, id: string, title: string, titleKey: string): Promise<Note> {
    return this.#write(stamp, { target: id, userId }, async (tx) => {
      const row = await liveNote(tx, userId, id);
      await tx.execute(
        'UPDATE note SET title = ?, title_key = ?, is_titled = 1, modified_at = ? WHERE id = ?',
        title,
        titleKey,
        Math.max(stamp.at, row.modified_at),
        id,
      );
      await noteChange(tx, 'note', id);
      return toNote({
        ...row,
        title,
        title_key: titleKey,
        is_titled: 1,
        modified_at: Math.max(stamp.at, row.modified_at),
      });
    });
  }

  async trash(stamp: Stamp, userId: string, id: string): Promise<void> {
    await this.#write(stamp, { target: id, userId }, async (tx) => {
      // Take the notebook from the UPDATE, because deleting a notebook does not lock its notes.
      const row = await tx.get<{ notebook_id: string }>(
        'UPDATE note SET deleted_at = ? WHERE id = ? AND user_id = ? AND deleted_at IS NULL RETURNING notebook_id',
        stamp.at,
        id,
        userId,
      );
      if (!row) {
        await liveNote(tx, userId, id);
        throw new NoteRefused({ reason: 'not_found', id });
      }
      await countNote(tx, userId, row.notebook_id, -1, stamp.at);
      await touchSpace(tx, userId, stamp.at, { notes: -1 });
      await noteChange(tx, 'note', id);
    });
  }

  async restore(stamp: Stamp, userId: string, id: string): Promise<Note> {
    return this.#write(stamp, { target: id, userId, notes: [id], inNotebooks: true }, async (tx) => {
      const row = await ownNote(tx, userId, id);
      if (row.deleted_at === null) return toNote(row);
      await tx.execute('UPDATE note SET deleted_at = NULL WHERE id = ?', id);
      await countNote(tx, userId, row.notebook_id, 1, stamp.at);
      await touchSpace(tx, userId, stamp.at, { notes: 1 });
      await noteChange(tx, 'note', id);
      return toNote({ ...row, deleted_at: null });
    });
  }

  async move(stamp: Stamp, userId: string, ids: readonly string[], notebookId: string): Promise<number> {
    const target = notebookId === '' ? (ids[0] ?? '') : notebookId;
    return this.#write(stamp, { target, userId, notes: ids, inNotebooks: true }, async (tx) => {
      if (notebookId !== '' && !(await findNotebook(tx, userId, notebookId)))
        throw new NoteRefused({ reason: 'no_notebook', id: notebookId });
      let moved = 0;
      for (const id of ids) {
        const row = await liveNote(tx, userId, id);
        if (row.notebook_id === notebookId) continue;
        await tx.execute('UPDATE note SET notebook_id = ? WHERE id = ?', notebookId, id);
        await countNote(tx, userId, row.notebook_id, -1, stamp.at);
        await countNote(tx, userId, notebookId, 1, stamp.at);
        moved += 1;
      }
      if (moved > 0) await touchSpace(tx, userId, stamp.at);
      return moved;
    });
  }

  list(query: NoteQuery): Promise<Note[]> {
    return listNotes(this.#db, query);
  }

  async count(userId: string): Promise<number> {
    return (await readSpace(this.#db, userId)).noteCount;
  }

  allIds(): AsyncIterable<string> {
    return liveIds(this.#db, 'note');
  }

  trashed(userId: string, limit: number, after?: { value: number; id: string }): Promise<Note[]> {
    return listTrashed(this.#db, userId, limit, after);
  }

  versions(id: string, options: { before?: number; limit: number }): Promise<NoteVersion[]> {
    return listVersions(this.#db, id, options);
  }

  space(userId: string): Promise<NoteSpace> {
    return readSpace(this.#db, userId);
  }

  purge(stamp: Stamp, before: number, limit: number): Promise<number> {
    return purgeNotes(this.#db, stamp, before, limit);
  }

  notebook(userId: string, id: string): Promise<Notebook | undefined> {
    return findNotebook(this.#db, userId, id);
  }

  notebooks(userId: string, options: { after?: { value: number; id: string }; limit: number }): Promise<Notebook[]> {
    return listNotebooks(this.#db, userId, options);
  }

  addNotebook(
    stamp: Stamp,
    notebook: { id: string; userId: string; name: string; parentId: string },
    limits: Limits,
  ): Promise<Notebook> {
    return this.#write(stamp, { target: notebook.id, userId: notebook.userId, notes: [], inNotebooks: true }, (tx) =>
      insertNotebook(tx, stamp.at, notebook, limits.notebooks),
    );
  }

  changeNotebook(
    stamp: Stamp,
    userId: string,
    id: string,
    change: { name?: string; parentId?: string },
  ): Promise<Notebook> {
    return this.#write(stamp, { target: id, userId, notes: [], inNotebooks: true }, (tx) =>
      changeNotebook(tx, stamp.at, userId, id, change),
    );
  }

  removeNotebook(stamp: Stamp, userId: string, id: string, notes: 'keep' | 'trash'): Promise<number> {
    return this.#write(stamp, { target: id, userId, notes: [], inNotebooks: true }, async (tx) => {
      await existingNotebook(tx, userId, id);
      return deleteNotebook(tx, userId, id, stamp.at, notes);
    });
  }
}

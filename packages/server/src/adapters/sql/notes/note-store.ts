import {
  NoteRefused,
  type ChangedNote,
  type NoteLimits,
  type Note,
  type Notebook,
  type NoteQuery,
  type NoteTotals,
  type NoteStore,
  type NoteVersion,
} from '../../../ports/note-store.ts';
import type { Stamp } from '../../../ports/audit-stamp.ts';
import type { Database, Sql } from '../database.ts';
import { inOrderOf, queryInChunks, raw, sql } from '../statement.ts';
import { selectNote, toNote, type NoteRow } from './rows.ts';
import { AppendDrafts, NoteChanged, type NoteAppend, type AppendDraft } from './append-drafts.ts';
import {
  countTrailingNewlines,
  readNewestText,
  readNewestTexts,
  readVersionText,
  encodeText,
  type StoredText,
} from './stored-text.ts';
import { changeNotes, listChangedNotes, renameNoteRow, replaceNoteText } from './change-notes.ts';
import { purgeNotes } from './purge-notes.ts';
import {
  addNote,
  addVersion,
  liveNote,
  noteWriteOptions,
  ownNote,
  resolveNotebook,
  checkNoteSize,
  chargeNoteStorage,
  type NoteWriteScope,
} from './note-writes.ts';
import {
  changeNotebook,
  updateNoteCount,
  deleteNotebook,
  existingNotebook,
  findNotebook,
  insertNotebook,
  updateTotals,
} from './notebook-writes.ts';
import { listNotebooks, listNotes, listTrashed, listVersions, readTotals } from './note-queries.ts';
import { listLiveIds } from '../live-ids.ts';
import { queueForIndex } from '../queue-for-index.ts';
import { queueSharedNote } from '../permissions/shared-notes.ts';
import { NamedMutex } from '../named-mutex.ts';

export class SqlNoteStore implements NoteStore {
  readonly #db: Database;
  readonly #appends = new NamedMutex();
  readonly #drafts: AppendDrafts;

  constructor(db: Database) {
    this.#db = db;
    this.#drafts = new AppendDrafts(db);
  }

  #write<Result>(stamp: Stamp, written: NoteWriteScope, body: (tx: Sql) => Promise<Result>): Promise<Result> {
    return this.#db.write(stamp, noteWriteOptions(written), body);
  }

  async create(...[stamp, note, limits]: Parameters<NoteStore['create']>): Promise<Note> {
    const { id, userId, preview } = note;
    const stored = await encodeText(note.markdown);
    checkNoteSize(stored.size, limits);
    const body = async (tx: Sql): Promise<Note> => {
      const notebook = note.notebook
        ? await resolveNotebook(tx, userId, stamp.at, note.notebook, limits)
        : { id: '', name: '' };
      const notebookId = notebook.id;
      await addNote(tx, notebookId, [
        id,
        userId,
        notebookId,
        preview.title,
        preview.titleKey,
        note.isTitled ? 1 : 0,
        preview.summary,
        preview.coverImage,
        stored.size,
        stored.size,
        1,
        1,
        countTrailingNewlines(note.markdown),
        stamp.at,
        stamp.at,
      ]);
      await addVersion(tx, stamp, {
        id,
        version: 1,
        title: preview.title,
        size: stored.size,
        whole: true,
        lead: 0,
        stored,
      });
      await updateNoteCount(tx, userId, notebookId, 1, stamp.at);
      await updateTotals(tx, userId, stamp.at, { notes: 1 });
      await queueForIndex(tx, 'note', id);
      // Charge the quota last, because the charge locks the counter row of the notes' owner until the commit, and all
      // writes to the owner's notes need this row.
      await chargeNoteStorage(tx, userId, stored.size, limits);
      // Name every field instead of spreading `preview`, because V8 creates objects with named fields faster.
      return {
        title: preview.title,
        titleKey: preview.titleKey,
        summary: preview.summary,
        coverImage: preview.coverImage,
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
    // Lock no note, because no other write knows the new note's id. If the note has a notebook, lock the user's
    // notebooks, so that the notebook is not deleted concurrently.
    const written = { target: id, userId, notes: [], inNotebooks: note.notebook !== undefined };
    return this.#write(stamp, written, body);
  }

  async note(id: string): Promise<Note | undefined> {
    const row = await this.#db.get<NoteRow>(`${selectNote} WHERE n.id = ?`, id);
    return row && toNote(row);
  }

  async notes(ids: readonly string[]): Promise<Note[]> {
    const rows = await queryInChunks<NoteRow>(ids, (list) =>
      this.#db.all(sql`${raw(selectNote)} WHERE n.id IN (${list})`),
    );
    return inOrderOf(ids, rows.map(toNote));
  }

  async markdown(id: string, version?: number): Promise<string | undefined> {
    return version === undefined ? readNewestText(this.#db, id) : readVersionText(this.#db, id, version);
  }

  markdowns(ids: readonly string[]): Promise<Map<string, string>> {
    return readNewestTexts(this.#db, ids);
  }

  async append(stamp: Stamp, change: NoteAppend, limits: NoteLimits): Promise<Note> {
    const stored = await encodeText(change.markdown);
    return this.#appends.run(change.id, () => this.#tryAppend(stamp, change, stored, limits));
  }

  /**
   * Appends to a note. Computes the draft before the transaction. If another write has changed the note before the
   * transaction, computes the draft again and retries.
   */
  async #tryAppend(stamp: Stamp, change: NoteAppend, stored: StoredText, limits: NoteLimits): Promise<Note> {
    for (;;) {
      const draft = await this.#drafts.make(change, stored, limits);
      try {
        const note = await this.#write(stamp, { target: change.id, userId: change.userId }, (tx) =>
          this.#append(tx, stamp, change, draft, stored, limits),
        );
        this.#drafts.cache(change.id, draft);
        return note;
      } catch (error) {
        this.#drafts.invalidate(change.id);
        if (!(error instanceof NoteChanged)) throw error;
      }
    }
  }

  async #append(
    tx: Sql,
    stamp: Stamp,
    { id, userId, markdown, baseVersion }: NoteAppend,
    draft: AppendDraft,
    stored: StoredText,
    limits: NoteLimits,
  ): Promise<Note> {
    // Charge the quota first, because the charge is then sent together with the query for the note, which saves a round
    // trip. If the append is refused, the charge is rolled back.
    await chargeNoteStorage(tx, userId, draft.whole?.size ?? stored.size, limits);
    const row = await liveNote(tx, userId, id);
    if (baseVersion !== undefined && baseVersion !== row.version)
      throw new NoteRefused({ reason: 'stale', version: row.version, baseVersion });
    const lead = Math.max(0, 2 - row.line_ends);
    const size = row.size + lead + stored.size;
    checkNoteSize(size, limits);
    if (row.version !== draft.version) throw new NoteChanged();
    const version = row.version + 1;
    const kept = draft.whole ? { whole: true, lead: 0, stored: draft.whole } : { whole: false, lead, stored };
    const preview = draft.preview?.(row.is_titled === 1 ? row.title : undefined) ?? {
      summary: row.summary,
      coverImage: row.cover_image,
    };
    await tx.execute(sql`UPDATE note SET summary = ${preview.summary}, cover_image = ${preview.coverImage},
      size = ${size}, stored_bytes = stored_bytes + ${kept.stored.size}, version = ${version},
      whole_version = ${kept.whole ? version : row.whole_version}, line_ends = ${countTrailingNewlines(markdown)},
      modified_at = ${Math.max(stamp.at, row.modified_at)} WHERE id = ${id}`);
    await addVersion(tx, stamp, { id, version, title: row.title, size, ...kept });
    await queueForIndex(tx, 'note', id);
    return toNote({
      ...row,
      summary: preview.summary,
      cover_image: preview.coverImage,
      size,
      version,
      modified_at: Math.max(stamp.at, row.modified_at),
    });
  }

  async replace(...[stamp, change, limits]: Parameters<NoteStore['replace']>): Promise<Note> {
    const { id, userId } = change;
    const stored = await encodeText(change.markdown);
    checkNoteSize(stored.size, limits);
    return this.#write(stamp, { target: change.id, userId }, async (tx) => {
      // Charge the quota first, because the charge is then sent together with the query for the note, which saves a
      // round trip. If the write is refused, the charge is rolled back.
      await chargeNoteStorage(tx, userId, stored.size, limits);
      return replaceNoteText(tx, stamp, await liveNote(tx, userId, id), { ...change, stored });
    });
  }

  async rename(stamp: Stamp, userId: string, id: string, title: string, titleKey: string): Promise<Note> {
    return this.#write(stamp, { target: id, userId }, async (tx) =>
      renameNoteRow(tx, stamp, await liveNote(tx, userId, id), { id, title, titleKey, isTitled: true }),
    );
  }

  changeAll(...args: Parameters<NoteStore['changeAll']>): Promise<Note[]> {
    return changeNotes(this.#db, ...args);
  }

  change(...[userId, changeId]: Parameters<NoteStore['change']>): Promise<ChangedNote[]> {
    return listChangedNotes(this.#db, userId, changeId);
  }

  async trash(stamp: Stamp, userId: string, id: string): Promise<void> {
    await this.#write(stamp, { target: id, userId }, async (tx) => {
      // Take the notebook's id from the result of the UPDATE. An id read earlier could be outdated, because deleting a
      // notebook takes its notes out of it without locking them.
      const row = await tx.get<{ notebook_id: string }>(sql`UPDATE note SET deleted_at = ${stamp.at} WHERE id = ${id}
        AND user_id = ${userId} AND deleted_at IS NULL RETURNING notebook_id`);
      if (!row) {
        await liveNote(tx, userId, id);
        throw new NoteRefused({ reason: 'not_found', id });
      }
      await updateNoteCount(tx, userId, row.notebook_id, -1, stamp.at);
      await updateTotals(tx, userId, stamp.at, { notes: -1 });
      await queueForIndex(tx, 'note', id);
    });
  }

  async restore(stamp: Stamp, userId: string, id: string): Promise<Note> {
    return this.#write(stamp, { target: id, userId, notes: [id], inNotebooks: true }, async (tx) => {
      const row = await ownNote(tx, userId, id);
      if (row.deleted_at === null) return toNote(row);
      await tx.execute(sql`UPDATE note SET deleted_at = NULL WHERE id = ${id}`);
      await updateNoteCount(tx, userId, row.notebook_id, 1, stamp.at);
      await updateTotals(tx, userId, stamp.at, { notes: 1 });
      await queueForIndex(tx, 'note', id);
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
        await tx.execute(sql`UPDATE note SET notebook_id = ${notebookId} WHERE id = ${id}`);
        await queueSharedNote(tx, id);
        await updateNoteCount(tx, userId, row.notebook_id, -1, stamp.at);
        await updateNoteCount(tx, userId, notebookId, 1, stamp.at);
        moved += 1;
      }
      if (moved > 0) await updateTotals(tx, userId, stamp.at);
      return moved;
    });
  }

  list(query: NoteQuery): Promise<Note[]> {
    return listNotes(this.#db, query);
  }

  async count(userId: string): Promise<number> {
    return (await readTotals(this.#db, userId)).noteCount;
  }

  allIds(): AsyncIterable<string> {
    return listLiveIds(this.#db, 'note');
  }

  trashed(userId: string, limit: number, after?: { value: number; id: string }): Promise<Note[]> {
    return listTrashed(this.#db, userId, limit, after);
  }

  versions(id: string, options: { before?: number; limit: number }): Promise<NoteVersion[]> {
    return listVersions(this.#db, id, options);
  }

  totals(userId: string): Promise<NoteTotals> {
    return readTotals(this.#db, userId);
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

  addNotebook(...[stamp, notebook, limits]: Parameters<NoteStore['addNotebook']>): Promise<Notebook> {
    return this.#write(stamp, { target: notebook.id, userId: notebook.userId, notes: [], inNotebooks: true }, (tx) =>
      insertNotebook(tx, stamp.at, notebook, limits.notebooks),
    );
  }

  changeNotebook(...[stamp, userId, id, change]: Parameters<NoteStore['changeNotebook']>): Promise<Notebook> {
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

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
import { orders, selectNote, toNote, toNotebook, type NotebookRow, type NoteRow } from './rows.ts';
import { draftAppend, NoteMoved, type Append, type Draft } from './appending.ts';
import { lineEnds, readNewestText, readNewestTexts, readVersionText, toStored, type StoredText } from './text.ts';
import { addVersion, existingNotebook, liveNote, ownNote, place, refuseTooLarge, takeSpace } from './writes.ts';
import {
  countNote,
  deleteNotebook,
  findNotebook,
  insertNotebook,
  isInside,
  refuseSameName,
  touchSpace,
} from './notebook-table.ts';
import { noteChange } from '../search-outbox.ts';
import { addStorage } from '../storage-use.ts';
import { Turns } from '../turns.ts';

export class SqlNoteStore implements NoteStore {
  readonly #db: Database;
  readonly #appends = new Turns();

  constructor(db: Database) {
    this.#db = db;
  }

  #write<Result>(stamp: Stamp, userId: string, body: (tx: Sql) => Promise<Result>): Promise<Result> {
    return this.#db.write(stamp, body, { lock: `notes:${userId}` });
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
    stamp.target ??= note.id;
    const { id, userId, face } = note;
    const stored = await toStored(note.markdown);
    refuseTooLarge(stored.size, limits);
    return this.#write(stamp, userId, async (tx) => {
      const notebookId = note.notebook ? await place(tx, userId, stamp.at, note.notebook, limits) : '';
      await takeSpace(tx, userId, stored.size, limits);
      await tx.execute(
        `INSERT INTO note (id, user_id, notebook_id, title, title_key, is_titled, summary, cover_image, size, stored_bytes, version,
           whole_version, line_ends, created_at, modified_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, ?, ?, ?)`,
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
        lineEnds(note.markdown),
        stamp.at,
        stamp.at,
      );
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
      return toNote(await ownNote(tx, userId, id));
    });
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
    stamp.target ??= change.id;
    const stored = await toStored(change.markdown);
    return this.#appends.run(change.id, () => this.#tryAppend(stamp, change, stored, limits));
  }

  /** What the new text looks like is read before the transaction, and again when another node appended meanwhile. */
  async #tryAppend(stamp: Stamp, change: Append, stored: StoredText, limits: Limits): Promise<Note> {
    for (;;) {
      const draft = await draftAppend(this.#db, change, stored, limits);
      try {
        return await this.#write(stamp, change.userId, (tx) => this.#append(tx, stamp, change, draft, stored, limits));
      } catch (error) {
        if (!(error instanceof NoteMoved)) throw error;
      }
    }
  }

  async #append(
    tx: Sql,
    stamp: Stamp,
    { id, userId, markdown }: Append,
    draft: Draft,
    stored: StoredText,
    limits: Limits,
  ): Promise<Note> {
    const row = await liveNote(tx, userId, id);
    const lead = Math.max(0, 2 - row.line_ends);
    const size = row.size + lead + stored.size;
    refuseTooLarge(size, limits);
    if (row.version !== draft.version) throw new NoteMoved();
    const version = row.version + 1;
    const kept = draft.whole ? { whole: true, lead: 0, stored: draft.whole } : { whole: false, lead, stored };
    await takeSpace(tx, userId, kept.stored.size, limits);
    const face = draft.face ?? { summary: row.summary, coverImage: row.cover_image };
    await tx.run(
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
    return toNote(await ownNote(tx, userId, id));
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
    stamp.target ??= change.id;
    const { id, userId, markdown, baseVersion } = change;
    const stored = await toStored(markdown);
    refuseTooLarge(stored.size, limits);
    return this.#write(stamp, userId, async (tx) => {
      const row = await liveNote(tx, userId, id);
      if (baseVersion !== undefined && baseVersion !== row.version) {
        throw new NoteRefused(
          'stale',
          `base_version: the note is at version ${row.version}, not ${baseVersion}; read it again and reapply your change`,
        );
      }
      const version = row.version + 1;
      await takeSpace(tx, userId, stored.size, limits);
      const isTitled = change.title !== undefined || row.is_titled === 1;
      const face = change.face(change.title ?? (isTitled ? row.title : undefined));
      await tx.run(
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
      return toNote(await ownNote(tx, userId, id));
    });
  }

  async rename(stamp: Stamp, userId: string, id: string, title: string, titleKey: string): Promise<Note> {
    stamp.target ??= id;
    return this.#write(stamp, userId, async (tx) => {
      const row = await liveNote(tx, userId, id);
      await tx.run(
        'UPDATE note SET title = ?, title_key = ?, is_titled = 1, modified_at = ? WHERE id = ?',
        title,
        titleKey,
        Math.max(stamp.at, row.modified_at),
        id,
      );
      await noteChange(tx, 'note', id);
      return toNote(await ownNote(tx, userId, id));
    });
  }

  async trash(stamp: Stamp, userId: string, id: string): Promise<void> {
    stamp.target ??= id;
    await this.#write(stamp, userId, async (tx) => {
      const row = await liveNote(tx, userId, id);
      await tx.run('UPDATE note SET deleted_at = ? WHERE id = ?', stamp.at, id);
      await countNote(tx, userId, row.notebook_id, -1, stamp.at);
      await touchSpace(tx, userId, stamp.at, { notes: -1 });
      await noteChange(tx, 'note', id);
    });
  }

  async restore(stamp: Stamp, userId: string, id: string): Promise<Note> {
    stamp.target ??= id;
    return this.#write(stamp, userId, async (tx) => {
      const row = await ownNote(tx, userId, id);
      if (row.deleted_at === null) return toNote(row);
      await tx.run('UPDATE note SET deleted_at = NULL WHERE id = ?', id);
      await countNote(tx, userId, row.notebook_id, 1, stamp.at);
      await touchSpace(tx, userId, stamp.at, { notes: 1 });
      await noteChange(tx, 'note', id);
      return toNote(await ownNote(tx, userId, id));
    });
  }

  async move(stamp: Stamp, userId: string, ids: readonly string[], notebookId: string): Promise<number> {
    stamp.target ??= notebookId === '' ? ids[0] : notebookId;
    return this.#write(stamp, userId, async (tx) => {
      if (notebookId !== '' && !(await findNotebook(tx, userId, notebookId)))
        throw new NoteRefused('no_notebook', `folder_id: there is no notebook ${JSON.stringify(notebookId)}`);
      let moved = 0;
      for (const id of ids) {
        const row = await liveNote(tx, userId, id);
        if (row.notebook_id === notebookId) continue;
        await tx.run('UPDATE note SET notebook_id = ? WHERE id = ?', notebookId, id);
        await countNote(tx, userId, row.notebook_id, -1, stamp.at);
        await countNote(tx, userId, notebookId, 1, stamp.at);
        moved += 1;
      }
      if (moved > 0) await touchSpace(tx, userId, stamp.at);
      return moved;
    });
  }

  async list(query: NoteQuery): Promise<Note[]> {
    const { column, descending } = orders[query.order];
    const where = ['n.user_id = ?', 'n.deleted_at IS NULL'];
    const params: (string | number)[] = [query.userId];
    if (query.notebookId !== undefined) {
      where.push('n.notebook_id = ?');
      params.push(query.notebookId);
    }
    if (query.after) {
      const { value, id } = query.after;
      // The first half lets the index start there; the second leaves out what had the same value and came before.
      where.push(
        descending
          ? `n.${column} <= ? AND (n.${column} < ? OR n.id > ?)`
          : `n.${column} >= ? AND (n.${column} > ? OR n.id > ?)`,
      );
      params.push(value, value, id);
    }
    const rows = await this.#db.all<NoteRow>(
      `${selectNote} WHERE ${where.join(' AND ')} ORDER BY n.${column}${descending ? ' DESC' : ''}, n.id LIMIT ? OFFSET ?`,
      ...params,
      query.limit,
      query.offset ?? 0,
    );
    return rows.map(toNote);
  }

  async count(userId: string): Promise<number> {
    return (await this.space(userId)).noteCount;
  }

  async *allIds(): AsyncIterable<string> {
    for (let after = ''; ;) {
      const rows = await this.#db.all<{ id: string }>(
        'SELECT id FROM note WHERE id > ? AND deleted_at IS NULL ORDER BY id LIMIT 1000',
        after,
      );
      for (const row of rows) yield row.id;
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  async trashed(userId: string, limit: number, after?: { value: number; id: string }): Promise<Note[]> {
    const from = after ?? { value: Number.MAX_SAFE_INTEGER, id: '' };
    const rows = await this.#db.all<NoteRow>(
      `${selectNote} WHERE n.user_id = ? AND n.deleted_at IS NOT NULL AND n.deleted_at <= ? AND ` +
        '(n.deleted_at < ? OR n.id > ?) ORDER BY n.deleted_at DESC, n.id LIMIT ?',
      userId,
      from.value,
      from.value,
      from.id,
      limit,
    );
    return rows.map(toNote);
  }

  async versions(id: string, options: { before?: number; limit: number }): Promise<NoteVersion[]> {
    const rows = await this.#db.all<{
      version: number;
      at: number;
      key_id: string;
      operation: string;
      title: string;
      size: number;
    }>(
      'SELECT version, at, key_id, operation, title, size FROM note_version WHERE note_id = ? AND version < ? ORDER BY version DESC LIMIT ?',
      id,
      options.before ?? Number.MAX_SAFE_INTEGER,
      options.limit,
    );
    return rows.map(({ key_id: keyId, ...rest }) => ({ ...rest, keyId }));
  }

  async purge(stamp: Stamp, before: number, limit: number): Promise<number> {
    const due = await this.#db.all<{ id: string; user_id: string }>(
      'SELECT id, user_id FROM note WHERE deleted_at IS NOT NULL AND deleted_at < ? LIMIT ?',
      before,
      limit,
    );
    let purged = 0;
    for (const { id, user_id: userId } of due) {
      purged += await this.#write({ ...stamp, userId, target: id, recorded: false }, userId, async (tx) => {
        const row = await tx.get<NoteRow>(
          'SELECT * FROM note WHERE id = ? AND deleted_at IS NOT NULL AND deleted_at < ?',
          id,
          before,
        );
        if (!row) return 0;
        await tx.run('DELETE FROM note_version WHERE note_id = ?', id);
        await tx.run('DELETE FROM note WHERE id = ?', id);
        await addStorage(tx, userId, -row.stored_bytes, 0);
        return 1;
      });
    }
    return purged;
  }

  async space(userId: string): Promise<NoteSpace> {
    const row = await this.#db.get<{
      created_at: number;
      version: number | null;
      note_count: number;
      loose_count: number;
      modified_at: number;
    }>(
      'SELECT u.created_at, s.version, s.note_count, s.loose_count, s.modified_at FROM user_account u LEFT ' +
        'JOIN note_space s ON s.user_id = u.id WHERE u.id = ?',
      userId,
    );
    const createdAt = row?.created_at ?? 0;
    if (!row || row.version === null)
      return { version: 1, noteCount: 0, looseCount: 0, createdAt, modifiedAt: createdAt };
    return {
      version: row.version,
      noteCount: row.note_count,
      looseCount: row.loose_count,
      createdAt,
      modifiedAt: row.modified_at,
    };
  }

  notebook(userId: string, id: string): Promise<Notebook | undefined> {
    return findNotebook(this.#db, userId, id);
  }

  async notebooks(
    userId: string,
    options: { after?: { value: number; id: string }; limit: number },
  ): Promise<Notebook[]> {
    const from = options.after ?? { value: -1, id: '' };
    const rows = await this.#db.all<NotebookRow>(
      'SELECT * FROM notebook WHERE user_id = ? AND created_at >= ? AND (created_at > ? OR id > ?) ORDER BY created_at, id LIMIT ?',
      userId,
      from.value,
      from.value,
      from.id,
      options.limit,
    );
    return rows.map(toNotebook);
  }

  addNotebook(
    stamp: Stamp,
    notebook: { id: string; userId: string; name: string; parentId: string },
    limits: Limits,
  ): Promise<Notebook> {
    stamp.target ??= notebook.id;
    return this.#write(stamp, notebook.userId, (tx) => insertNotebook(tx, stamp.at, notebook, limits.notebooks));
  }

  changeNotebook(
    stamp: Stamp,
    userId: string,
    id: string,
    change: { name?: string; parentId?: string },
  ): Promise<Notebook> {
    stamp.target ??= id;
    return this.#write(stamp, userId, async (tx) => {
      const found = await existingNotebook(tx, userId, id);
      const name = change.name ?? found.name;
      const parentId = change.parentId ?? found.parentId;
      if (name === found.name && parentId === found.parentId) return found;
      if (parentId !== '') {
        if (!(await findNotebook(tx, userId, parentId)))
          throw new NoteRefused('no_notebook', `parent_folder_id: there is no notebook ${JSON.stringify(parentId)}`);
        if (await isInside(tx, userId, parentId, id))
          throw new NoteRefused(
            'cycle',
            'parent_folder_id: a notebook cannot be moved into itself or a notebook inside it',
          );
      }
      await refuseSameName(tx, userId, parentId, name);
      await tx.run(
        'UPDATE notebook SET name = ?, parent_id = ?, modified_at = ? WHERE id = ?',
        name,
        parentId,
        stamp.at,
        id,
      );
      await touchSpace(tx, userId, stamp.at);
      return { ...found, name, parentId, modifiedAt: stamp.at };
    });
  }

  removeNotebook(stamp: Stamp, userId: string, id: string, notes: 'keep' | 'trash'): Promise<number> {
    stamp.target ??= id;
    return this.#write(stamp, userId, async (tx) => {
      await existingNotebook(tx, userId, id);
      return deleteNotebook(tx, userId, id, stamp.at, notes);
    });
  }
}

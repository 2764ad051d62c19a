import type {
  LinkQuery,
  NoteGraphStore,
  NoteLink,
  NoteTask,
  TaskQuery,
  NoteToScan,
} from '../../../ports/note-graph.ts';
import type { LinkKind, NoteScan } from '../../../ports/note-text.ts';
import { BulkInsert } from '../bulk-insert.ts';
import type { Database, Param, Sql } from '../database.ts';
import type { Row } from '../row.ts';
import { sql } from '../statement.ts';
import { findTitledItems, findTitledSheets } from './link-targets.ts';
import { noteWriteOptions } from './note-writes.ts';

const newLinks = new BulkInsert(
  `INSERT INTO note_link (note_id, number, user_id, kind, target_id, title, title_key, heading, line, sentence, occurrences)
     VALUES`,
  11,
);
const newTasks = new BulkInsert('INSERT INTO note_task (note_id, line, user_id, text, is_done, due) VALUES', 6);
const newTags = new BulkInsert(
  'INSERT INTO object_tag (kind, object_id, tag_key, tag, is_text, user_id) VALUES',
  6,
  'ON CONFLICT (object_id, tag_key, is_text) DO NOTHING',
);

/** Value stored instead of a missing date, so that tasks without a date are listed last. */
const noDate = 'none';

const selectLink = `SELECT l.note_id, l.number, l.kind, l.target_id, l.title, l.title_key, l.heading, l.line, l.sentence,
  l.occurrences FROM note_link l JOIN note n ON n.id = l.note_id AND n.deleted_at IS NULL`;

/** SQL condition for links without a target or with a deleted target. */
const brokenLink = `(l.target_id = ''
  OR (l.kind = 'note' AND NOT EXISTS (SELECT 1 FROM note t WHERE t.id = l.target_id AND t.deleted_at IS NULL))
  OR (l.kind = 'item' AND NOT EXISTS (SELECT 1 FROM wiki_item t WHERE t.id = l.target_id AND t.deleted_at IS NULL))
  OR (l.kind = 'sheet' AND NOT EXISTS (SELECT 1 FROM document t WHERE t.id = l.target_id AND t.deleted_at IS NULL)))`;

/**
 * Maximum number of different titles that are looked up at a time among knowledge base items and spreadsheets. Only
 * titles of links for which no note was found are looked up.
 */
const maxOpenTitles = 2000;

type Resolved = Map<string, { kind: string; targetId: string }>;

export class SqlNoteGraphStore implements NoteGraphStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async notesToScan(userId: string, after: string, limit: number): Promise<NoteToScan[]> {
    const rows = await this.#db.all<{ id: string; version: number; scanned_version: number; size: number }>(
      sql`SELECT id, version, scanned_version, size FROM note WHERE user_id = ${userId} AND id > ${after}
        AND scanned_version <> version AND deleted_at IS NULL ORDER BY id LIMIT ${limit}`,
    );
    return rows.map(({ scanned_version: scannedVersion, ...note }) => ({ ...note, scannedVersion }));
  }

  async save(userId: string, scans: readonly { note: NoteToScan; scan: NoteScan }[]): Promise<void> {
    const ids = scans.map(({ note }) => note.id);
    await this.#db.write(null, noteWriteOptions({ target: '', userId, notes: ids }), async (tx) => {
      for (const { note, scan } of scans) await saveScan(tx, userId, note, scan);
    });
  }

  async resolve(userId: string): Promise<void> {
    const open = await this.#db.get(sql`SELECT 1 AS found FROM note_link WHERE user_id = ${userId} AND target_id = ''
      LIMIT 1`);
    if (!open) return;
    const candidates = sql`FROM note t WHERE t.user_id = ${userId} AND t.title_key = note_link.title_key
      AND t.deleted_at IS NULL`;
    const found = await this.#db.get(sql`SELECT 1 AS found FROM note_link WHERE user_id = ${userId} AND target_id = ''
      AND EXISTS (SELECT 1 ${candidates}) LIMIT 1`);
    if (found)
      await this.#db.write(null, { lock: `note links:${userId}` }, (tx) =>
        // Several notes can match a link's title, because case and accents are ignored. Prefer a note whose title is
        // exactly the same, then a note in the same notebook as the link, then the oldest note.
        tx.execute(sql`UPDATE note_link SET kind = 'note', target_id = (SELECT t.id ${candidates}
          ORDER BY CASE WHEN t.title = note_link.title THEN 0 ELSE 1 END,
            CASE WHEN t.notebook_id = (SELECT n.notebook_id FROM note n WHERE n.id = note_link.note_id) THEN 0 ELSE 1 END,
            t.created_at, t.id LIMIT 1)
          WHERE user_id = ${userId} AND target_id = '' AND EXISTS (SELECT 1 ${candidates})`),
      );
    await this.#resolveOthers(userId);
  }

  /**
   * Finds targets for the links whose title matches no note: a spreadsheet with this title or else a knowledge base
   * item.
   */
  async #resolveOthers(userId: string): Promise<void> {
    const open = await this.#db.all<{
      title: string;
    }>(sql`SELECT DISTINCT title FROM note_link WHERE user_id = ${userId}
      AND target_id = '' ORDER BY title LIMIT ${maxOpenTitles}`);
    if (open.length === 0) return;
    const titles = open.map((row) => row.title);
    const targets = new Map([
      ...(await findTitledItems(this.#db, userId, titles)),
      ...(await findTitledSheets(this.#db, userId, titles)),
    ]);
    if (targets.size === 0) return;
    await this.#db.write(null, { lock: `note links:${userId}` }, async (tx) => {
      for (const [title, { kind, id }] of targets)
        await tx.execute(sql`UPDATE note_link SET kind = ${kind}, target_id = ${id} WHERE user_id = ${userId}
          AND target_id = '' AND title = ${title}`);
    });
  }

  async links(query: LinkQuery): Promise<NoteLink[]> {
    const where = ['l.user_id = ?', '(l.note_id > ? OR (l.note_id = ? AND l.number > ?))'];
    const { noteId = '', number = -1 } = query.after ?? {};
    const params: Param[] = [query.userId, noteId, noteId, number];
    if (query.noteId !== undefined) {
      where.push('l.note_id = ?');
      params.push(query.noteId);
    }
    if (query.notebookId !== undefined) {
      where.push('n.notebook_id = ?');
      params.push(query.notebookId);
    }
    if (query.onlyBroken) where.push(brokenLink);
    const rows = await this.#db.all<Row<NoteLink>>(
      `${selectLink} WHERE ${where.join(' AND ')} ORDER BY l.note_id, l.number LIMIT ?`,
      ...params,
      query.limit,
    );
    return rows.map(toLink);
  }

  async linksTo(...[userId, targetId, after, limit]: Parameters<NoteGraphStore['linksTo']>): Promise<NoteLink[]> {
    const { noteId = '', number = -1 } = after ?? {};
    const rows = await this.#db.all<Row<NoteLink>>(
      `${selectLink} WHERE l.target_id = ? AND l.target_id <> '' AND l.user_id = ?
        AND (l.note_id > ? OR (l.note_id = ? AND l.number > ?)) ORDER BY l.note_id, l.number LIMIT ?`,
      targetId,
      userId,
      noteId,
      noteId,
      number,
      limit,
    );
    return rows.map(toLink);
  }

  async tasks(query: TaskQuery): Promise<NoteTask[]> {
    const { where, params } = taskConditions(query);
    if (query.after) {
      const { due, noteId, line } = query.after;
      const date = due === '' ? noDate : due;
      where.push('k.due >= ? AND (k.due > ? OR k.note_id > ? OR (k.note_id = ? AND k.line > ?))');
      params.push(date, date, noteId, noteId, line);
    }
    const rows = await this.#db.all<Row<NoteTask>>(
      `SELECT k.note_id, k.line, k.text, k.is_done, k.due FROM note_task k JOIN note n ON n.id = k.note_id
        WHERE ${where.join(' AND ')} ORDER BY k.due, k.note_id, k.line LIMIT ?`,
      ...params,
      query.limit,
    );
    return rows.map((row) => ({
      noteId: row.note_id,
      line: row.line,
      text: row.text,
      isDone: row.is_done === 1,
      due: row.due === noDate ? '' : row.due,
    }));
  }

  async countTasks(query: TaskQuery): Promise<number> {
    const { where, params } = taskConditions(query);
    const row = await this.#db.get<{ n: number }>(
      `SELECT COUNT(*) AS n FROM note_task k JOIN note n ON n.id = k.note_id WHERE ${where.join(' AND ')}`,
      ...params,
    );
    return row?.n ?? 0;
  }
}

function taskConditions(query: TaskQuery): { where: string[]; params: Param[] } {
  const where = ['k.user_id = ?', 'n.deleted_at IS NULL'];
  const params: Param[] = [query.userId];
  const add = (condition: string, value: Param | undefined): void => {
    if (value === undefined) return;
    where.push(condition);
    params.push(value);
  };
  add('k.is_done = ?', query.isDone === undefined ? undefined : Number(query.isDone));
  add('k.note_id = ?', query.noteId);
  add('n.notebook_id = ?', query.notebookId);
  add('k.due >= ?', query.dueFrom);
  add('k.due < ?', query.dueBefore);
  if (query.dueFrom !== undefined) where.push(`k.due <> '${noDate}'`);
  return { where, params };
}

function toLink(row: Row<NoteLink>): NoteLink {
  const { note_id: noteId, target_id: targetId, title_key: titleKey, kind, ...rest } = row;
  return { ...rest, noteId, targetId, titleKey, kind: kind as LinkKind | '' };
}

async function saveScan(tx: Sql, userId: string, note: NoteToScan, scan: NoteScan): Promise<void> {
  const { id, version, scannedVersion } = note;
  const isMine = await tx.run(sql`UPDATE note SET scanned_version = ${version} WHERE id = ${id}
    AND scanned_version = ${scannedVersion}`);
  if (isMine === 0) return;
  const known: Resolved = scannedVersion === 0 ? new Map() : await resolvedTitles(tx, id);
  if (scannedVersion !== 0) {
    await tx.execute(sql`DELETE FROM note_link WHERE note_id = ${id}`);
    await tx.execute(sql`DELETE FROM note_task WHERE note_id = ${id}`);
    await tx.execute(sql`DELETE FROM object_tag WHERE object_id = ${id} AND is_text = 1`);
  }
  const links = scan.links.map((link, number) => {
    const { kind, targetId } = link.targetId === '' ? (known.get(link.titleKey) ?? link) : link;
    const { title, titleKey, heading, line, sentence, occurrences } = link;
    return [id, number, userId, kind, targetId, title, titleKey, heading, line, sentence, occurrences];
  });
  const tasks = scan.tasks.map(({ line, text, isDone, due }) => [
    id,
    line,
    userId,
    text,
    Number(isDone),
    due || noDate,
  ]);
  const tags = scan.tags.map(({ key, tag }) => ['note', id, key, tag, 1, userId]);
  for (const [table, rows] of [
    [newLinks, links],
    [newTasks, tasks],
    [newTags, tags],
  ] as const)
    for (const statement of table.statements(rows)) await tx.execute(statement);
}

/**
 * Returns the targets of the note's links by title, so that they can be kept when the links are derived again from a
 * changed text. Leaves out deleted notes, so that a new note with the same title can become the target.
 */
async function resolvedTitles(tx: Sql, noteId: string): Promise<Resolved> {
  const rows = await tx.all<{ title_key: string; kind: string; target_id: string }>(sql`SELECT l.title_key, l.kind,
    l.target_id FROM note_link l WHERE l.note_id = ${noteId} AND l.target_id <> '' AND l.title_key <> ''
    AND (l.kind <> 'note' OR EXISTS (SELECT 1 FROM note t WHERE t.id = l.target_id AND t.deleted_at IS NULL))`);
  return new Map(rows.map((row) => [row.title_key, { kind: row.kind, targetId: row.target_id }]));
}

/**
 * Deletes the links, tasks, tags and recorded changes of a note that is deleted permanently. Links in other notes that
 * name this note by its title stay, but without a target.
 */
export async function deleteNoteGraph(tx: Sql, noteId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM note_link WHERE note_id = ${noteId}`);
  await tx.execute(sql`DELETE FROM note_task WHERE note_id = ${noteId}`);
  await tx.execute(sql`DELETE FROM object_tag WHERE object_id = ${noteId}`);
  await tx.execute(sql`DELETE FROM note_change WHERE note_id = ${noteId}`);
  await tx.execute(sql`UPDATE note_link SET target_id = '', kind = '' WHERE target_id = ${noteId} AND target_id <> ''
    AND title_key <> ''`);
}

import type { Note, Notebook, NoteQuery, NoteTotals, NoteVersion } from '../../../ports/note-store.ts';
import type { Database } from '../database.ts';
import { rowMapper, type Row } from '../row.ts';
import { raw, sql } from '../statement.ts';
import { orders, selectNote, toNote, toNotebook, type NotebookRow, type NoteRow } from './rows.ts';

const toTotals = rowMapper<NoteTotals>()('version, note_count, loose_count, created_at, modified_at');

type Reads = Pick<Database, 'all' | 'get'>;

export async function listNotes(db: Reads, query: NoteQuery): Promise<Note[]> {
  const { column, descending } = orders[query.order];
  const where = ['n.user_id = ?', 'n.deleted_at IS NULL'];
  const params: (string | number)[] = [query.userId];
  if (query.notebookId !== undefined) {
    where.push('n.notebook_id = ?');
    params.push(query.notebookId);
  }
  if (query.after) {
    const { value, id } = query.after;
    // `value` and `id` are those of the last note of the previous page. The first condition lets the index scan start
    // at this value. The second one excludes the notes with the same value that were already listed.
    where.push(
      descending
        ? `n.${column} <= ? AND (n.${column} < ? OR n.id > ?)`
        : `n.${column} >= ? AND (n.${column} > ? OR n.id > ?)`,
    );
    params.push(value, value, id);
  }
  const rows = await db.all<NoteRow>(
    `${selectNote} WHERE ${where.join(' AND ')} ORDER BY n.${column}${descending ? ' DESC' : ''}, n.id LIMIT ? OFFSET ?`,
    ...params,
    query.limit,
    query.offset ?? 0,
  );
  return rows.map(toNote);
}

export async function listTrashed(
  db: Reads,
  userId: string,
  limit: number,
  after?: { value: number; id: string },
): Promise<Note[]> {
  const from = after ?? { value: Number.MAX_SAFE_INTEGER, id: '' };
  const rows = await db.all<NoteRow>(sql`${raw(selectNote)} WHERE n.user_id = ${userId} AND n.deleted_at IS NOT NULL
    AND n.deleted_at <= ${from.value} AND (n.deleted_at < ${from.value} OR n.id > ${from.id})
    ORDER BY n.deleted_at DESC, n.id LIMIT ${limit}`);
  return rows.map(toNote);
}

export async function listVersions(
  db: Reads,
  id: string,
  options: { before?: number; limit: number },
): Promise<NoteVersion[]> {
  const rows = await db.all<
    Row<NoteVersion>
  >(sql`SELECT version, at, user_id, key_id, operation, title, size, reason FROM note_version
    WHERE note_id = ${id} AND version < ${options.before ?? Number.MAX_SAFE_INTEGER}
    ORDER BY version DESC LIMIT ${options.limit}`);
  return rows.map(({ user_id: userId, key_id: keyId, ...rest }) => ({ ...rest, userId, keyId }));
}

export async function readTotals(db: Reads, userId: string): Promise<NoteTotals> {
  const row = await db.get<
    Row<Omit<NoteTotals, 'version'>> & { version: number | null }
  >(sql`SELECT u.created_at, s.version, s.note_count, s.loose_count, s.modified_at FROM user_account u
    LEFT JOIN note_space s ON s.user_id = u.id WHERE u.id = ${userId}`);
  const createdAt = row?.created_at ?? 0;
  if (!row || row.version === null)
    return { version: 1, noteCount: 0, looseCount: 0, createdAt, modifiedAt: createdAt };
  return toTotals(row);
}

export async function listNotebooks(
  db: Reads,
  userId: string,
  options: { after?: { value: number; id: string }; limit: number },
): Promise<Notebook[]> {
  const from = options.after ?? { value: -1, id: '' };
  const rows = await db.all<NotebookRow>(sql`SELECT * FROM notebook WHERE user_id = ${userId}
    AND created_at >= ${from.value} AND (created_at > ${from.value} OR id > ${from.id}) ORDER BY created_at, id
    LIMIT ${options.limit}`);
  return rows.map(toNotebook);
}

import type { Note, Notebook, NoteOrder } from '../../../ports/note-store.ts';
import { rowMapper, type Row } from '../row.ts';

export type NoteRow = Row<Omit<Note, 'notebookName'>> & {
  notebook_name: string | null;
  stored_bytes: number;
  whole_version: number;
  line_ends: number;
};

export type NotebookRow = Row<Notebook>;

export const selectNote =
  'SELECT n.*, b.name AS notebook_name FROM note n LEFT JOIN notebook b ON b.id = n.notebook_id';

/** Column and direction of each sort order. Rows with equal values are ordered by id. */
export const orders: Record<NoteOrder, { column: string; descending: boolean }> = {
  modified: { column: 'modified_at', descending: true },
  created: { column: 'created_at', descending: true },
  title: { column: 'title_key', descending: false },
  size: { column: 'size', descending: true },
};

export function toNote(row: NoteRow): Note {
  return {
    id: row.id,
    userId: row.user_id,
    notebookId: row.notebook_id,
    notebookName: row.notebook_name ?? '',
    title: row.title,
    titleKey: row.title_key,
    isTitled: row.is_titled === 1,
    summary: row.summary,
    coverImage: row.cover_image,
    size: row.size,
    version: row.version,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    deletedAt: row.deleted_at,
  };
}

export const notebookColumns = 'id, user_id, name, parent_id, note_count, created_at, modified_at';
export const toNotebook = rowMapper<Notebook>()(notebookColumns);

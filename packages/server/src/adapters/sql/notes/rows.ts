import type { Note, Notebook, NoteOrder } from '../../../ports/note-store.ts';

export interface NoteRow {
  id: string;
  user_id: string;
  notebook_id: string;
  notebook_name: string | null;
  title: string;
  title_key: string;
  is_titled: number;
  summary: string;
  cover_image: string;
  size: number;
  stored_bytes: number;
  version: number;
  whole_version: number;
  line_ends: number;
  created_at: number;
  modified_at: number;
  deleted_at: number | null;
}

export interface NotebookRow {
  id: string;
  user_id: string;
  name: string;
  parent_id: string;
  note_count: number;
  created_at: number;
  modified_at: number;
}

export const selectNote =
  'SELECT n.*, b.name AS notebook_name FROM note n LEFT JOIN notebook b ON b.id = n.notebook_id';

/** Column and direction of each sort order; ties are broken by id. */
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

export function toNotebook(row: NotebookRow): Notebook {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    parentId: row.parent_id,
    noteCount: row.note_count,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

import { z } from 'zod';
import { describeLength, integer, integerEnum, aliasField, text, type Field } from '../../kernel/field-schemas.ts';
import type { Note, Notebook, NoteOrder } from '../../ports/note-store.ts';
import { maxTitleLength } from './parse-markdown.ts';
import { folderOfNote, rootFolderId } from './notebook-folders.ts';

/**
 * Creates the schema of a string without control characters and lone surrogates (rule `tsecstr` of the API
 * specification).
 */
export function plainString(description: string, { min = 0, max = 256 }: { min?: number; max?: number } = {}) {
  return text(description, { min, max }).refine(
    (value) => !/[\p{Cc}\p{Surrogate}]/u.test(value),
    'must not contain control characters or lone surrogates',
  );
}

export const noteId = () => plainString("The note's id.", { min: 1 });
export const docId = () => aliasField(plainString('Alias of note_id; send either.').optional());
/** Id fields of a note. Existing clients send `doc_id` instead of `note_id`. */
export const noteIdFields = { note_id: noteId(), doc_id: docId() };
export const folderId = (description: string) => plainString(description);
export const contentFormat = () => integerEnum('Must be 1: Markdown.', [1]);
export const title = (description: string) => plainString(description, { max: maxTitleLength });

/** Maximum bytes of a note's Markdown. */
export const maxNoteBytes = 2 ** 20;
export const notWellFormed = 'must be well-formed Unicode: it contains a lone surrogate';

/**
 * Returns whether a text is longer than any note may be. Other validation rules skip such a text, because scanning 16
 * MiB would block the main thread; a later check of the note's size refuses it.
 */
const isOverlong = (value: string): boolean => value.length > maxNoteBytes;

export function isWellFormed(value: string): boolean {
  return isOverlong(value) || !/\p{Surrogate}/u.test(value);
}

export function markdown(description: string) {
  return z
    .string()
    .min(1)
    .refine((value) => isOverlong(value) || value.trim() !== '', {
      error: (issue) => `must not be empty (got ${describeLength(String(issue.input))} characters of whitespace)`,
      abort: true,
    })
    .refine(isWellFormed, notWellFormed)
    .meta({ minLength: 1, description });
}

export const sortType = () =>
  integerEnum(
    '0 modified (default), 1 created, newest first; 2 title; 3 size, largest first.',
    [0, 1, 2, 3],
  ).optional();

const orders = ['modified', 'created', 'title', 'size'] as const satisfies readonly NoteOrder[];

export function orderOf(sort: 0 | 1 | 2 | 3 | undefined): NoteOrder {
  return orders[sort ?? 0];
}

/** Returns the value by which a note is sorted in a list with this order. */
export function orderValue(note: Note, order: NoteOrder): string | number {
  return { modified: note.modifiedAt, created: note.createdAt, title: note.titleKey, size: note.size }[order];
}

function numberToCursor(value: unknown): unknown {
  if (value === undefined) return '';
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
}

/** Creates the schema of a page cursor. A plain number is accepted too and skips that many entries. */
export function listCursor(): Field<string> {
  return z.preprocess(numberToCursor, z.string().max(2048)).meta({
    type: 'string',
    description: 'Empty at first, then next_cursor; a number skips entries.',
  }) as unknown as Field<string>;
}

export const noteIds = { note_id: text("The note's id."), doc_id: text('The same as note_id.') };

export const noteBookInfo = z.object({
  ...noteIds,
  title: text('Title.'),
  summary: text('The beginning of the text, about 120 characters.'),
  create_time: integer('Unix milliseconds.'),
  modify_time: integer('Unix milliseconds.'),
  cover_image: text('Address of the first picture; empty if there is none.'),
  note_ext_info: z
    .object({ folder_id: text('Notebook that holds the note.'), folder_name: text('Its name.') })
    .meta({ description: 'Notebook of the note.' }),
  size: integer('Size of the Markdown in bytes.'),
  version: integer('Version of the text, incremented by each change; pass it to update_note as base_version.'),
});

export function toNoteBookInfo(note: Note): z.input<typeof noteBookInfo> {
  const folder = folderOfNote(note);
  return {
    note_id: note.id,
    doc_id: note.id,
    title: note.title,
    summary: note.summary,
    create_time: note.createdAt,
    modify_time: note.modifiedAt,
    cover_image: note.coverImage,
    note_ext_info: { folder_id: folder.id, folder_name: folder.name },
    size: note.size,
    version: note.version,
  };
}

export const noteFolderInfo = z.object({
  folder_id: text("The notebook's id."),
  name: text('Its name.'),
  create_time: integer('Unix milliseconds.'),
  modify_time: integer('Time of the last rename or move, or of the last note added or removed, in Unix milliseconds.'),
  note_number: integer('Number of notes in it, excluding notebooks inside it (the root counts all notes).'),
  parent_folder_id: text('Parent notebook; the root for top-level notebooks, empty for the root itself.'),
  folder_type: integerEnum('Kind: 0 created by the user, 1 all notes (the root), 2 uncategorized.', [0, 1, 2]),
});

export function toNoteFolderInfo(notebook: Notebook): z.input<typeof noteFolderInfo> {
  return {
    folder_id: notebook.id,
    name: notebook.name,
    create_time: notebook.createdAt,
    modify_time: notebook.modifiedAt,
    note_number: notebook.noteCount,
    parent_folder_id: notebook.parentId === '' ? rootFolderId(notebook.userId) : notebook.parentId,
    folder_type: 0,
  };
}

export const version = () => integer('Version of the note after this call.');

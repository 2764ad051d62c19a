import { z } from 'zod';
import { codePoints, flag, integer, integerEnum, text, type Field } from '../operation/fields.ts';
import { parseBySchema } from '../operation/parse.ts';
import type { Note, Notebook, NoteOrder } from '../ports/note-store.ts';
import { longestTitle } from './content.ts';
import { folderOfNote, topFolder } from './folders.ts';

/** The rule `tsecstr` of the specification. */
export function plainString(description: string, { min = 0, max = 256 }: { min?: number; max?: number } = {}) {
  return text(description, { min, max }).refine(
    (value) => !/[\p{Cc}\p{Surrogate}]/u.test(value),
    'must not hold control characters or lone surrogates',
  );
}

export const noteId = () => plainString("The note's id.", { min: 1 });
export const docId = () => plainString('Another name of note_id; either may be sent.').optional();
export const folderId = (description: string) => plainString(description);
export const contentFormat = () => integerEnum('Must be 1: Markdown.', [1]);
export const title = (description: string) => plainString(description, { max: longestTitle });

export function markdown(description: string) {
  return z
    .string()
    .min(1)
    .refine((value) => value.trim() !== '', {
      error: (issue) => `must not be empty (got ${codePoints(String(issue.input))} characters of white space)`,
    })
    .refine((value) => !/\p{Surrogate}/u.test(value), 'must be well-formed Unicode: it holds half a character')
    .meta({ minLength: 1, description });
}

export const sortType = () =>
  integerEnum(
    '0 modification time, 1 creation time (both newest first), 2 title, 3 size (largest first). Default 0.',
    [0, 1, 2, 3],
  ).optional();

const orders = ['modified', 'created', 'title', 'size'] as const satisfies readonly NoteOrder[];

export function orderOf(sort: 0 | 1 | 2 | 3 | undefined): NoteOrder {
  return orders[sort ?? 0];
}

function fromPlainNumber(value: unknown): unknown {
  if (value === undefined) return '';
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
}

/** A cursor that may also be a plain number of entries to pass over. */
export function listCursor(): Field<string> {
  return z.preprocess(fromPlainNumber, z.string().max(2048)).meta({
    type: 'string',
    description:
      'Where to go on: "" for the first page, then the previous answer\'s next_cursor. A plain number passes over so many entries.',
  }) as unknown as Field<string>;
}

/** Accepts `doc_id` where the schema says `note_id`, as existing clients send it. */
export function acceptingDocId<Schema extends z.ZodType<Record<string, unknown>>>(
  schema: Schema,
): (raw: Record<string, unknown>) => z.output<Schema> {
  return (raw) => {
    const given =
      raw['note_id'] === undefined && (raw['doc_id'] ?? undefined) !== undefined
        ? { ...raw, note_id: raw['doc_id'] }
        : raw;
    return parseBySchema(schema, given);
  };
}

export const noteIds = { note_id: text("The note's id."), doc_id: text('The same as note_id.') };

export const noteBookInfo = z.object({
  ...noteIds,
  title: text('Title.'),
  summary: text('The beginning of the text, about 120 characters.'),
  create_time: integer('Unix milliseconds.'),
  modify_time: integer('Unix milliseconds.'),
  cover_image: text('Address of the first picture; empty when there is none.'),
  note_ext_info: z
    .object({ folder_id: text('Notebook that holds the note.'), folder_name: text('Its name.') })
    .meta({ description: 'Where the note is.' }),
  size: integer('Bytes of Markdown.'),
  version: integer('Counts the changes of the text; update_note takes it as base_version.'),
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
  modify_time: integer('Unix milliseconds; when it was renamed or moved, or a note came or went.'),
  note_number: integer('Notes in it, not counting those in notebooks inside it (the root counts all).'),
  parent_folder_id: text('The notebook it is in; the root for those at the top, empty for the root.'),
  folder_type: integerEnum('0 made by the user, 1 all notes (the root), 2 un-categorised.', [0, 1, 2]),
});

export function toNoteFolderInfo(notebook: Notebook): z.input<typeof noteFolderInfo> {
  return {
    folder_id: notebook.id,
    name: notebook.name,
    create_time: notebook.createdAt,
    modify_time: notebook.modifiedAt,
    note_number: notebook.noteCount,
    parent_folder_id: notebook.parentId === '' ? topFolder(notebook.userId) : notebook.parentId,
    folder_type: 0,
  };
}

export const isEnd = () => flag('Whether this was the last page.');
export const nextCursor = () => text('For the next page; empty after the last.');
export const version = () => integer("The note's version after this call.");

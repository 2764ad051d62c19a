import { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { cursor, flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { accessibleNotes, requireNote } from '../note-access.ts';
import { notebookIdOf, resolveFolder } from '../notebook-folders.ts';
import { docId, folderId, plainString } from '../schema.ts';
import { isDate } from '../text/tasks.ts';

const task = z.object({
  note_id: text("The note's id."),
  title: text("The note's title."),
  line: integer('Line of the task, for set_task.'),
  text: text('The task.'),
  done: flag('Whether it is done.'),
  due: text('Its date, if it has one.').optional(),
});

const date = (description: string) => text(description, { max: 10 }).optional();

export const list_tasks = operation({
  summary:
    'Lists the tasks of all notes ("- [ ] call Ann @2026-12-01"), those that are due first; set_task checks one.\n' +
    'Example: {"state":"open","due_before":"2026-12-08"}',
  effect: 'read',
  input: {
    state: oneOf('Which tasks. Default: "open".', ['open', 'done', 'all']).optional(),
    due_from: date('Due on this date, as YYYY-MM-DD, or later.'),
    due_before: date('Due before this date.'),
    note_id: plainString('Only tasks of this note.').optional(),
    doc_id: docId(),
    folder_id: folderId('Only tasks of notes in this notebook.').optional(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 200.', { min: 1, max: 1000 }).optional(),
  },
  output: {
    tasks: list('The tasks.', task),
    total: integer('Number of tasks on all pages.'),
    next_cursor: nextCursor(),
    is_end: isEnd(),
  },
  aliases: { doc_id: 'note_id' },
  async run(input, context) {
    const { due_from: dueFrom, due_before: dueBefore, state = 'open' } = input;
    for (const [field, value] of Object.entries({ due_from: dueFrom, due_before: dueBefore }))
      if (value !== undefined && !isDate(value))
        throw fail('invalid_parameter', `${field}: must be a date as YYYY-MM-DD (got ${JSON.stringify(value)})`);
    const note = input.note_id ? await requireNote(context, input.note_id, 'read') : undefined;
    const folder = await resolveFolder(context, input.folder_id);
    const userId = note?.userId ?? context.caller.userId;
    const limit = input.limit ?? 200;
    const filter = {
      userId,
      noteId: note?.id,
      notebookId: notebookIdOf(folder),
      isDone: state === 'all' ? undefined : state === 'done',
      dueFrom,
      dueBefore,
      limit: limit + 1,
    };
    const scope = `list_tasks ${JSON.stringify({ ...filter, limit: 0 })}`;
    const [due, noteId, line] = readCursor(scope, input.cursor, 'a previous page') ?? [];
    const after =
      typeof due === 'string' && typeof noteId === 'string' && typeof line === 'number'
        ? { due, noteId, line }
        : undefined;
    const found = await context.noteGraph.tasks({ ...filter, after });
    const { page, is_end, next_cursor } = pageOf(found, limit, scope, (last) => [last.due, last.noteId, last.line]);
    const notes = await accessibleNotes(
      context,
      page.map((one) => one.noteId),
      'read',
    );
    return {
      tasks: page.flatMap(({ noteId: id, line: at, text: words, isDone: done, due: day }) => {
        const holder = notes.get(id);
        if (!holder) return [];
        return [{ note_id: id, title: holder.title, line: at, text: words, done, ...(day === '' ? {} : { due: day }) }];
      }),
      total: await context.noteGraph.countTasks(filter),
      next_cursor,
      is_end,
    };
  },
});

import { z } from 'zod';
import { cursor, flag, integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { visibleTargets } from '../link-targets.ts';
import { accessibleNotes, requireNote } from '../note-access.ts';
import { resolveFolder, notebookIdOf } from '../notebook-folders.ts';
import { docId, folderId, plainString } from '../schema.ts';

const link = z.object({
  note_id: text('Note that contains the link.'),
  note_title: text('Its title.'),
  line: integer('Line of its first occurrence, starting at 1.'),
  title: text('Title or text as written.'),
  heading: text('Heading after #, if any.').optional(),
  occurrences: integer('How often the note contains it.'),
  kind: oneOf('What it leads to; absent if there is no target.', ['note', 'item', 'sheet']).optional(),
  target_id: text('Note id, media id or file id; absent if there is no target.').optional(),
  target_title: text('Title of the target today.').optional(),
  knowledge_base_id: text('Knowledge base of an item.').optional(),
});

export const list_links = operation({
  summary:
    'Lists the links out of a note, or of all notes: [[Title]], [[Title|text]], [[Title#Heading]] and addresses of ' +
    'notes, items and spreadsheets, with the ids they lead to; with broken, those that lead nowhere.\n' +
    'Example: {"note_id":"note_..."}',
  effect: 'read',
  input: {
    note_id: plainString('Only links of this note.').optional(),
    doc_id: docId(),
    folder_id: folderId('Only links of notes in this notebook.').optional(),
    broken: flag('Only links without a target.').optional(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 100.', { min: 1, max: 500 }).optional(),
  },
  output: { links: list('The links.', link), next_cursor: nextCursor(), is_end: isEnd() },
  aliases: { doc_id: 'note_id' },
  async run(input, context) {
    const note = input.note_id ? await requireNote(context, input.note_id, 'read') : undefined;
    const folder = await resolveFolder(context, input.folder_id);
    const userId = note?.userId ?? context.caller.userId;
    const limit = input.limit ?? 100;
    const scope = `list_links ${userId} ${note?.id ?? ''} ${input.folder_id ?? ''} ${input.broken === true}`;
    const [noteId, number] = readCursor(scope, input.cursor, 'a previous page') ?? [];
    const found = await context.noteGraph.links({
      userId,
      noteId: note?.id,
      notebookId: notebookIdOf(folder),
      onlyBroken: input.broken,
      after: typeof noteId === 'string' && typeof number === 'number' ? { noteId, number } : undefined,
      limit: limit + 1,
    });
    const { page, is_end, next_cursor } = pageOf(found, limit, scope, (last) => [last.noteId, last.number]);
    const notes = await accessibleNotes(
      context,
      page.map((one) => one.noteId),
      'read',
    );
    const targets = await visibleTargets(context, page);
    return {
      links: page.map((one) => {
        const target = targets.get(one.targetId);
        return {
          note_id: one.noteId,
          note_title: notes.get(one.noteId)?.title ?? '',
          line: one.line,
          title: one.title,
          ...(one.heading === '' ? {} : { heading: one.heading }),
          occurrences: one.occurrences,
          ...(target === undefined || one.kind === ''
            ? {}
            : {
                kind: one.kind,
                target_id: one.targetId,
                target_title: target.title,
                ...(target.baseId === undefined ? {} : { knowledge_base_id: target.baseId }),
              }),
        };
      }),
      next_cursor,
      is_end,
    };
  },
});

import { z } from 'zod';
import { cursor, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, pageOf, readCursor } from '../../../kernel/paging.ts';
import { accessibleNotes, requireNote } from '../note-access.ts';
import { docId, plainString } from '../schema.ts';

const backlink = z.object({
  note_id: text('Note that links to it.'),
  title: text('Its title.'),
  line: integer('Line of the link, starting at 1.'),
  sentence: text('Sentence that contains the link.'),
  heading: text('Heading that the link names, if any.').optional(),
  occurrences: integer('How often the note has the link.'),
});

export const backlinks = operation({
  summary:
    'Lists the notes that link to a note, item or spreadsheet, each with the sentence.\nExample: {"id":"note_..."}',
  effect: 'read',
  input: {
    id: plainString('Note id, media id or file id.', { min: 1 }),
    note_id: docId(),
    doc_id: docId(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 50.', { min: 1, max: 200 }).optional(),
  },
  output: { links: list('The links.', backlink), next_cursor: nextCursor(), is_end: isEnd() },
  aliases: { doc_id: 'id', note_id: 'id' },
  async run({ id, cursor: from, limit = 50 }, context) {
    const { userId } = context.caller;
    if (id.startsWith('note_')) await requireNote(context, id, 'read');
    const scope = `backlinks ${userId} ${id}`;
    const [noteId, number] = readCursor(scope, from, 'a previous page') ?? [];
    const after = typeof noteId === 'string' && typeof number === 'number' ? { noteId, number } : undefined;
    const found = await context.noteGraph.linksTo(userId, id, after, limit + 1);
    const { page, is_end, next_cursor } = pageOf(found, limit, scope, (last) => [last.noteId, last.number]);
    const notes = await accessibleNotes(
      context,
      page.map((link) => link.noteId),
      'read',
    );
    return {
      links: page.flatMap(({ noteId: linking, line, sentence, heading, occurrences }) => {
        const note = notes.get(linking);
        if (!note) return [];
        return [
          { note_id: linking, title: note.title, line, sentence, ...(heading === '' ? {} : { heading }), occurrences },
        ];
      }),
      next_cursor,
      is_end,
    };
  },
});

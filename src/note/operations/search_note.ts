import { z } from 'zod';
import type { Context } from '../../context.ts';
import { highlight } from '../../lib/highlight.ts';
import { fail } from '../../operation/errors.ts';
import { integer, integerEnum, list } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import type { Note, NoteOrder } from '../../ports/note-store.ts';
import { passageOf } from '../passage.ts';
import { isEnd, noteBookInfo, orderOf, plainString, sortType, toNoteBookInfo } from '../schema.ts';

const widest = 20;

const searchNoteInfo = z.object({
  note_book_info: noteBookInfo.meta({ description: 'The note.' }),
  highlightInfo: z.record(z.string(), z.string()).meta({
    description:
      'Highlights: doc_title is the title, doc_content a matching passage of the text. Matches are wrapped in <em>…</em>; everything else is HTML-escaped.',
  }),
});

export const search_note = operation({
  name: 'search_note',
  summary:
    'Finds the caller\'s notes by words in their titles or text. All words must match; "quotes" match a ' +
    'phrase. Works in any script and ignores case and accents. Without words it lists all notes.\n' +
    'Example: {"search_type":1,"query_info":{"content":"会议 budget"},"start":0,"end":20}',
  effect: 'read',
  input: z.object({
    search_type: integerEnum(
      'What to search: 0 titles, with query_info.title (default); 1 text, with query_info.content. If the other keyword is also sent, it narrows the results.',
      [0, 1],
    ).optional(),
    sort_type: sortType(),
    query_info: z
      .object({
        title: plainString('Words in the title.').optional(),
        content: plainString('Words in the text.').optional(),
      })
      .meta({ description: 'Words to search for.' })
      .optional(),
    start: integer('Index of the first result, starting at 0.', { min: 0 }),
    end: integer(`Index after the last result; at most ${widest} more than start.`, { min: 0 }),
  }),
  output: z.object({
    search_note_infos: list('Search results.', searchNoteInfo),
    is_end: isEnd(),
    total_hit_num: integer('Total number of matches across all pages.'),
  }),
  async run(input, context) {
    const { start, end } = input;
    if (end <= start)
      throw fail('invalid_parameter', `end: must be greater than start (got start ${start}, end ${end})`);
    if (end - start > widest)
      throw fail(
        'invalid_parameter',
        `end: must not be more than ${widest} past start (got start ${start}, end ${end})`,
      );
    const query = { title: input.query_info?.title ?? '', body: input.query_info?.content ?? '' };
    const { notes, total, seen } = await find(context, query, orderOf(input.sort_type), start, end - start);
    const search_note_infos: z.input<typeof searchNoteInfo>[] = [];
    for (const note of notes)
      search_note_infos.push({
        note_book_info: toNoteBookInfo(note),
        highlightInfo: await highlights(context, note, query),
      });
    return { search_note_infos, is_end: start + seen >= total, total_hit_num: total };
  },
});

interface Words {
  title: string;
  body: string;
}

async function find(
  context: Context,
  query: Words,
  order: NoteOrder,
  offset: number,
  limit: number,
): Promise<{ notes: Note[]; total: number; seen: number }> {
  const { userId } = context.caller;
  if (query.title.trim() === '' && query.body.trim() === '') {
    const [notes, total] = await Promise.all([
      context.notes.list({ userId, order, offset, limit }),
      context.notes.count(userId),
    ]);
    return { notes, total, seen: notes.length };
  }
  const { ids, total } = await context.search.search({
    space: 'note',
    owners: [userId],
    title: query.title,
    body: query.body,
    order,
    offset,
    limit,
  });
  // The index may be a moment behind: what is gone or no longer the caller's is not shown.
  const notes = (await context.notes.notes(ids)).filter((note) => note.userId === userId && note.deletedAt === null);
  return { notes, total, seen: ids.length };
}

async function highlights(context: Context, note: Note, query: Words): Promise<Record<string, string>> {
  if (query.title.trim() === '' && query.body.trim() === '') return {};
  const found: Record<string, string> = {
    doc_title: highlight(note.title, query.title.trim() === '' ? query.body : query.title),
  };
  if (query.body.trim() === '') return found;
  const passage = passageOf((await context.notes.markdown(note.id)) ?? '', query.body);
  return passage === undefined ? found : { ...found, doc_content: passage };
}

import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { highlight } from '@sheaf/search/passages/highlight';
import { fail } from '../../../kernel/errors.ts';
import { integer, integerEnum, list, oneOf } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd } from '../../../kernel/paging.ts';
import { indexBehind, addWordlessNotice } from '../../../kernel/search-fields.ts';
import type { Note, NoteOrder } from '../../../ports/note-store.ts';
import { findMatchingPassage } from '../matching-passage.ts';
import { noteBookInfo, orderOf, plainString, sortType, toNoteBookInfo } from '../schema.ts';

const widest = 20;

const searchNoteInfo = z.object({
  note_book_info: noteBookInfo.meta({ description: 'The note.' }),
  highlightInfo: z.record(z.string(), z.string()).meta({
    description:
      'Highlights: doc_title is the title, doc_content a matching passage of the text. Matches are wrapped in <em>…</em>; everything else is HTML-escaped.',
  }),
  match: oneOf(
    'Whether every word was found, or only some of them: those follow by relevance where no note has every word. Absent without words.',
    ['all', 'some'],
  ).optional(),
});

export const search_note = operation({
  summary:
    "Finds the caller's notes by words: those with every word, in the order asked for; else those with the " +
    'most important ones, best first. "Quotes" match a phrase. Without words it lists all.\nExample: ' +
    '{"search_type":1,"query_info":{"content":"会议 budget"},"start":0,"end":20}',
  effect: 'read',
  input: {
    search_type: integerEnum(
      '0 titles, with query_info.title (default); 1 text, with query_info.content. The other is ignored.',
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
  },
  output: {
    search_note_infos: list('Search results.', searchNoteInfo),
    is_end: isEnd(),
    total_hit_num: integer('Total number of matches across all pages.'),
    index_behind: indexBehind(),
  },
  async run(input, context) {
    const { start, end } = input;
    if (end <= start)
      throw fail('invalid_parameter', `end: must be greater than start (got start ${start}, end ${end})`);
    if (end - start > widest)
      throw fail(
        'invalid_parameter',
        `end: must not be more than ${widest} past start (got start ${start}, end ${end})`,
      );
    const query = wordsOf(input.search_type ?? 0, input.query_info ?? {});
    const hasWords = query.title.trim() !== '' || query.body.trim() !== '';
    addIgnoredNotice(context, input.search_type ?? 0, input.query_info ?? {});
    const isCaughtUp = !hasWords || (await context.searchFeed.waitForOwnWrites('note', context.caller.userId));
    const { notes, total, seen } = hasWords
      ? await findNotes(context, query, orderOf(input.sort_type), start, end - start)
      : await listNotes(context, orderOf(input.sort_type), start, end - start);
    const texts =
      query.body.trim() === ''
        ? new Map<string, string>()
        : await context.notes.markdowns(notes.map(({ note }) => note.id));
    return {
      search_note_infos: notes.map(({ note, match }) => ({
        note_book_info: toNoteBookInfo(note),
        highlightInfo: hasWords ? highlights(note, texts.get(note.id) ?? '', query) : {},
        ...(match === undefined ? {} : { match }),
      })),
      is_end: start + seen >= total,
      total_hit_num: total,
      ...(isCaughtUp ? {} : { index_behind: true }),
    };
  },
});

interface Words {
  title: string;
  body: string;
}

interface Keywords {
  title?: string | undefined;
  content?: string | undefined;
}

/**
 * Returns the words to search for in titles and in texts; one of the two is always ''. The search type (0 title, 1
 * text) decides which input field counts, because clients always send both fields but mean only one.
 */
function wordsOf(type: 0 | 1, { title = '', content = '' }: Keywords): Words {
  return type === 1 ? { title: '', body: content } : { title, body: '' };
}

function addIgnoredNotice(context: Context, type: 0 | 1, given: Keywords): void {
  const [counts, ignored] = type === 1 ? (['content', 'title'] as const) : (['title', 'content'] as const);
  const words = given[counts] ?? '';
  if (addWordlessNotice(context, `query_info.${counts}`, words)) return;
  if (words.trim() === '' && (given[ignored] ?? '').trim() !== '')
    context.reply.notice = `query_info.${ignored} was ignored because search_type is ${type}; without query_info.${counts} all notes are listed`;
}

interface Page {
  notes: { note: Note; match?: 'all' | 'some' }[];
  total: number;
  seen: number;
}

async function listNotes(context: Context, order: NoteOrder, offset: number, limit: number): Promise<Page> {
  const { userId } = context.caller;
  const [notes, total] = await Promise.all([
    context.notes.list({ userId, order, offset, limit }),
    context.notes.count(userId),
  ]);
  return { notes: notes.map((note) => ({ note })), total, seen: notes.length };
}

async function findNotes(
  context: Context,
  query: Words,
  order: NoteOrder,
  offset: number,
  limit: number,
): Promise<Page> {
  const { userId } = context.caller;
  const { hits, total } = await context.search.search({
    space: 'note',
    owners: [userId],
    title: query.title,
    body: query.body,
    order,
    offset,
    limit,
  });
  const found = new Map((await context.notes.notes(hits.map((hit) => hit.id))).map((note) => [note.id, note]));
  // Drop deleted notes and notes of other users. The search index can still contain them, because it is updated with a
  // delay.
  const notes = hits.flatMap(({ id, match }) => {
    const note = found.get(id);
    return note?.userId === userId && note.deletedAt === null
      ? [{ note, match: match === 'all' ? match : ('some' as const) }]
      : [];
  });
  return { notes, total, seen: hits.length };
}

function highlights(note: Note, markdown: string, query: Words): Record<string, string> {
  const found: Record<string, string> = {
    doc_title: highlight(note.title, query.title.trim() === '' ? query.body : query.title),
  };
  const passage = query.body.trim() === '' ? undefined : findMatchingPassage(markdown, query.body);
  return passage === undefined ? found : { ...found, doc_content: passage };
}

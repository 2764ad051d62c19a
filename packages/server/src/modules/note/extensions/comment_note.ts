import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { newId } from '../../../lib/ids.ts';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import type { CommentAnchor, CommentChange, NewEntry } from '../../../ports/comment-store.ts';
import { findMentions, writeComment } from '../comments.ts';
import { requireNote, type AccessibleNote } from '../note-access.ts';
import { boundedText } from '../note-edits.ts';
import { isWellFormed, noteIdFields, noteIds, notWellFormed } from '../schema.ts';

const maxQuote = 1000;
const maxText = 8000;

const said = (description: string) =>
  text(description, { min: 1, max: maxText })
    .refine((value) => value.trim() !== '', 'must not be empty')
    .refine(isWellFormed, notWellFormed);
const piece = (description: string) =>
  text(description, { min: 1, max: maxQuote }).refine(isWellFormed, notWellFormed).optional();

export const comment_note = operation({
  summary:
    'Comments on a place of a note, replies, edits an own entry, or resolves a thread. @name mentions a user who may read ' +
    'the note. Cells: sheet.set_comment.\n' +
    'Example: {"note_id":"note_...","quote":"three pears","text":"@ada Why three?"}',
  effect: 'write',
  input: {
    ...noteIdFields,
    comment_id: text('Thread to answer, edit or resolve; a new one if omitted.', { min: 1, max: 64 }).optional(),
    quote: piece('Text that a new thread is about; the whole note if omitted.'),
    before: piece('Text directly before the quote, if it occurs several times.'),
    after: piece('Text directly after the quote.'),
    line: integer('Line in which the quote begins, if it occurs several times.', { min: 1 }).optional(),
    text: said('The comment, or the reply.').optional(),
    entry_id: text('Entry of the caller that text replaces.', { min: 1, max: 64 }).optional(),
    resolved: flag('true resolves the thread, false reopens it.').optional(),
  },
  output: {
    ...noteIds,
    comment_id: text('Id of the thread.'),
    entry_id: text('Id of the entry, if one was written.').optional(),
    mentioned: list('Whom the text mentions.', z.object({ user_id: text('User id.'), name: text('Name.') })),
    not_mentioned: list('Names after @ of nobody who may read the note.', text('Name.')),
  },
  aliases: { doc_id: 'note_id' },
  async run(input, context) {
    const { note_id: id, comment_id: threadId, entry_id: entryId, text: words, resolved } = input;
    if (threadId === undefined && words === undefined)
      throw fail('invalid_parameter', 'text: is required for a new comment');
    if (threadId === undefined && (entryId !== undefined || resolved !== undefined))
      throw fail(
        'invalid_parameter',
        `comment_id: is required with ${entryId === undefined ? 'resolved' : 'entry_id'}`,
      );
    if (threadId !== undefined && words === undefined && resolved === undefined)
      throw fail('invalid_parameter', 'text: send text, resolved or both');
    if (entryId !== undefined && (words === undefined || resolved !== undefined))
      throw fail('invalid_parameter', 'entry_id: send it with text only, to replace an entry');
    if (threadId !== undefined && input.quote !== undefined)
      throw fail('invalid_parameter', 'quote: a thread keeps its place; send quote without comment_id');
    const note = await requireNote(context, id, 'comment');
    const mentions = await findMentions(context, note, words ?? '');
    const entry = words === undefined ? undefined : newEntry(entryId, words, mentions.reached);
    const anchor = threadId === undefined ? await anchorOf(context, note, input) : undefined;
    return writeComment(
      context,
      note,
      () => write(context, note, { threadId, anchor, entry, isEdit: entryId !== undefined, resolved }),
      (change) => ({
        note_id: id,
        doc_id: id,
        comment_id: change.threadId,
        ...(entry && { entry_id: entry.id }),
        mentioned: mentions.reached.map((user) => ({ user_id: user.id, name: user.name })),
        not_mentioned: mentions.unreached,
      }),
    );
  },
});

function newEntry(id: string | undefined, words: string, mentioned: readonly { id: string }[]): NewEntry {
  return { id: id ?? newId('entry'), text: words, mentioned: mentioned.map((user) => user.id) };
}

interface Wanted {
  threadId: string | undefined;
  anchor: CommentAnchor | undefined;
  entry: NewEntry | undefined;
  isEdit: boolean;
  resolved: boolean | undefined;
}

function write(context: Context, note: AccessibleNote, wanted: Wanted): Promise<CommentChange> {
  const { comments, stamp, config } = context;
  const { threadId, anchor, entry, isEdit, resolved } = wanted;
  const commented = { id: note.id, authorId: note.userId };
  const limits = { quotaBytes: config.SHEAF_QUOTA_BYTES };
  if (threadId === undefined)
    return comments.begin(stamp, commented, { id: newId('comment'), anchor: anchor! }, entry!, limits);
  return isEdit
    ? comments.edit(stamp, commented, threadId, entry!, limits)
    : comments.reply(stamp, commented, { id: threadId, resolved }, entry, limits);
}

async function anchorOf(
  context: Context,
  note: AccessibleNote,
  given: {
    quote?: string | undefined;
    before?: string | undefined;
    after?: string | undefined;
    line?: number | undefined;
  },
): Promise<CommentAnchor> {
  const { quote, before = '', after = '', line } = given;
  if (quote === undefined) {
    if (before !== '' || after !== '' || line !== undefined)
      throw fail('invalid_parameter', 'quote: is required with before, after and line');
    return { quote: '', before: '', after: '', at: 0, heading: '' };
  }
  const markdown = (await context.notes.markdown(note.id, note.version)) ?? '';
  const found = await boundedText(() =>
    context.noteText.anchorQuote(context.caller.userId, markdown, { quote, before, after, line }),
  );
  if ('refused' in found) throw fail('invalid_parameter', found.refused);
  return found;
}

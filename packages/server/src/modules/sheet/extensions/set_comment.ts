import { fail } from '../../../kernel/errors.ts';
import { runInBackground } from '../../../lib/background-tasks.ts';
import { invalid, overLimit } from '../errors.ts';
import { flag, aliasField, text } from '../../../kernel/field-schemas.ts';
import { publishInboxChange } from '../../../kernel/inbox-events.ts';
import { resolveAddress } from '../calls/address.ts';
import { findSheetContaining } from '../calls/sheet-lookup.ts';
import { type ToolCall, type WritePlan, writeTool, type WriteValues } from '../calls/tool.ts';
import type { Comment, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { putMark, removeMark } from '@sheaf/engine/internal/mutations';
import { requireRangeObject, dropUndefined, refuseTooManyObjects } from '../objects/range-objects.ts';
import { addressField, colField, defaultSheetField, parseFileId, rowField } from '../schema.ts';

const maxEntries = 1000;

const input = {
  ...defaultSheetField,
  comment_id: text('Thread to answer, edit or resolve.', { max: 64 }).optional(),
  range: addressField('Cell of a new thread, e.g. Sales!B3.').optional(),
  row: aliasField(rowField('Row of a new thread.')).optional(),
  col: aliasField(colField('Column of a new thread.')).optional(),
  text: text('The comment, or the reply.', { min: 1, max: 8000 }).optional(),
  entry_id: text('Entry of the caller that text replaces.', { max: 64 }).optional(),
  resolved: flag('Resolved.').optional(),
  delete: flag('true: deletes the entry of the caller; the thread goes with its last one.').optional(),
};

type Given = WriteValues<typeof input>;

const writeThread = writeTool({
  name: 'set_comment',
  need: 'commenter',
  summary:
    'Comments on a cell, replies, edits or deletes an entry of the caller, or resolves a thread. @name mentions.',
  input,
  output: { comment_id: text('Id of the thread.') },
  plan(document, given, call) {
    const { sub, cell } = resolveTarget(document, given);
    if (!given.comment_id) refuseTooManyObjects(sub, 'comments');
    const before = given.comment_id
      ? requireRangeObject(sub, 'comments', given.comment_id, 'comment_id')
      : newThread(cell ?? given, call);
    if (given.delete) return deleteEntry(sub, before, given, call);
    if (given.text === undefined && (given.resolved === undefined || !given.comment_id))
      throw invalid('text: is required unless a thread is resolved');
    if (given.text === undefined && given.entry_id) throw invalid('text: is required with entry_id');
    const { resolved: _, kept, note, ...rest } = before;
    const isResolved = given.resolved ?? before.resolved === true;
    const comment = dropUndefined({
      ...rest,
      // A comment imported from a file may be a legacy note, which cannot have replies. A new text turns it into a
      // comment thread; the fields `kept` and `note`, which only legacy notes have, are then left out.
      ...(given.text === undefined ? { kept, note } : {}),
      entries: given.text === undefined ? before.entries : entriesOf(before, given, call),
      ...(isResolved ? { resolved: true as const } : {}),
    });
    return {
      mutations: [putMark.of({ sheet: sub.id, list: 'comments', mark: comment })],
      data: { comment_id: comment.id },
    };
  },
});

/**
 * The tool set_comment. Writes the comment and, if it has a text, notifies the users concerned, so that their open
 * inboxes show it.
 */
export const set_comment: typeof writeThread = {
  ...writeThread,
  async run(input, context) {
    const answer = await writeThread.run(input, context);
    const { version } = context.reply;
    if (input.text !== undefined && version !== undefined)
      runInBackground('news of a comment on a cell', async () =>
        publishInboxChange(context, await context.inboxStore.receivers(parseFileId(input), version)),
      );
    return answer;
  },
};

/**
 * Returns the sub-sheet of the comment, and its cell if the call starts a new thread at an address. Without an address,
 * the sub-sheet is the one in `sheet_id`, or the one that contains the thread `comment_id`.
 */
function resolveTarget(document: SheetDocument, given: Given): { sub: SubSheet; cell?: { row: number; col: number } } {
  if (given.range !== undefined && !given.comment_id) {
    const { sub, rect } = resolveAddress(document, given.range, { sheet: given.sheet_id, isWrite: true });
    return { sub, cell: { row: rect.top, col: rect.left } };
  }
  if (given.sheet_id === undefined && !given.comment_id) throw invalid('range: is required without comment_id');
  return {
    sub: findSheetContaining(document, given.sheet_id, ({ comments }) =>
      comments.some(({ id }) => id === given.comment_id),
    ),
  };
}

function newThread({ row: r, col: c }: Pick<Given, 'row' | 'col'>, call: ToolCall): Comment {
  if (r === undefined || c === undefined)
    throw invalid(`${r === undefined ? 'row' : 'col'}: is required without comment_id`);
  return { id: call.newId('comment'), regions: [[r, c, r, c]], entries: [] };
}

/**
 * Plans the deletion of an entry of a comment thread. Only the entry's author and the document's owner may delete it.
 */
function deleteEntry(sub: SubSheet, before: Comment, given: Given, call: ToolCall): WritePlan<{ comment_id: string }> {
  if (given.entry_id === undefined || given.text !== undefined || given.resolved !== undefined)
    throw invalid('delete: send it with comment_id and entry_id only');
  const entry = requireEntry(before, given.entry_id);
  if (entry.author !== call.userId && !call.isOwner)
    throw fail('no_permission', 'entry_id: only its author and the owner of the document may delete an entry');
  const entries = before.entries.filter((one) => one !== entry);
  const { id } = before;
  const mutation =
    entries.length === 0
      ? removeMark.of({ sheet: sub.id, list: 'comments', id })
      : putMark.of({ sheet: sub.id, list: 'comments', mark: { ...before, entries } });
  return { mutations: [mutation], data: { comment_id: id } };
}

function requireEntry({ entries }: Comment, id: string): Comment['entries'][number] {
  const found = entries.find((one) => one.id === id);
  if (!found) throw fail('no_such_object', `entry_id: there is no entry ${JSON.stringify(id)} in the thread`);
  return found;
}

function entriesOf(before: Comment, given: Given, call: ToolCall): Comment['entries'] {
  const { text: said = '', entry_id } = given;
  if (entry_id) {
    const old = requireEntry(before, entry_id);
    if (old.author !== call.userId) throw fail('no_permission', 'entry_id: only its author may edit an entry');
    return before.entries.map((one) => (one === old ? { ...one, text: said } : one));
  }
  if (before.entries.length >= maxEntries) throw overLimit(`comment_id: a thread has at most ${maxEntries} entries`);
  return [...before.entries, { id: call.newId('entry'), author: call.userId, at: call.at, text: said }];
}

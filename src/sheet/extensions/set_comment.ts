import { z } from 'zod';
import { fail } from '../../operation/errors.ts';
import { flag, text } from '../../operation/fields.ts';
import { worksheetOf } from '../calls/lookup.ts';
import { type ToolCall, writeTool } from '../calls/tool.ts';
import type { Comment } from '../engine/document.ts';
import { putMark } from '../engine/mutations.ts';
import { markOf, plain, refuseTooMany } from '../parts/marks.ts';
import { changesField, changesOutput, col, fileFields, row, sheetField } from '../schema.ts';

const maxEntries = 1000;

const input = z.object({
  ...fileFields,
  ...sheetField,
  comment_id: text('Thread to answer, edit or resolve.', { max: 64 }).optional(),
  row: row('Cell of a new thread.').optional(),
  col: col('Cell of a new thread.').optional(),
  text: text('The comment, or the reply.', { min: 1, max: 8000 }).optional(),
  entry_id: text('Own entry that text replaces.', { max: 64 }).optional(),
  resolved: flag('Whether the thread is resolved.').optional(),
  ...changesField,
});

type Given = z.output<typeof input>;

export const set_comment = writeTool({
  name: 'set_comment',
  summary: 'Comments on a cell, replies, edits an own entry, or resolves a thread. list_objects lists comments.',
  input,
  output: z.object({ comment_id: text('Id of the thread.'), ...changesOutput }),
  plan(document, given, call) {
    const sub = worksheetOf(document, given.sheet_id);
    if (!given.comment_id) refuseTooMany(sub, 'comments');
    const before = given.comment_id ? markOf(sub, 'comments', given.comment_id, 'comment_id') : newThread(given, call);
    if (given.text === undefined && (given.resolved === undefined || !given.comment_id))
      throw fail('invalid_parameter', 'text: is required unless a thread is resolved');
    if (given.text === undefined && given.entry_id) throw fail('invalid_parameter', 'text: is required with entry_id');
    const { resolved: _, kept, note, ...rest } = before;
    const isResolved = given.resolved ?? before.resolved === true;
    const mark = plain({
      ...rest,
      // A note that is answered is a thread.
      ...(given.text === undefined ? { kept, note } : {}),
      entries: given.text === undefined ? before.entries : entriesOf(before, given, call),
      ...(isResolved ? { resolved: true as const } : {}),
    });
    return { mutations: [putMark.of({ sheet: sub.id, list: 'comments', mark })], data: { comment_id: mark.id } };
  },
});

function newThread({ row: r, col: c }: Given, call: ToolCall): Comment {
  if (r === undefined || c === undefined)
    throw fail('invalid_parameter', `${r === undefined ? 'row' : 'col'}: is required without comment_id`);
  return { id: call.newId('comment'), regions: [[r, c, r, c]], entries: [] };
}

function entriesOf(before: Comment, given: Given, call: ToolCall): Comment['entries'] {
  const { text: said = '', entry_id } = given;
  if (entry_id) {
    const old = before.entries.find(({ id }) => id === entry_id);
    if (!old) throw fail('no_such_object', `entry_id: there is no entry ${JSON.stringify(entry_id)} in the thread`);
    if (old.author !== call.userId) throw fail('no_permission', 'entry_id: only its author may edit an entry');
    return before.entries.map((one) => (one === old ? { ...one, text: said } : one));
  }
  if (before.entries.length >= maxEntries)
    throw fail('limit_exceeded', `comment_id: a thread has at most ${maxEntries} entries`);
  return [...before.entries, { id: call.newId('entry'), author: call.userId, at: call.at, text: said }];
}

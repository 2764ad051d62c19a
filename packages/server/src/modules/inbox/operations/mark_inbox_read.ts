import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list } from '../../../kernel/field-schemas.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { publishInboxChange } from '../../../kernel/inbox-events.ts';
import { operation } from '../../../kernel/operation.ts';
import { lineId } from '../schema.ts';

export const mark_inbox_read = operation({
  summary:
    'Marks lines of the inbox as read or unread, or all as read.\nExample: {"line_ids":["mention:note_...:comment_..."]}',
  effect: 'write',
  idempotent: true,
  input: {
    line_ids: list('Lines from list_inbox.', lineId()).min(1).max(100).optional(),
    all: flag('true: all lines.').optional(),
    unread: flag('true: mark the lines as unread instead.').optional(),
    until: integer('With all: only lines up to this time, in Unix milliseconds; default now.', { min: 0 }).optional(),
  },
  output: {},
  async run({ line_ids: ids, all, unread = false, until }, context) {
    if ((ids === undefined) === !all) throw fail('invalid_parameter', 'line_ids: send either line_ids or all');
    if (all && unread) throw fail('invalid_parameter', 'unread: works with line_ids only, not with all');
    const { stamp, inboxStore } = context;
    const now = Math.min(until ?? stamp.at, stamp.at);
    const answer = await writeAndAnswer(context, () =>
      ids ? inboxStore.markLines(stamp, ids, unread ? 0 : stamp.at) : inboxStore.markAll(stamp, now),
    );
    publishInboxChange(context, [context.caller.userId]);
    return answer;
  },
});

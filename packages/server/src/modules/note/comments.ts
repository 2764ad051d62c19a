import type { Context } from '../../context.ts';
import { fail, type Failure } from '../../kernel/errors.ts';
import { writeAndAnswer } from '../../kernel/idempotent-answer.ts';
import { publishInboxChange } from '../../kernel/inbox-events.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import { quotaMessage } from '../../kernel/quota-message.ts';
import { mentionCandidates, mentionedUsers } from '../../lib/mentions.ts';
import { CommentRefused, type CommentChange, type CommentRefusal } from '../../ports/comment-store.ts';
import type { AccessibleNote } from './note-access.ts';
import { publishNoteEvent } from './note-writes.ts';

export interface Mentions {
  reached: { id: string; name: string }[];
  /** Mentioned names that do not belong to a user who may read the note. */
  unreached: string[];
}

/**
 * Finds the users whom a comment on the note mentions. Unknown users and users who may not read the note are reported
 * in the same way, so that the answer does not reveal which users exist.
 */
export async function findMentions(context: Context, note: AccessibleNote, text: string): Promise<Mentions> {
  const names = mentionCandidates(text);
  const users = new Map<string, { id: string; name: string }>();
  for (const name of new Set(names.flat())) {
    const user = await context.accounts.userByName(name);
    if (user?.state !== 'active') continue;
    if (await context.permissions.role('note', note.id, user.id)) users.set(name, { id: user.id, name });
  }
  return {
    reached: mentionedUsers(text, users),
    unreached: names.flatMap((options) => (options.some((name) => users.has(name)) ? [] : options[0]!)),
  };
}

/**
 * Writes a comment, then notifies the browser tabs that show the note and the inboxes of the users concerned. Errors of
 * the comment store are converted to errors for the caller.
 */
export async function writeComment<Answer extends object>(
  context: Context,
  note: AccessibleNote,
  write: () => Promise<CommentChange>,
  answer: (change: CommentChange) => Answer,
): Promise<Answer> {
  let receivers: readonly string[] = [];
  const data = await writeAndAnswer(
    context,
    async () => {
      const change = await write();
      receivers = change.receivers;
      return change;
    },
    answer,
  ).catch((error: unknown) => {
    throw error instanceof CommentRefused ? toFailure(error.why) : error;
  });
  publishNoteEvent(context, note.userId, note.id);
  publishInboxChange(context, receivers);
  return data;
}

function toFailure(why: CommentRefusal): Failure {
  switch (why.reason) {
    case 'no_note':
      return fail('no_permission', `note_id: there is no note ${formatValue(why.id)} of yours`);
    case 'no_thread':
      return fail('invalid_parameter', `comment_id: the note has no comment ${formatValue(why.id)}`);
    case 'no_entry':
      return fail('invalid_parameter', `entry_id: the comment has no entry ${formatValue(why.id)}`);
    case 'not_author':
      return fail('no_permission', `entry_id: only its author may do this (got ${formatValue(why.id)})`);
    case 'too_many_threads':
      return fail('too_large', `note_id: the note has ${why.count} comments, at most ${why.limit}; delete one first`);
    case 'too_many_entries':
      return fail('too_large', `comment_id: the comment has ${why.count} entries, at most ${why.limit}`);
    case 'no_space':
      return fail('no_space', `text: ${quotaMessage(why)}`);
  }
}
